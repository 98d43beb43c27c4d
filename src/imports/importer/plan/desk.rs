//! Articles that were changed at the desk, or are public or scheduled, when their file is imported again.

use crate::imports::importer::{file::File, problem::Problem, report::Report};
use domain::{Kind, State, Timestamp};
use store::import;

/// Describes how an article was changed at the desk; `None`: only imports changed it.
pub fn desk_change(known: &import::KnownArticle) -> Option<String> {
    if known.import_revision != Some(known.revision) {
        return Some("its text was changed at the desk; copy what is new in the file by hand".to_owned());
    }
    if known.tasks_of_people == 0 {
        return None;
    }
    let waiting = known.waiting_at.map(Timestamp::from_millis);
    let newest = known.newest.as_deref().unwrap_or_default();
    let is = |kind: Kind, state: State| newest == format!("{} {}", kind.as_str(), state.as_str());
    Some(match (waiting, known.published_at) {
        (Some(at), _) => format!("it was scheduled for {at} at the desk"),
        (None, Some(_)) => {
            "it was published at the desk, or its scheduled tasks were changed there".to_owned()
        }
        (None, None) if is(Kind::ArticleUnpublish, State::Executed) => {
            "it was unpublished at the desk".to_owned()
        }
        (None, None) if newest.ends_with(State::Cancelled.as_str()) => {
            "its schedule was cancelled at the desk".to_owned()
        }
        (None, None) => "its task was not executed; see Attention".to_owned(),
    })
}

/// Warning about a public article whose file differs.
pub const PUBLIC_TEXT_STAYS: &str = "its public text stays as it was; publish the new one at the desk";

/// Warns about a public article whose file differs.
pub fn warn_published(file: &File, is_same: bool, report: &mut Report) {
    let why = match &file.held {
        Some(held) => {
            let why = format!("it is public, but {}; unpublish it at the desk", held.why);
            Problem::at(held.line, why)
        }
        None if is_same => return,
        None => Problem::at(1, PUBLIC_TEXT_STAYS),
    };
    report.warn(&file.path, why);
}

/// Warns about a draft whose text is newer than the one of its file, which says when that becomes public.
pub fn warn_newer(file: &File, report: &mut Report) {
    if file.held.is_none() && file.date.is_some() {
        let why = "its current text is newer than the one of the file; publish or schedule it at the desk";
        report.warn(&file.path, Problem::at(0, why));
    }
}

/// Warns about an article scheduled by an earlier import whose file differs.
pub fn warn_scheduled(file: &File, at: Timestamp, is_same: bool, report: &mut Report) {
    if file.held.is_some() {
        report.warn(&file.path, Problem::at(1, format!("its schedule for {at} is cancelled")));
        return;
    }
    if file.date.is_some_and(|date| date.at != at) && !is_same {
        let why = format!("it stays scheduled for {at}; reschedule it at the desk");
        report.warn(&file.path, Problem::at(1, why));
    }
    if !is_same {
        let why = "its earlier text stays scheduled; replace the revision at the desk";
        report.warn(&file.path, Problem::at(1, why));
    }
}
