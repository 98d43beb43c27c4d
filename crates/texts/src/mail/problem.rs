//! Why a mail to a person outside the desk may not be planned.

use crate::{Language, problem::task::shown};
use domain::mail_limits::MailProblem;

sets!(mail: MailProblemTexts);

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
