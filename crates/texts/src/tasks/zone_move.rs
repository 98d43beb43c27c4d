//! How new time zone data changed a task. Compiled for the server only.

use crate::{
    Language,
    time::{local_text, place},
};

sets!(tasks: ZoneMoveTexts);

/// Sentence for one task. `cause` is `moved`, `skipped` or `doubled`; times look like `2026-12-01T16:00`.
#[must_use]
pub fn sentence(
    language: Language,
    cause: &str,
    (local, zone): (&str, &str),
    [was, due]: [String; 2],
) -> String {
    let (texts, place) = (ZoneMoveTexts(language), place(language, zone));
    let [local, due, was] = [local, due.as_str(), was.as_str()].map(|time| local_text(language, time));
    match cause {
        "skipped" => texts.skipped(local, &place, due, was),
        "doubled" => texts.doubled(local, &place, due, was),
        _ => texts.moved(local, &place, due, was),
    }
}
