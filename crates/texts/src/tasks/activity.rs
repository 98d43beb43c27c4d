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

texts! {
    /// Verbs of accounts, channels, rooms, files, reminders, settings and the engine.
    ActivityVerbTexts {
        add = "added it", "添加";
        archive = "archived it", "归档";
        unarchive = "restored it from the archive", "取消归档";
        moved = "moved it", "改了时间";
        cancel = "cancelled it", "取消";
        set_terms = "changed the terms", "更改了词条";
        restore_list = "restored an earlier state", "恢复了较早的状态";
        change = "made changes", "作了更改";
        pause = "paused it", "暂停";
        resume = "resumed it", "恢复运行";
        test = "sent a test", "发送了测试";
        rotate = "created a new secret", "生成了新密钥";
        retry_channel = "sent its waiting messages at once", "立即发送了等待中的消息";
        upload = "uploaded it", "上传";
        replace = "replaced the file", "替换了文件";
        put_back = "put the earlier file back", "恢复了之前的文件";
        import = "imported it", "导入";
        start = "started it", "启动";
        check = "checked it", "检查";
        run = "finished it", "完成";
        not_finished = "could not finish it", "未能完成";
        discard = "discarded it", "放弃";
        stop = "stopped it", "停止";
        assign = "assigned it to another person", "转交给他人";
        rename = "renamed it", "重命名";
        merge = "merged it into another one", "合并到其他项";
        reorder = "changed the order", "调整了顺序";
        create_door = "created a link for the door", "生成了门牌链接";
        revoke_door = "revoked the link for the door", "撤销了门牌链接";
        done = "marked it as done", "标记为完成";
        snooze = "postponed it", "推迟";
        send = "sent it", "已发送";
        skip = "skipped it", "已跳过";
        not_sent = "could not send it", "未能发送";
        set_up = "set up the desk", "完成了工作台的初始设置";
        subscribe = "turned on notifications on a device", "在一台设备上开启了通知";
        unsubscribe = "turned off notifications on a device", "在一台设备上关闭了通知";
        enable = "enabled it again", "重新启用";
        disable = "disabled it", "停用";
        change_role = "changed the role", "更改了角色";
        invite = "sent an invitation", "发出邀请";
        renew_invitation = "renewed the invitation", "更新了邀请";
        withdraw_invitation = "withdrew the invitation", "撤回了邀请";
        reset = "created a link for a new password", "生成了重设密码的链接";
        change_profile = "changed the profile", "更改了个人资料";
        change_password = "changed the password", "更改了密码";
        create_token = "created a token", "创建了令牌";
        revoke_token = "revoked a token", "撤销了令牌";
        add_second_factor = "added a second factor", "启用了双重验证";
        remove_second_factor = "removed the second factor", "停用了双重验证";
        reset_second_factor = "reset the second factor", "重置了双重验证";
        link_identity = "linked a sign-in", "关联了登录方式";
        unlink_identity = "removed a linked sign-in", "移除了登录方式";
        renew_recovery_codes = "created new recovery codes", "生成了新的恢复码";
        use_recovery_code = "used a recovery code", "使用了恢复码";
        add_passkey = "added a passkey", "添加了通行密钥";
        remove_passkey = "removed a passkey", "移除了通行密钥";
        reset_passkeys = "removed all passkeys", "移除了所有通行密钥";
        turn_password_off = "turned log-ins with the password off", "停用了密码登录";
        turn_password_on = "turned log-ins with the password on", "启用了密码登录";
        create_feed = "created a calendar feed", "创建了日历订阅";
        revoke_feed = "revoked a calendar feed", "撤销了日历订阅";
        end_session = "ended a session", "结束了一个会话";
        end_other_sessions = "ended all other sessions", "结束了其他会话";
        export = "exported a list", "导出了一份列表";
        limit = "changed a limit", "更改了限制";
        confirm_restore = "confirmed the restored database", "确认了恢复的数据库";
        rotate_secrets = "encrypted the stored secrets with a new key", "用新密钥重新加密了所存密钥";
        engine_start = "started after an interruption", "中断后重新启动";
        regain_database = "connected to the database again", "重新连接到数据库";
        lose_hints = "stopped using Redis", "停止使用 Redis";
        regain_hints = "uses Redis again", "重新使用 Redis";
        forget_hints = "found that Redis had lost its data", "发现 Redis 丢失了数据";
        lose_clock = "found that the clocks differ too much", "发现时钟相差过大";
        regain_clock = "found that the clocks agree again", "发现时钟恢复一致";
        resize = "changed the number of buckets", "更改了分桶数量";
        lose_node = "marked it as lost", "标记为失联";
        return_node = "found it running again", "发现它恢复运行";
        book = "booked it", "预订";
        extend = "booked further meetings", "预订了后续会议";
    }
}
