//! Texts of the settings of the mail server.

use crate::texts;
use domain::channel::Endpoint;

texts! {
    /// Texts of the page.
    MailServerTexts {
        title = "Mail server", "邮件服务器";
        lead = "The SMTP server that sends invitations, reminders by mail, and the mails of channels without a server of their own.", "用于发送邀请、邮件提醒，以及没有自己服务器的渠道的邮件。";
        none = "This desk has no mail server, so no mail is sent: reminders by mail fail and appear under “Needs you” on Today. Everything else works.", "此工作台没有邮件服务器，不会发送邮件：邮件提醒会失败，并列入“今天”的“需要你处理”。其他功能不受影响。";
        save = "Save", "保存";
        saved = "The mail server is saved. Send a test to check it.", "邮件服务器已保存。请发送测试邮件检查。";
        test_title = "Test", "测试";
        test_hint = "Sends a mail to your own address and shows what the server answers.", "向你自己的邮箱发送一封邮件，并显示服务器的应答。";
        test_begun = "The test mail is being sent. Its result is below; load the page again if it is still waiting.", "测试邮件正在发送，结果见下方；如仍在等待，请重新加载页面。";
        remove_question = "Remove the mail server", "移除邮件服务器";
        remove_hint = "Waiting mails are cancelled, and later reminders by mail fail. Channels that use it send nothing.", "等待中的邮件将被取消，之后发往邮箱的提醒会失败。使用它的渠道不再发送邮件。";
        remove = "Remove", "移除";
        removed = "The mail server is removed.", "邮件服务器已移除。";
        sent_through = "Sent through", "发送途径";
        of_desk = "The mail server of the desk", "工作台的邮件服务器";
        another = "Another mail server", "其他邮件服务器";
        through(address: String, from: String) = "Mails go through {address}, from {from}.", "邮件经 {address} 发送，发件人为 {from}。";
        change = "Change the mail server", "更改邮件服务器";
        none_for_channel = "This desk has no mail server, so this channel sends nothing.", "此工作台没有邮件服务器，此渠道不会发送邮件。";
        set = "Set the mail server", "设置邮件服务器";
    }
}

impl MailServerTexts {
    /// Short form of the address of a channel, for lists.
    #[must_use]
    pub fn address(self, endpoint: &Endpoint) -> String {
        match endpoint {
            Endpoint::Mail(route) if route.uses_desk_server() => self.of_desk().to_owned(),
            other => other.address(),
        }
    }
}
