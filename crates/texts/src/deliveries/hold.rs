//! Why messages are held.

use crate::{Language, event_verb, number::grouped, texts, time};
use domain::{
    Actor, LocalizedTime, Timestamp,
    engine::{DeliveryHold, LostEvent, LostWrites},
    text::slice_text,
};

/// Maximum number of lost events listed per node.
const MAX_LISTED_EVENTS: usize = 20;

texts! {
    /// Why messages are held.
    DeliveryHoldTexts {
        restored_or_copied = "This desk was restored from a backup or copied. If the original desk still runs, all messages would be sent twice. Articles are published as usual.", "此工作台来自备份或副本：如果原工作台仍在运行，所有消息都会发送两次。文章照常发布。";
        lost_writes = "A database server took over that lacks confirmed changes. Make these changes again; publications made then are repeated. Messages are held, because receivers may know more than this desk. Articles are published as usual. GET /api/v1/restore lists up to 1,000 changes per node.", "接管的数据库服务器缺少曾确认保存的更改。请重新操作；当时已发布的会再次发布。消息已搁置，因为接收方知道的可能比此工作台更多。文章照常发布。GET /api/v1/restore 可列出每个节点最多 1,000 项更改。";
        lost_by_node(node: String, count: String, from: String, until: String) = "{node} lost {count}, {from} – {until}", "{node} 缺少 {count} 项，{from} – {until}";
        at_least(count: String) = "at least {count}", "至少 {count}";
        rest(count: String) = "and {count} more", "另有 {count} 项";
    }
}

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
            Language::En => " ",
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
