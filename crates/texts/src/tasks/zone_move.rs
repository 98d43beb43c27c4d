//! How new time zone data changed a task. Compiled for the server only.

use crate::{
    Language, texts,
    time::{local_text, place},
};

texts! {
    /// How new time zone data changed a task.
    ZoneMoveTexts {
        moved(local: String, zone: &str, due: String, was: String) = "{local} in {zone} is now {due} UTC; it was {was} UTC.", "{zone} 的 {local} 现在是 {due}（UTC），原为 {was}（UTC）。";
        skipped(local: String, zone: &str, due: String, was: String) = "{local} no longer exists in {zone}: it runs after the clock change, {due} UTC; it was {was} UTC.", "{zone} 不再有 {local}：将在时钟调整后执行，即 {due}（UTC），原为 {was}（UTC）。";
        doubled(local: String, zone: &str, due: String, was: String) = "{local} now occurs twice in {zone}: {due} UTC is used; it was {was} UTC.", "{local} 在 {zone} 会出现两次：取 {due}（UTC），原为 {was}（UTC）。";
    }
}

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
