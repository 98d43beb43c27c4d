//! Words about channels and deliveries: the ways out.

use super::texts;
use domain::{
    channel::{ChannelState, Doubt, Happening, Security, SmsFormat, Way},
    delivery::{DeliveryState, Outcome, Resolve},
};

texts! {
    /// Words about channels and deliveries.
    ChannelWords {
        title = "Channels", "渠道";
        lead = "Where the desk tells others that something was published.", "发布内容后，在这里通知外部系统。";
        none = "There is no channel yet.", "还没有渠道。";
        none_hint = "Add one below, and each publication is told to it.", "在下方添加渠道，每次发布都会通知到它。";
        add_title = "Add a channel", "添加渠道";
        which_way = "How it reaches the outside", "发送方式";
        add = "Add", "添加";
        name = "Name", "名称";
        address = "Address", "地址";
        address_hint = "It gets a signed POST, after Standard Webhooks.", "按 Standard Webhooks 规范发送带签名的 POST 请求。";
        events = "What it is told", "通知内容";
        published = "An article became public", "文章已公开";
        updated = "A public article changed", "公开文章已更新";
        unpublished = "An article left the site", "文章已撤下";
        test_message = "Test message", "测试消息";
        ladder = "Sent again after", "重试间隔";
        ladder_hint = "Waits after a failure, like 5s, 5m, 30m, 2h.", "失败后的等待时间，如 5s, 5m, 30m, 2h。";
        doubt = "When an answer is lost", "未收到应答时";
        doubt_retry = "Send it again, with the same id", "以相同编号重新发送";
        doubt_hold = "Ask a person", "交由人工确认";
        concurrency = "At once", "并发数";
        save = "Save", "保存";
        saved = "Saved.", "已保存。";
        webhook = "Webhook", "Webhook";
        mail = "Mail", "邮件";
        sms = "SMS", "短信";
        amqp = "AMQP", "AMQP";
        added = "Added. Send a test message to see whether it works.", "已添加。可发送测试消息，看看是否正常。";
        server = "Mail server", "邮件服务器";
        server_hint = "Its name, like mail.example.org.", "服务器名称，如 mail.example.org。";
        port = "Port", "端口";
        security = "Encryption", "加密方式";
        starttls = "STARTTLS", "STARTTLS";
        tls = "TLS", "TLS";
        open_line = "None", "不加密";
        security_hint = "Usually STARTTLS on port 587, TLS on 465. None: only inside a private network.", "通常 587 端口用 STARTTLS，465 端口用 TLS。不加密仅限私有网络。";
        user = "User", "用户名";
        user_hint = "Empty: without a log-in.", "留空表示不登录。";
        password = "Password", "密码";
        secret_kept = "Kept sealed, never shown. Empty: the present one stays.", "已加密保存，不会再显示。留空则保持不变。";
        secret_new = "Kept sealed, never shown again.", "加密保存，不会再显示。";
        from = "From", "发件人";
        from_hint = "The address that mails come from.", "发件邮箱地址。";
        recipients = "Recipients", "收件人";
        mail_to_hint = "E-mail addresses, one a line, at most 50. They do not see each other.", "每行一个邮箱，最多 50 个，收件人互不可见。";
        sms_to_hint = "Numbers like +49301234567, one a line, at most 50.", "每行一个号码，如 +8613800000000，最多 50 个。";
        language = "Language of the messages", "消息语言";
        english = "English", "English";
        chinese = "中文", "中文";
        gateway = "Gateway", "短信网关";
        gateway_hint = "It gets one POST a message, for all numbers together.", "每条消息发送一个 POST 请求，包含所有号码。";
        format = "It reads", "请求格式";
        format_json = "JSON", "JSON";
        format_form = "Form fields", "表单字段";
        template = "Text of the request", "请求内容";
        template_hint = "Filled in and escaped: {to} (numbers with commas), {numbers} (a JSON list, without quotes), {text}, {id}, {event}.", "会填入并转义：{to}（逗号分隔的号码）、{numbers}（JSON 列表，不加引号）、{text}、{id}、{event}。";
        header = "Secret header", "密钥请求头";
        header_hint = "Its name, like Authorization. Empty: none.", "请求头名称，如 Authorization。留空表示没有。";
        broker_hint = "The broker, like amqps://mq.example.org/desk; without a path the virtual host is /.", "消息服务器，如 amqps://mq.example.org/desk；不写路径则虚拟主机为 /。";
        exchange = "Exchange", "交换机";
        exchange_hint = "It must be there. Empty: the key names a queue.", "须已存在。留空则路由键即队列名。";
        routing_key = "Routing key", "路由键";
        routing_key_hint = "{kind} becomes what happened, like article.published.", "{kind} 会替换为事件，如 article.published。";
        header_secret = "Its value", "请求头的值";
        active = "Active", "启用";
        paused = "Paused", "已暂停";
        off = "Switched off", "已停用";
        off_hint = "The other side answered that it is gone for good (410). Resume to try again.", "对方表示已永久停用（410）。恢复后可再次尝试。";
        resting(time: String) = "Too much failed in a row, or the other side asked for a rest: nothing is sent for {time}.", "连续失败过多，或对方要求暂缓：{time}内不会发送。";
        failing_now = "Failing", "发送失败";
        failing(n: u64) = "Failing: {n} not delivered", "发送失败：{n} 条未送达";
        last_answer(answer: String) = "last answer {answer}", "最近的应答：{answer}";
        fine = "Doing well", "运行正常";
        none_arrived = "Nothing has arrived yet", "尚未送达任何消息";
        untried = "Nothing sent yet", "尚未发送";
        health = "Health", "状况";
        succeeded = "Last arrived", "最近送达";
        failed_at = "Last failed", "最近失败";
        waiting = "Waiting", "等待中";
        needing = "Need a person", "待处理";
        never = "never", "从未";
        open = "Open", "打开";
        test = "Test now", "立即测试";
        tested = "A test message is on its way. It stands in the log below.", "测试消息正在发送，见下方记录。";
        pause = "Pause", "暂停";
        resume = "Resume", "恢复";
        send_now = "Send now", "立即发送";
        was_paused = "Paused. What is to be sent waits.", "已暂停，待发内容会等待。";
        was_resumed = "It sends again. What waits is tried at once.", "已恢复发送，等待中的消息会立即重试。";
        rotate = "Replace the secret", "更换密钥";
        rotate_hint = "The present secret goes on signing for 24 hours beside the new one.", "当前密钥与新密钥将同时签名 24 小时。";
        rotating(time: String) = "The former secret signs too for {time}.", "旧密钥还会继续签名 {time}。";
        secret_ready(name: String) = "The secret of “{name}”. It is shown only now; give it to the other side.", "“{name}”的密钥。仅显示这一次，请交给对方。";
        delete = "Delete the channel", "删除渠道";
        delete_hint = "What waits for it is called off; the log stays.", "等待中的投递会取消，记录保留。";
        deleted = "The channel is gone.", "渠道已删除。";
        settings = "Settings", "设置";
        log = "Log", "记录";
        log_empty = "Nothing has been sent yet.", "尚未发送任何内容。";
        log_empty_hint = "Send a test message, or wait for the next publication.", "可发送测试消息，或等待下一次发布。";
        message = "Message", "消息";
        stands = "State", "状态";
        attempts = "Attempts", "尝试";
        when = "When", "时间";
        actions = "Actions", "操作";
        look = "Message and attempts", "消息与尝试";
        no_attempts = "Not tried yet.", "尚未尝试。";
        number = "No.", "序号";
        took = "Took", "耗时";
        ended = "How it ended", "结果";
        answer = "Answer", "应答";
        running = "on its way", "进行中";
        next_try = "next try", "下次尝试";
        pending = "Waiting", "等待中";
        sending = "Sending", "发送中";
        delivered = "Delivered", "已送达";
        failed = "Failed", "失败";
        unconfirmed = "Unconfirmed", "未确认";
        cancelled = "Called off", "已取消";
        held = "Held", "已搁置";
        refused = "refused", "被拒绝";
        unreachable = "not reached", "无法连接";
        blocked = "not allowed", "不允许的地址";
        unknown = "no answer: it may have arrived", "无应答：可能已送达";
        not_sent = "not sent", "未发送";
        arrived_word = "arrived", "已送达";
        resend = "Send again", "重新发送";
        arrived = "It arrived", "已确认送达";
        drop = "Let it be", "不再处理";
        act_of(what: String, about: String) = "{what}: {about}", "{what}：{about}";
        deliveries = "Deliveries", "投递";
        deliveries_failed = "Messages that did not arrive", "未送达的消息";
        deliveries_unconfirmed = "Messages that may have arrived: the answer was lost", "可能已送达的消息：未收到应答";
        ask_admin = "An admin can send it again or let it be.", "管理员可以重新发送或放弃。";
        to(channel: String) = "to {channel}", "发往 {channel}";
        older = "Older", "更早";
    }
}

