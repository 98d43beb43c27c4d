//! What newer time-zone data did to an item. Only the server says it.

use super::{Language, texts};

texts! {
    /// What newer time-zone data did to an item. Only the server says it.
    ZoneMoveWords {
        moved(local: String, zone: &str, due: String, was: String) = "{local} in {zone} is {due} UTC now; it was {was} UTC.", "{zone} 的 {local} 现在是 {due}（UTC），原为 {was}（UTC）。";
        skipped(local: String, zone: &str, due: String, was: String) = "{local} does not exist in {zone} any more: it goes out when the clocks have jumped, {due} UTC; it was {was} UTC.", "{zone} 不再有 {local}：将在时钟跳过后执行，即 {due}（UTC），原为 {was}（UTC）。";
        doubled(local: String, zone: &str, due: String, was: String) = "{local} happens twice in {zone}: {due} UTC is meant; it was {was} UTC.", "{local} 在 {zone} 会出现两次：取 {due}（UTC），原为 {was}（UTC）。";
    }
}

/// One item's sentence: `cause` is `moved`, `skipped` or `doubled`; instants as `2026-12-01 16:00`.
#[must_use]
pub fn sentence(
    language: Language,
    cause: &str,
    (local, zone): (&str, &str),
    [was, due]: [String; 2],
) -> String {
    let (words, local) = (ZoneMoveWords(language), local.replacen('T', " ", 1));
    match cause {
        "skipped" => words.skipped(local, zone, due, was),
        "doubled" => words.doubled(local, zone, due, was),
        _ => words.moved(local, zone, due, was),
    }
}
