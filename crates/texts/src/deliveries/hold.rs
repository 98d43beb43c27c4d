//! Why messages are held.

use crate::{Language, event_verb, number::grouped, time};
use domain::{
    Actor, LocalizedTime, Timestamp,
    engine::{DeliveryHold, LostEvent, LostWrites},
    text::slice_text,
};

/// Maximum number of lost events listed per node.
const MAX_LISTED_EVENTS: usize = 20;

sets!(deliveries: DeliveryHoldTexts);

/// Returns the reason, and for each node the number and the list of lost writes.
#[must_use]
pub fn describe_hold(hold: DeliveryHold, actor: &Actor, now: Timestamp) -> String {
    let (texts, language) = (DeliveryHoldTexts(actor.language), actor.language);
    let moment = |at: LocalizedTime| time::moment(language, at, &actor.zone, now);
    let line = |line: &LostEvent| {
        let (actor_name, verb) =
            (event_verb::actor(language, &line.actor), event_verb::verb(language, &line.verb));
        let id = line.id.to_string();
        let separator = match language {
            Language::En | Language::De => " ",
            Language::Zh => "：",
        };
        format!(
            "{} · {actor_name}{separator}{verb} · {} {}",
            moment(line.at),
            line.entity,
            slice_text(&id, ..8)
        )
    };
    let of_node = |gap: LostWrites| {
        let count = grouped(gap.lost);
        let count = if gap.is_truncated { texts.at_least(count) } else { count };
        let named = gap.events.iter().take(MAX_LISTED_EVENTS);
        let rest = gap.lost.saturating_sub(u64::try_from(named.len()).unwrap_or(u64::MAX));
        let mut lines = vec![texts.lost_by_node(gap.node, count, moment(gap.from), moment(gap.until))];
        lines.extend(named.map(line));
        lines.extend((rest > 0).then(|| texts.rest(grouped(rest))));
        lines.join("\n")
    };
    let why = if hold.lost_writes.is_empty() { texts.restored_or_copied() } else { texts.lost_writes() };
    let parts: Vec<String> =
        std::iter::once(why.to_owned()).chain(hold.lost_writes.into_iter().map(of_node)).collect();
    parts.join("\n\n")
}
