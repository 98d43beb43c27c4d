//! Texts of the page about mail to persons outside the desk.

use crate::texts;
use domain::mail_limits::HeldReason;

texts! {
    /// Texts of the page.
    OutsideMailTexts {
        title = "Mail to others", "对外邮件";
        lead = "Mail to addresses outside the desk has limits, so that it stays welcome. Held mails are sent as soon as the limits allow; cancellations and new times go first.", "对外部邮箱的邮件设有上限。超出上限的邮件会搁置，额度恢复后自动发送，取消和改期优先。";
        held = "Waiting mails", "等待发送的邮件";
        held_none = "No mail waits.", "没有等待发送的邮件。";
        held_until = "is sent", "发送于";
        never = "is not sent", "不会发送";
        by(name: String) = "by {name}", "由 {name}";
        of_account = "Its account has reached its daily limit of mails to outside addresses.", "该账号今天发往外部邮箱的邮件已达上限。";
        of_address = "The address has reached the limit of mails in an hour.", "该邮箱一小时内收到的邮件已达上限。";
        of_desk = "The desk has reached its limit of mails in a minute.", "工作台一分钟内发送的邮件已达上限。";
        of_blocked = "The address gets no mail from this desk: its owner or an admin has blocked it.", "该邮箱不接收此工作台的邮件：已被其所有者或管理员屏蔽。";
        limits = "Limits", "上限";
        account_per_day = "Mails of one account in 24 hours", "每个账号 24 小时内的邮件数";
        address_per_hour = "Mails to one address in an hour", "每个邮箱一小时内的邮件数";
        address_hint = "More mails for one address are refused.", "为同一邮箱安排更多邮件会被拒绝。";
        desk_per_minute = "Mails of the desk in a minute", "工作台一分钟内的邮件数";
        outside_reminders = "Who may set reminders for outside addresses", "谁可以为外部邮箱设置提醒";
        admins = "Admins", "管理员";
        everyone = "Everyone", "所有人";
        save = "Save", "保存";
        saved = "The limits are saved. Mails that waited are tried again now.", "上限已保存，等待的邮件会立即重试。";
        blocked = "Addresses without mail", "屏蔽的邮箱";
        blocked_hint = "No mail goes to these addresses. Their owners asked for it through the link in a mail, or an admin entered them.", "不会向这些邮箱发送邮件：其所有者通过邮件中的链接提出，或由管理员填写。";
        blocked_none = "Every address gets mail.", "没有屏蔽的邮箱。";
        address = "Address", "邮箱";
        block = "Block", "屏蔽";
        allow = "Allow again", "恢复";
        allow_of(address: String) = "Allow mail to {address} again", "恢复向 {address} 发送邮件";
        is_blocked = "The address is blocked.", "邮箱已屏蔽。";
        is_allowed = "The address gets mail again.", "邮箱已恢复。";
        own_wish = "asked for by its owner", "所有者提出";
        more = "Only the first addresses are listed. The API has all.", "仅列出部分邮箱，完整列表请使用 API。";
    }
}

impl OutsideMailTexts {
    /// Why a mail is not sent now.
    #[must_use]
    pub fn reason(self, reason: HeldReason) -> &'static str {
        match reason {
            HeldReason::Account => self.of_account(),
            HeldReason::Address => self.of_address(),
            HeldReason::Desk => self.of_desk(),
            HeldReason::Blocked => self.of_blocked(),
        }
    }
}
