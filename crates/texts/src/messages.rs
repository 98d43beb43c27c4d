//! Texts of delayed messages.

use crate::texts;

texts! {
    /// Texts of delayed messages.
    MessageTexts {
        title = "Messages", "消息";
        lead = "Messages that rules and other programs have scheduled.", "由规则和其他程序安排的消息。";
        new_message = "New message", "新建消息";
        rules = "Rules", "规则";
        find = "Find by the beginning of the key", "按键的开头查找";
        find_button = "Find", "查找";
        message = "Message", "消息";
        state = "Status", "状态";
        when = "When", "时间";
        channel = "Channel", "渠道";
        sent = "Sent", "已发送";
        at_least(count: String) = "{count}+", "{count}+";
        attempts(n: u32) = "{n} attempts", "已尝试 {n} 次";
        next_attempt = "next attempt", "下次尝试";
        channel_gone = "The channel was deleted.", "渠道已删除。";
        no_channel = "Deleted channel", "已删除的渠道";
        of_rule = "by a rule", "来自规则";
        none = "No messages.", "没有消息。";
        none_hint = "Programs create them with POST /api/v1/messages. You can create one here too.", "程序通过 POST /api/v1/messages 创建消息，你也可以在此新建。";
        none_in_state = "No messages in this state.", "没有处于该状态的消息。";
        none_in_state_hint = "Choose another tab.", "请选择其他标签。";
        none_found_hint = "No key begins with this text. Change or clear the search.", "没有以此开头的键。请更改或清除查找。";
        clear = "Clear the search", "清除查找";
        select(key: &str) = "Select: {key}", "选择：{key}";
        selected = "Selected messages", "所选消息";
        cancel_selected = "Cancel", "取消发送";
        run_selected = "Send now", "立即发送";
        body = "Body", "正文";
        bytes(size: String) = "{size} bytes", "{size} 字节";
        headers = "Headers and route", "请求头与路由";
        exchange = "Exchange", "交换机";
        routing_key = "Routing key", "路由键";
        recipients = "Recipients", "收件人";
        header_name = "Name", "名称";
        header_value = "Value", "值";
        change_channel = "Change channel", "更换渠道";
        send_by_channel = "Send by this channel", "通过此渠道发送";
        open = "Open message", "查看消息";
        open_task = "Open task", "查看任务";
        open_channel = "Open channel", "查看渠道";
        created(when: String) = "Created {when}.", "创建于 {when}。";
        schedule = "Attempts", "发送计划";
        schedule_hint = "It is repeated until it is acknowledged.", "会重复发送，直到被确认。";
        acknowledged(when: String) = "Acknowledged {when}.", "已于 {when} 确认。";
        acknowledge = "Acknowledge", "确认";
        notice = "Notice", "通知";
        moment_next = "next", "下一次";
        moment_to_come = "to come", "待发送";
        moment_acknowledged = "acknowledged", "已确认";
        moment_not_acknowledged = "not acknowledged", "未确认";
        moment_made = "made", "已发送";
        moment_number(n: usize) = "Attempt {n}", "第 {n} 次";
        empty_body = "The body is empty.", "正文为空。";
    }
}

texts! {
    /// The paragraph of the page of a message.
    MessageSentenceTexts {
        waiting(channel: String, when: String) = "Will be sent to “{channel}” on {when}.", "将于 {when} 发送到“{channel}”。";
        failed(channel: String, when: String) = "Was not sent to “{channel}”. It was due on {when}.", "未发送到“{channel}”，原定时间为 {when}。";
        cancelled(channel: String, when: String) = "Cancelled. It would have been sent to “{channel}” on {when}.", "已取消。原定于 {when} 发送到“{channel}”。";
        handed(channel: String, when: String) = "Queued for “{channel}” on {when}.", "已于 {when} 交给“{channel}”。";
        delivered = "It was delivered.", "已送达。";
        retried(n: u32) = "{n} attempts failed; it is sent again.", "已失败 {n} 次，将再次发送。";
        first = "The first attempt is made now.", "正在进行首次尝试。";
        gave_up = "It was not delivered. Resend or dismiss it below.", "未送达。请在下方重新发送或忽略。";
        held = "It is held until the channel sends again.", "已搁置，待渠道恢复后发送。";
        dropped = "It is not sent any more.", "不再发送。";
    }
}

texts! {
    /// Texts of the form for a message.
    MessageFormTexts {
        key = "Key", "键";
        key_hint = "A name to find it by. Leave empty to get one.", "便于日后查找的名称。留空则自动生成。";
        send_to = "send to", "发送到";
        on = "on", "时间";
        body = "Body", "正文";
        body_hint = "At most 65,536 bytes. It is sent unchanged.", "最多 65,536 字节，按原样发送。";
        headers = "Headers (optional)", "请求头（可选）";
        headers_hint = "One per line, like X-Shop: 1. For mail, only Subject.", "每行一个，如 X-Shop: 1。邮件仅支持 Subject。";
        headers_shape = "must be lines like Name: value", "应为“名称: 值”形式的行";
        schedule = "Schedule message", "安排消息";
        schedule_for(when: String) = "Send on {when}", "于 {when} 发送";
        no_channels = "There is no channel to send a message to.", "没有可用于发送消息的渠道。";
        no_channels_hint = "Add a channel first: a webhook, a mail server, an SMS gateway or an AMQP broker.", "请先添加渠道：Webhook、邮件服务器、短信网关或 AMQP。";
        add_channel = "Add a channel", "添加渠道";
    }
}

texts! {
    /// Results of changes of several messages.
    MessageResultTexts {
        cancelled(n: u64) = "{n} messages are cancelled. Each can be undone on its page.", "已取消 {n} 条消息，可在各自页面撤销。";
        sent_now(n: u64) = "{n} messages are sent now.", "正在发送 {n} 条消息。";
        some_left(sentence: String, n: u64) = "{sentence} {n} could not be changed: they were handed to their channel or cancelled.", "{sentence}{n} 条无法更改：已交给渠道或已取消。";
        acknowledged = "The notice is acknowledged and no longer sent.", "通知已确认，不再发送。";
        channel_changed = "The message will be sent by this channel.", "消息将通过此渠道发送。";
        channel_chosen = "The message is sent by this channel now.", "正在通过此渠道发送消息。";
        none_changed = "Nothing was changed: these messages were handed to their channel or cancelled.", "未作更改：这些消息已交给渠道或已取消。";
    }
}
