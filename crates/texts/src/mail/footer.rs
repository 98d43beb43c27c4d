//! Why a person gets a mail, and how to get no more.

use crate::texts;

texts! {
    /// Lines below the text of a mail.
    MailFooterWords {
        invitation(name: &str, desk: &str) = "{name} sent you this through {desk}, because you are invited to this meeting.", "此邮件由 {name} 通过 {desk} 发送，因为你在此会议的受邀者之列。";
        reminder(name: &str, desk: &str) = "{name} set this reminder for your address at {desk}.", "{name} 在 {desk} 为你的邮箱设置了此提醒。";
        rule(name: &str, desk: &str) = "A rule of {name} at {desk} sent you this.", "此邮件由 {name} 在 {desk} 的规则发送。";
        message(name: &str, desk: &str) = "{name} sent you this through {desk}.", "此邮件由 {name} 通过 {desk} 发送。";
        notification(desk: &str) = "You get this because you have an account at {desk}.", "你收到此邮件，是因为你在 {desk} 有账号。";
        channel(channel: &str, desk: &str) = "You get this because an admin of {desk} entered your address in the channel “{channel}”.", "你收到此邮件，是因为 {desk} 的管理员在渠道“{channel}”中填写了你的邮箱。";
        stop = "No more mail from this desk:", "不再接收此工作台的邮件：";
    }
}

texts! {
    /// Texts of the page on which a person asks for no more mail.
    StopMailTexts {
        lang = "en", "zh";
        title = "No more mail", "不再接收邮件";
        question(address: &str, desk: &str) = "{desk} will send no more mail to {address}: no invitations, no changes of meetings, no reminders.", "{desk} 将不再向 {address} 发送邮件，包括邀请、会议更改和提醒。";
        stop = "Send me no more mail", "不再向我发送邮件";
        stopped(address: &str, desk: &str) = "{desk} sends no more mail to {address}. If you change your mind, ask the desk: only an admin can allow it again.", "{desk} 不再向 {address} 发送邮件。如需恢复，请联系工作台：只有管理员可以重新允许。";
        of_channel(desk: &str) = "{desk} will send no more mail to the address that you enter here.", "{desk} 将不再向你在此填写的邮箱发送邮件。";
        address = "Your address", "你的邮箱";
        stopped_of_channel(desk: &str) = "If this address is one of the recipients, {desk} sends no more mail to it.", "如果该邮箱在收件人之列，{desk} 将不再向其发送邮件。";
        unknown = "This link does not work. Open it exactly as it is in the mail.", "此链接无效。请使用邮件中的完整链接。";
    }
}
