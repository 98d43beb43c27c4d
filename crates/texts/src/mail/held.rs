//! Mails that are not sent now.

use crate::texts;

texts! {
    /// How an account is notified of its held mails.
    HeldMailWords {
        account(count: i64) = "{count} of your mails are waiting: your account has reached its daily limit of mails to addresses outside the desk. They are sent when the limit allows.", "你有 {count} 封邮件等待发送：你的账号今天发往外部邮箱的邮件已达上限，额度恢复后会自动发送。";
        address(count: i64, address: &str) = "{count} of your mails are waiting: {address} or others have reached the limit of mails in an hour. They are sent when the limit allows.", "你有 {count} 封邮件等待发送：{address} 等邮箱一小时内收到的邮件已达上限，额度恢复后会自动发送。";
        desk(count: i64) = "{count} of your mails are waiting: the desk has reached its limit of mails in a minute. They are sent when the limit allows.", "你有 {count} 封邮件等待发送：工作台一分钟内发送的邮件已达上限，额度恢复后会自动发送。";
        blocked(count: i64, address: &str) = "{count} of your mails were not sent: {address} is blocked and gets no mail from this desk.", "你有 {count} 封邮件未发送：{address} 不接收此工作台的邮件，已被其所有者或管理员屏蔽。";
    }
}
