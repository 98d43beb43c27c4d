//! Texts of channels and deliveries.

pub mod held_mail;
pub mod hold;
pub mod mail_server;
pub mod posts;
pub mod sending;

use crate::texts;
use domain::{
    channel::{
        ChannelCondition, ChannelEvent, ChannelState, MailSecurity, OnUnknownOutcome, SmsFormat, Transport,
    },
    delivery::{Answer, DeliveryDecision, DeliveryState, NoResponse, Outcome},
};

/// Maximum number of characters quoted from a response.
const MAX_QUOTED_CHARS: usize = 160;

texts! {
    /// Texts of channels and deliveries.
    ChannelTexts {
        title = "Channels", "渠道";
        lead = "Send messages to other systems and people when articles change, and publish articles on other sites too.", "文章有变化时，向其他系统和人员发送消息，并将文章同时发布到其他网站。";
        none = "No channels yet.", "还没有渠道。";
        none_hint = "Add one below to be notified of each publication.", "在下方添加渠道，即可在每次发布时发出通知。";
        add_title = "Add a channel", "添加渠道";
        transport = "Transport", "发送方式";
        add = "Add", "添加";
        name = "Name", "名称";
        url = "URL", "网址";
        url_hint = "Receives signed JSON by POST (Standard Webhooks).", "以 POST 接收带签名的 JSON（Standard Webhooks 规范）。";
        events = "Events", "事件";
        events_hint = "Without any, the channel gets only messages, notices and what rules send through it.", "一项都不选时，此渠道只收到消息、通知以及规则经由它发送的内容。";
        no_events = "None: only messages, notices and what rules send", "无：只有消息、通知以及规则发送的内容";
        published = "Article published", "文章已发布";
        updated = "Article updated", "文章已更新";
        unpublished = "Article unpublished", "文章已撤下";
        meeting_requested = "Room requested for a meeting", "为会议申请会议室";
        meeting_confirmed = "Meeting confirmed", "会议已确认";
        meeting_changed = "Meeting changed", "会议已更改";
        meeting_started = "Meeting started", "会议已开始";
        meeting_ended = "Meeting ended", "会议已结束";
        meeting_cancelled = "Meeting cancelled or expired", "会议已取消或过期";
        article_submitted = "Article submitted for review", "文章已提交审核";
        article_approved = "Article approved", "文章已批准";
        article_sent_back = "Article sent back", "文章已退回";
        article_held = "Article not published, held by the review", "文章未发布，被审核搁置";
        article_released = "Held article published after its approval", "搁置的文章获批后发布";
        approval_expired = "Not approved in time", "未在期限内批准";
        task_failed = "Task failed", "任务失败";
        task_missed = "Task missed", "任务已错过";
        post_prepared = "Draft on the other site", "在该网站上的草稿";
        post_seen = "Read as a reader", "以读者身份查看";
        test_message = "Test message", "测试消息";
        message = "Message", "消息";
        retry_schedule = "Retry schedule", "重试间隔";
        retry_schedule_hint = "Delays after each failure, for example 5s, 5m, 30m, 2h.", "每次失败后的等待时间，如 5s, 5m, 30m, 2h。";
        unknown_outcome = "If there is no response", "没有响应时";
        unknown_outcome_retry = "Send again, with the same id", "以相同编号重新发送";
        unknown_outcome_hold = "Hold for an admin", "搁置，由管理员确认";
        concurrency = "Concurrency", "并发数";
        save = "Save", "保存";
        saved = "Saved.", "已保存。";
        webhook = "Webhook", "Webhook";
        mail = "Mail", "邮件";
        sms = "SMS", "短信";
        amqp = "AMQP", "AMQP";
        wordpress = "WordPress", "WordPress";
        ghost = "Ghost", "Ghost";
        added = "Channel added. Send a test message to check it.", "已添加。请发送测试消息，检查是否正常。";
        server = "Mail server", "邮件服务器";
        server_hint = "For example mail.example.org.", "如 mail.example.org。";
        port = "Port", "端口";
        security = "Encryption", "加密方式";
        starttls = "STARTTLS", "STARTTLS";
        tls = "TLS", "TLS";
        no_encryption = "None", "不加密";
        security_hint = "Usually STARTTLS on port 587 or TLS on 465. None: only inside a private network.", "通常 587 端口用 STARTTLS，465 端口用 TLS。不加密仅限私有网络。";
        user = "Username", "用户名";
        user_hint = "Leave empty for no authentication.", "留空表示不登录。";
        password = "Password", "密码";
        secret_kept = "Stored encrypted and never shown. Leave empty to keep the current one.", "已加密保存，不会再显示。留空则保持不变。";
        secret_new = "Stored encrypted and never shown again.", "加密保存，不会再显示。";
        from = "From", "发件人";
        from_hint = "Sender address of the mails.", "发件邮箱地址。";
        recipients = "Recipients", "收件人";
        mail_to_hint = "E-mail addresses, one per line, at most 50. Recipients do not see each other.", "每行一个邮箱，最多 50 个，收件人互不可见。";
        sms_to_hint = "Numbers like +49301234567, one per line, at most 50.", "每行一个号码，如 +8613800000000，最多 50 个。";
        language = "Language of the messages", "消息语言";
        english = "English", "English";
        chinese = "中文", "中文";
        gateway = "Gateway URL", "短信网关网址";
        gateway_hint = "Receives one POST per message, for all numbers.", "每条消息发送一个 POST 请求，包含所有号码。";
        format = "Request format", "请求格式";
        format_json = "JSON", "JSON";
        format_form = "Form fields", "表单字段";
        template = "Request body", "请求正文";
        template_hint = "Replaced and escaped: {to} (numbers with commas), {numbers} (a JSON list, without quotes), {text}, {id}, {event}.", "会替换并转义：{to}（逗号分隔的号码）、{numbers}（JSON 列表，不加引号）、{text}、{id}、{event}。";
        header = "Secret header", "密钥请求头";
        header_hint = "Header name, for example Authorization. Leave empty for none.", "请求头名称，如 Authorization。留空表示没有。";
        broker_hint = "For example amqps://mq.example.org/desk. Without a path, the virtual host is /.", "如 amqps://mq.example.org/desk；不写路径则虚拟主机为 /。";
        exchange = "Exchange", "交换机";
        exchange_hint = "It must exist. If empty, the routing key is the queue name.", "须已存在。留空则路由键即队列名。";
        routing_key = "Routing key", "路由键";
        routing_key_hint = "{kind} is replaced by the event, for example article.published.", "{kind} 会替换为事件，如 article.published。";
        header_secret = "Header value", "请求头的值";
        active = "Active", "已启用";
        paused = "Paused", "已暂停";
        disabled = "Disabled", "已停用";
        paused_by = "Paused by an admin", "已由管理员暂停";
        paused_by_you = "Paused by you", "已由你暂停";
        switched_off = "Switched off by the receiver (410)", "已被接收方停用（410）";
        nothing_delivered = "Nothing delivered yet", "尚未送达任何消息";
        in_a_row(n: u64) = "{n} in a row", "连续 {n} 次";
        retried(n: u64) = "{n} being retried", "{n} 条正在重试";
        undelivered(n: u64) = "{n} not delivered", "{n} 条未送达";
        quoted(text: String) = "“{text}”", "“{text}”";
        server_error(status: u16) = "server error {status}", "服务器错误 {status}";
        rejected_with(status: u16) = "rejected ({status})", "被拒绝（{status}）";
        folded(n: String, what: String) = "{n} × {what}", "{n} × {what}";
        notified(delivered: u64, total: u64) = "{delivered} of {total} channels notified", "已通知 {delivered}/{total} 个渠道";
        disabled_hint = "The receiver answered that it no longer exists (410). Resume to try again.", "接收方表示已不存在（410）。恢复后可再次尝试。";
        breaker_open(time: String) = "Paused after repeated failures, or at the receiver's request: nothing is sent for {time}.", "因连续失败或接收方要求而暂停：{time}内不会发送。";
        failing_now = "Failing", "发送失败";
        delivering = "Delivering", "发送正常";
        all_held_result = "All messages are held until an admin confirms on the engine page.", "所有消息已搁置，等待管理员在引擎页面确认。";
        all_held_link = "Engine", "引擎";
        held_now = "held", "已搁置";
        never_used = "Never used", "尚未使用";
        health = "Health", "状况";
        last_delivered = "Last delivered", "最近送达";
        last_failed = "Last failed", "最近失败";
        waiting = "Waiting", "等待中";
        needs_attention = "Need attention", "待处理";
        never = "never", "从未";
        test = "Send test message", "发送测试消息";
        tested = "A test message was created. The log below shows whether it arrives.", "已创建测试消息，是否送达见下方记录。";
        test_arrived = "The test message arrived.", "测试消息已送达。";
        test_failed(why: String) = "The test message did not arrive. {why}", "测试消息未送达。{why}";
        test_unconfirmed = "It is unknown whether the test message arrived: no response confirmed it.", "测试消息是否送达未知：没有收到确认。";
        pause = "Pause", "暂停";
        resume = "Resume", "恢复";
        send_now = "Retry now", "立即重试";
        was_paused = "Paused. Messages wait until you resume the channel.", "已暂停。恢复之前消息会等待。";
        was_resumed = "Resumed. Waiting messages are sent now.", "已恢复，等待中的消息正在发送。";
        rotate = "Replace secret", "更换密钥";
        rotate_hint = "The current secret stays valid beside the new one for 24 hours.", "当前密钥与新密钥将同时有效 24 小时。";
        rotating(time: String) = "The previous secret stays valid for {time}.", "旧密钥还会继续有效 {time}。";
        secret_ready(name: String) = "Secret of “{name}”. It is shown only once: copy it to the receiver.", "“{name}”的密钥。仅显示一次，请交给接收方。";
        delete = "Delete channel", "删除渠道";
        delete_hint = "Waiting messages are cancelled; the log is kept.", "等待中的消息会取消，记录保留。";
        deleted = "Channel deleted.", "渠道已删除。";
        deletion_begun = "The channel is being deleted: its waiting messages are being cancelled.", "正在删除渠道：等待中的消息正在取消。";
        deleting = "Being deleted", "正在删除";
        deleting_progress(remaining: String, total: String) = "{remaining} of {total} messages still to cancel", "还有 {remaining} 条消息待取消（共 {total} 条）";
        deleting_hint = "This channel is being deleted. It takes no new messages, and its waiting messages are being cancelled.", "此渠道正在删除：不再接收新消息，等待中的消息正在取消。";
        settings = "Settings", "设置";
        parts = "Parts of this page", "本页内容";
        log = "Log", "记录";
        log_empty = "Nothing has been sent yet.", "尚未发送任何内容。";
        log_empty_hint = "Send a test message, or wait for the next publication.", "可发送测试消息，或等待下一次发布。";
        log_none = "No messages in this state.", "没有处于该状态的消息。";
        log_none_hint = "Choose another tab.", "请选择其他标签。";
        status = "Status", "状态";
        attempts = "Attempts", "尝试次数";
        when = "When", "时间";
        details = "Details", "详情";
        no_attempts = "Not tried yet.", "尚未尝试。";
        number = "No.", "序号";
        duration = "Duration", "耗时";
        result = "Result", "结果";
        response = "Response", "响应";
        in_flight = "in flight", "进行中";
        next_try = "next try", "下次尝试";
        pending = "Waiting", "等待中";
        sending = "Sending", "发送中";
        delivered = "Delivered", "已送达";
        failed = "Failed", "失败";
        unconfirmed = "Unconfirmed", "未确认";
        cancelled = "Cancelled", "已取消";
        held = "Held", "已搁置";
        rejected = "rejected", "被拒绝";
        unreachable = "unreachable", "无法连接";
        blocked = "address not allowed", "地址不允许";
        unknown = "no response: it may have arrived", "无响应：可能已送达";
        not_sent = "not sent", "未发送";
        no_connection = "no connection", "无法建立连接";
        no_answer = "no answer in time", "未及时响应";
        cut_off = "cut off before an answer", "响应之前连接中断";
        no_answer_to_text = "no answer to the text in time", "正文发送后未及时响应";
        cut_off_after_text = "cut off before an answer to the text", "正文发送后、响应之前连接中断";
        no_confirm = "no confirmation in time", "消息代理未及时确认";
        cut_off_before_confirm = "cut off before the broker confirmed", "消息代理确认之前连接中断";
        was_delivered = "delivered", "已送达";
        resend = "Resend", "重新发送";
        mark_delivered = "Mark as delivered", "标记为已送达";
        dismiss = "Dismiss", "忽略";
        act_of(what: String, about: String) = "{what}: {about}", "{what}：{about}";
        deliveries = "Deliveries", "消息投递";
        to(channel: String) = "to {channel}", "发往“{channel}”";
    }
}

