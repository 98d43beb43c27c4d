//! Texts about mails that a limit holds.

use crate::texts;
use domain::mail_limits::HeldReason;

texts! {
    /// How many mails wait, until when, and why.
    HeldMailTexts {
        one_waits(until: &str, why: &str) = "One mail waits until {until}: {why}.", "1 封邮件将等待至 {until}：{why}。";
        wait(count: usize, until: &str, why: &str) = "{count} mails wait until {until}: {why}.", "{count} 封邮件将等待至 {until}：{why}。";
        account = "the account that caused them has reached its daily limit of mails to outside addresses", "相关账号今天发往外部邮箱的邮件已达上限";
        address = "their addresses have reached the limit of mails in an hour", "这些邮箱一小时内收到的邮件已达上限";
        desk = "the desk has reached its limit of mails in a minute", "工作台一分钟内发送的邮件已达上限";
        recipients(addresses: &str) = "To {addresses}", "收件人：{addresses}";
        more(addresses: &str, rest: usize) = "{addresses} and {rest} more", "{addresses}等（另有 {rest} 个）";
    }
}

impl HeldMailTexts {
    /// What holds mails; `None`: no limit does.
    #[must_use]
    pub fn why(self, reason: HeldReason) -> Option<&'static str> {
        match reason {
            HeldReason::Account => Some(self.account()),
            HeldReason::Address => Some(self.address()),
            HeldReason::Desk => Some(self.desk()),
            HeldReason::Blocked => None,
        }
    }
}
