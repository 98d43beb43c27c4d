//! Texts of the page of feeds.

use crate::texts;
use domain::calendar::FeedKind;

texts! {
    /// Texts of the page of feeds.
    FeedTexts {
        title = "Calendar feeds", "日历订阅";
        lead = "Meetings and scheduled articles in your calendar program. The program reads an address and follows every change.", "在你的日历程序中查看会议和已安排的文章。程序读取一个地址，这里的更改会同步到那里。";
        ready = "The feed is ready. Copy its address now: it is not shown again. Anyone with the address can read the feed.", "订阅已创建。请现在复制地址，之后不再显示。知道地址的人都能读取。";
        what = "What it contains", "内容";
        person = "My meetings and articles", "我的会议和文章";
        desk = "All meetings and scheduled articles", "所有会议和已安排的文章";
        of_room(name: String) = "Meetings in {name}", "“{name}”的会议";
        hint = "Requests and scheduled articles are marked as tentative.", "会议申请和已安排的文章标为“暂定”。";
        create = "Create a feed", "创建订阅";
        refused = "The feed could not be created. An account has at most 20 feeds, and the room must exist.", "无法创建订阅。每个账号最多 20 个订阅，且会议室必须存在。";
        none = "No feeds yet.", "还没有订阅。";
        none_hint = "Create one and add its address to your calendar program.", "创建一个，并将地址添加到日历程序。";
        created = "created", "创建于";
        read = "last read", "最近读取";
        never = "never", "从未";
        revoke = "Revoke", "撤销";
        revoke_of(name: String) = "Revoke “{name}”", "撤销“{name}”";
        revoked = "The feed is revoked. Programs can no longer read it.", "订阅已撤销，程序不再能读取。";
    }
}

impl FeedTexts {
    /// Name of a feed.
    #[must_use]
    pub fn name(self, kind: FeedKind, room: String) -> String {
        match kind {
            FeedKind::Person => self.person().to_owned(),
            FeedKind::Desk => self.desk().to_owned(),
            FeedKind::Room => self.of_room(room),
        }
    }
}
