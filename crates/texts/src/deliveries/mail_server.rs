//! Texts of the settings of the mail server.

use crate::texts;

texts! {
    /// Texts of the page.
    MailServerTexts {
        title = "Mail server", "邮件服务器";
        lead = "The SMTP server that sends invitations, and reminders by mail.", "用于发送邀请和邮件提醒的 SMTP 服务器。";
        none = "This desk has no mail server, so no mail is sent: reminders by mail fail and appear under “Needs you” on Today. Everything else works.", "此工作台没有邮件服务器，不会发送邮件：邮件提醒会失败，并列入“今天”的“需要你处理”。其他功能不受影响。";
        save = "Save", "保存";
        saved = "The mail server is saved. Send a test to check it.", "邮件服务器已保存。请发送测试邮件检查。";
        password_kept = "Leave empty to keep the stored password.", "留空则保留已存密码。";
        test_title = "Test", "测试";
        test_hint = "Sends a mail to your own address and shows what the server answers.", "向你自己的邮箱发送一封邮件，并显示服务器的应答。";
        test = "Send a test mail", "发送测试邮件";
        test_begun = "The test mail is being sent. Its result is below; load the page again if it is still waiting.", "测试邮件正在发送，结果见下方；如仍在等待，请重新加载页面。";
        remove_question = "Remove the mail server", "移除邮件服务器";
        remove_hint = "Waiting mails are cancelled, and later reminders by mail fail.", "等待中的邮件将被取消，之后发往邮箱的提醒会失败。";
        remove = "Remove", "移除";
        removed = "The mail server is removed.", "邮件服务器已移除。";
    }
}