impl ChannelTexts {
    /// State of a delivery.
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

    /// State of a channel.
    #[must_use]
    pub fn channel_state(self, state: ChannelState) -> &'static str {
        match state {
            ChannelState::Active => self.active(),
            ChannelState::Paused => self.paused(),
            ChannelState::Off => self.disabled(),
            ChannelState::Deleting => self.deleting(),
        }
    }

    /// What a channel does.
    #[must_use]
    pub fn condition(self, condition: ChannelCondition) -> &'static str {
        match condition {
            ChannelCondition::Delivering => self.delivering(),
            ChannelCondition::Failing => self.failing_now(),
            ChannelCondition::Paused => self.paused_by(),
            ChannelCondition::SwitchedOff => self.switched_off(),
            ChannelCondition::Deleting => self.deleting(),
            ChannelCondition::NeverUsed => self.never_used(),
            ChannelCondition::NothingDelivered => self.nothing_delivered(),
        }
    }

    /// Result of an attempt, with the response.
    #[must_use]
    pub fn result_of(self, outcome: Outcome, answer: &Answer) -> String {
        let result = match (outcome, answer.status) {
            (Outcome::Refused, Some(status @ 500..=511)) => self.server_error(status),
            (Outcome::Refused, Some(status)) => self.rejected_with(status),
            _ => self.outcome(outcome).to_owned(),
        };
        match self.answer_line(answer, MAX_QUOTED_CHARS).filter(|_| outcome != Outcome::Delivered) {
            Some(line) => format!("{result} {}", self.quoted(line)),
            None => result,
        }
    }

    /// Beginning of the response on one line, at most `max` characters, or why there was none.
    #[must_use]
    pub fn answer_line(self, answer: &Answer, max: usize) -> Option<String> {
        match answer.no_response() {
            Some(why) => Some(self.no_response(why).to_owned()),
            None => answer.line(max),
        }
    }

    /// Why an attempt got no response.
    #[must_use]
    pub fn no_response(self, why: NoResponse) -> &'static str {
        match why {
            NoResponse::NoConnection => self.no_connection(),
            NoResponse::NoAnswer => self.no_answer(),
            NoResponse::CutOff => self.cut_off(),
            NoResponse::NoAnswerToText => self.no_answer_to_text(),
            NoResponse::CutOffAfterText => self.cut_off_after_text(),
            NoResponse::NoConfirm => self.no_confirm(),
            NoResponse::CutOffBeforeConfirm => self.cut_off_before_confirm(),
        }
    }

    /// Outcome of an attempt.
    #[must_use]
    pub fn outcome(self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Delivered => self.was_delivered(),
            Outcome::Refused => self.rejected(),
            Outcome::Unreachable => self.unreachable(),
            Outcome::Blocked => self.blocked(),
            Outcome::Unknown => self.unknown(),
            Outcome::NotSent => self.not_sent(),
        }
    }

    /// Event that a message reports.
    #[must_use]
    pub fn event(self, event: ChannelEvent) -> &'static str {
        match event {
            ChannelEvent::ArticlePublished => self.published(),
            ChannelEvent::ArticleUpdated => self.updated(),
            ChannelEvent::ArticleUnpublished => self.unpublished(),
            ChannelEvent::MeetingRequested => self.meeting_requested(),
            ChannelEvent::MeetingConfirmed => self.meeting_confirmed(),
            ChannelEvent::MeetingChanged => self.meeting_changed(),
            ChannelEvent::MeetingStarted => self.meeting_started(),
            ChannelEvent::MeetingEnded => self.meeting_ended(),
            ChannelEvent::MeetingCancelled => self.meeting_cancelled(),
            ChannelEvent::ArticleSubmitted => self.article_submitted(),
            ChannelEvent::ArticleApproved => self.article_approved(),
            ChannelEvent::ArticleSentBack => self.article_sent_back(),
            ChannelEvent::ArticleHeld => self.article_held(),
            ChannelEvent::ArticleReleased => self.article_released(),
            ChannelEvent::ApprovalExpired => self.approval_expired(),
            ChannelEvent::TaskFailed => self.task_failed(),
            ChannelEvent::TaskMissed => self.task_missed(),
            ChannelEvent::PostPrepared => self.post_prepared(),
            ChannelEvent::PostSeen => self.post_seen(),
            ChannelEvent::Test => self.test_message(),
            ChannelEvent::Message => self.message(),
        }
    }

    /// What happens if the receiver does not respond.
    #[must_use]
    pub fn unknown_outcome_of(self, policy: OnUnknownOutcome) -> &'static str {
        match policy {
            OnUnknownOutcome::Retry => self.unknown_outcome_retry(),
            OnUnknownOutcome::Hold => self.unknown_outcome_hold(),
        }
    }

    /// Transport of a channel.
    #[must_use]
    pub fn transport_name(self, transport: Transport) -> &'static str {
        match transport {
            Transport::Webhook => self.webhook(),
            Transport::Mail => self.mail(),
            Transport::Sms => self.sms(),
            Transport::Amqp => self.amqp(),
            Transport::WordPress => self.wordpress(),
            Transport::Ghost => self.ghost(),
        }
    }

    /// Encryption of the connection to a mail server.
    #[must_use]
    pub fn security_of(self, security: MailSecurity) -> &'static str {
        match security {
            MailSecurity::StartTls => self.starttls(),
            MailSecurity::Tls => self.tls(),
            MailSecurity::Unencrypted => self.no_encryption(),
        }
    }

    /// Request format of an SMS gateway.
    #[must_use]
    pub fn format_of(self, format: SmsFormat) -> &'static str {
        match format {
            SmsFormat::Json => self.format_json(),
            SmsFormat::Form => self.format_form(),
        }
    }

    /// Action on a delivery.
    #[must_use]
    pub fn resolve(self, decision: DeliveryDecision) -> &'static str {
        match decision {
            DeliveryDecision::Resend => self.resend(),
            DeliveryDecision::Arrived => self.mark_delivered(),
            DeliveryDecision::Drop => self.dismiss(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::deliveries::*;

    #[test]
    fn the_reason_of_a_missing_response_is_translated_and_a_response_is_quoted() {
        let line = |status, text: &str| {
            let answer = Answer { status, text: Some(text.to_owned()) };
            ChannelTexts(Language::Zh).result_of(answer.failed_outcome(), &answer)
        };
        assert_eq!(line(None, "no connection"), "无法连接 “无法建立连接”");
        assert_eq!(line(None, "no answer in time"), "无响应：可能已送达 “未及时响应”");
        assert_eq!(line(Some(404), "no connection"), "被拒绝（404） “no connection”");
        let english = |why: &NoResponse| ChannelTexts(Language::En).no_response(*why);
        for why in NoResponse::ALL.iter().filter(|why| **why != NoResponse::NoConfirm) {
            assert_eq!(english(why), why.as_str());
        }
        assert_eq!(english(&NoResponse::NoConfirm), "no confirmation in time");
    }
}
