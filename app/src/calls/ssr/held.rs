//! What a database server that took over lacks, in words.

use crate::words::{held::HeldWords, language, number::grouped, time, verb};
use domain::{
    Moment, Timestamp,
    engine::{Gap, GapLine, Held},
};

/// So many lines of each node are named.
const NAMED: usize = 50;

/// What is missing, a sentence for each node, and each line of the log after it; for somebody in that zone.
pub fn lacks(held: Option<Held>, zone: &str, now: Timestamp) -> Vec<String> {
    let language = language();
    let moment = |at: Moment| time::moment(language, at, zone, now);
    let line = |line: &GapLine| {
        let (who, did) = (verb::actor(language, &line.actor), verb::verb(language, &line.verb));
        let id = line.id.to_string();
        format!("{}: {who} {did} ({} {})", moment(line.at), line.entity, &id[..8])
    };
    let of = |gap: Gap| {
        let named = gap.lines.len().min(NAMED);
        let (from, until) = (moment(gap.from), moment(gap.until));
        let told = HeldWords(language).told(gap.node, grouped(gap.lost), from, until, named);
        std::iter::once(told).chain(gap.lines.iter().take(NAMED).map(line)).collect::<Vec<_>>()
    };
    held.into_iter().flat_map(|held| held.gaps).flat_map(of).collect()
}
