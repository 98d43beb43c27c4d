//! Why messages are held, in words.

use crate::words::{held::HeldWords, number::grouped, time, verb};
use domain::{
    Actor, Moment, Timestamp,
    engine::{Gap, GapLine, Held},
};

/// So many lines of each node are named.
const NAMED: usize = 20;

/// Why; and of each node how much is missing and, line by line, what, for who asks.
pub fn why_held(held: Held, actor: &Actor, now: Timestamp) -> String {
    let (words, language) = (HeldWords(actor.language), actor.language);
    let moment = |at: Moment| time::moment(language, at, &actor.zone, now);
    let line = |line: &GapLine| {
        let (who, did) = (verb::actor(language, &line.actor), verb::verb(language, &line.verb));
        let id = line.id.to_string();
        format!("{} · {who} {did} · {} {}", moment(line.at), line.entity, &id[..8])
    };
    let of_node = |gap: Gap| {
        let count = grouped(gap.lost);
        let count = if gap.is_more { words.at_least(count) } else { count };
        let named = gap.lines.iter().take(NAMED);
        let rest = gap.lost.saturating_sub(u64::try_from(named.len()).unwrap_or(u64::MAX));
        let mut lines = vec![words.told(gap.node, count, moment(gap.from), moment(gap.until))];
        lines.extend(named.map(line));
        lines.extend((rest > 0).then(|| words.rest(grouped(rest))));
        lines.join("\n")
    };
    let why = if held.gaps.is_empty() { words.copy() } else { words.gap() };
    let parts: Vec<String> =
        std::iter::once(why.to_owned()).chain(held.gaps.into_iter().map(of_node)).collect();
    parts.join("\n\n")
}