impl ChannelWords {
    /// Where a delivery stands.
    #[must_use]
    pub fn state(self, state: DeliveryState) -> &'static str {
        match state {
            DeliveryState::Pending => self.pending(),
            DeliveryState::Sending => self.sending(),
            DeliveryState::Delivered => self.delivered(),
            DeliveryState::Failed => self.failed(),
            DeliveryState::Unconfirmed => self.unconfirmed(),
            DeliveryState::Cancelled => self.cancelled(),
            DeliveryState::Held => self.held(),
        }
    }

    /// Whether a channel sends.
    #[must_use]
    pub fn channel_state(self, state: ChannelState) -> &'static str {
        match state {
            ChannelState::Active => self.active(),
            ChannelState::Paused => self.paused(),
            ChannelState::Off => self.off(),
        }
    }

    /// How an attempt ended.
    #[must_use]
    pub fn outcome(self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Delivered => self.arrived_word(),
            Outcome::Refused => self.refused(),
            Outcome::Unreachable => self.unreachable(),
            Outcome::Blocked => self.blocked(),
            Outcome::Unknown => self.unknown(),
            Outcome::NotSent => self.not_sent(),
        }
    }

    /// What a message tells.
    #[must_use]
    pub fn event(self, event: Happening) -> &'static str {
        match event {
            Happening::ArticlePublished => self.published(),
            Happening::ArticleUpdated => self.updated(),
            Happening::ArticleUnpublished => self.unpublished(),
            Happening::Test => self.test_message(),
        }
    }

    /// What happens when an answer is lost.
    #[must_use]
    pub fn doubt_of(self, doubt: Doubt) -> &'static str {
        match doubt {
            Doubt::Retry => self.doubt_retry(),
            Doubt::Hold => self.doubt_hold(),
        }
    }

    /// How a channel reaches the outside.
    #[must_use]
    pub fn way(self, way: Way) -> &'static str {
        match way {
            Way::Webhook => self.webhook(),
            Way::Mail => self.mail(),
            Way::Sms => self.sms(),
            Way::Amqp => self.amqp(),
        }
    }

    /// How the connection to a mail server is encrypted.
    #[must_use]
    pub fn security_of(self, security: Security) -> &'static str {
        match security {
            Security::StartTls => self.starttls(),
            Security::Tls => self.tls(),
            Security::Open => self.open_line(),
        }
    }

    /// What a gateway reads.
    #[must_use]
    pub fn format_of(self, format: SmsFormat) -> &'static str {
        match format {
            SmsFormat::Json => self.format_json(),
            SmsFormat::Form => self.format_form(),
        }
    }

    /// What a person may decide.
    #[must_use]
    pub fn resolve(self, resolve: Resolve) -> &'static str {
        match resolve {
            Resolve::Resend => self.resend(),
            Resolve::Arrived => self.arrived(),
            Resolve::Drop => self.drop(),
        }
    }
}
