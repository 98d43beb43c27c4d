//! Results of changes of files: the URL names what was done.

use crate::ui::result::ActionResult;
use texts::articles::media::MediaResultTexts;

/// Returns the result that the URL names; `None`: it is about something else.
#[must_use]
pub fn of_url(path: &str, done: &str) -> Option<ActionResult> {
    let texts = MediaResultTexts::here();
    if path != "/media" && !path.starts_with("/media/") {
        return None;
    }
    Some(ActionResult::new(match done {
        "uploaded" => texts.uploaded(),
        "alt" => texts.saved(),
        "replaced" => texts.replaced(),
        "put_back" => texts.put_back(),
        "deleted" => texts.deleted(),
        "quota" => texts.quota_set(),
        _ => return None,
    }))
}
