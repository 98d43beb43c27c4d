//! Why a mail to a person outside the desk may not be planned.

use crate::{Language, problem::task::shown, texts};
use domain::mail_limits::MailProblem;

texts! {
    /// Sentences.
    MailProblemTexts {
        hour_full(address: &str, limit: u32, at: &str) =
            "{address} gets at most {limit} mails within an hour from this desk, and the hour of {at} has as many. Choose another time.",
            "此工作台每小时最多向 {address} 发送 {limit} 封邮件，{at} 前后已满，请换个时间。";
        admins_only = "Only admins can set reminders for addresses outside the desk. Ask an admin.", "只有管理员可以为工作台以外的邮箱设置提醒，请联系管理员。";
    }
}

/// Returns the sentence of a problem.
#[must_use]
pub fn mail_problem(language: Language, problem: &MailProblem) -> String {
    let texts = MailProblemTexts(language);
    match problem {
        MailProblem::HourFull { address, limit, at } => {
            texts.hour_full(address, *limit, &shown(language, *at))
        }
        MailProblem::AdminsOnly => texts.admins_only().to_owned(),
    }
}
