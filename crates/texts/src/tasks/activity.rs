//! Texts of the activity.

use crate::texts;

texts! {
    /// Texts of the activity.
    ActivityTexts {
        title = "Activity", "动态";
        lead = "Who did what, newest first.", "谁做了什么，最新的在前。";
        person = "Person", "人员";
        anyone = "Everyone", "所有人";
        someone = "Another person", "其他人员";
        with_engine = "Also what the engine did", "也显示引擎的操作";
        show = "Show", "显示";
        one_item = "Only one item is shown.", "仅显示一项内容。";
        all_items = "Show all", "显示全部";
        earlier = "Earlier", "更早";
        newest = "Newest", "最新";
        none = "Nothing happened here.", "这里没有动态。";
        none_hint = "Choose another person, or look earlier.", "请选择其他人员，或查看更早的内容。";
        article = "An article", "文章";
        meeting = "A meeting", "会议";
        room = "A room", "会议室";
        series = "A series of meetings", "重复会议";
        release = "A release", "发布组";
        reminder = "A reminder", "提醒";
        channel = "A channel", "渠道";
        rule = "A rule", "规则";
        account = "An account", "账号";
        message = "A message", "消息";
        settings = "The settings", "设置";
        engine = "The engine", "引擎";
        media = "A file", "文件";
        delivery = "A delivery", "投递";
        tag = "A tag", "标签";
        import = "An import", "导入";
        word_list = "A word list", "词库";
        slots = "The posting slots", "发布时段";
        node = "A node", "节点";
        group = "A group of people", "小组";
        sign_in_provider = "A sign-in provider", "登录提供方";
    }
}

impl ActivityTexts {
    /// What an item without a title is.
    #[must_use]
    pub fn noun(self, kind: &str) -> String {
        match kind {
            "article" => self.article(),
            "meeting" => self.meeting(),
            "room" => self.room(),
            "series" => self.series(),
            "release" => self.release(),
            "reminder" => self.reminder(),
            "channel" => self.channel(),
            "rule" => self.rule(),
            "account" => self.account(),
            "message" => self.message(),
            "settings" => self.settings(),
            "engine" => self.engine(),
            "media" => self.media(),
            "delivery" => self.delivery(),
            "tag" => self.tag(),
            "import" => self.import(),
            "word_list" => self.word_list(),
            "slots" => self.slots(),
            "node" => self.node(),
            "group" => self.group(),
            "sign_in_provider" => self.sign_in_provider(),
            other => return other.replace('_', " "),
        }
        .to_owned()
    }
}
