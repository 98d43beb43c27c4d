//! The result of a change of many tasks: the URL of the list names it.

use super::{bulk_fns::UndoBatch, result_value::PREFIX};
use crate::tasks::list_page::bulk::bulk_texts::BulkTexts;
use crate::ui::result::{ActionResult, Undo, UndoForm};
use server_fn::ServerFn;
use texts::sentences;

/// Returns the result that a value of the URL names; `None`: it is about something else.
#[must_use]
pub fn of_value(value: &str) -> Option<ActionResult> {
    let texts = BulkTexts::here();
    let parts: Vec<&str> = value.strip_prefix(PREFIX)?.split('.').collect();
    let [what, batch, changed, left] = parts[..] else { return None };
    let (changed, left): (u64, u64) = (changed.parse().ok()?, left.parse().ok()?);
    let is_zone = matches!(what, "zone" | "zone_undone");
    let sentence = match (what, changed) {
        ("zone", 0) => texts.zone_changed().to_owned(),
        ("zone", changed) => sentences(texts.zone_changed(), &texts.wall_clock_kept(changed)),
        ("zone_undone", 0) => texts.zone_undone().to_owned(),
        ("zone_undone", changed) => sentences(texts.zone_undone(), &texts.undone(changed)),
        ("undone", 0) => texts.none_undone().to_owned(),
        ("undone", changed) => texts.undone(changed),
        (_, 0) => texts.none_changed().to_owned(),
        ("moved", changed) => texts.moved(changed),
        (_, changed) => texts.changed(changed),
    };
    let sentence = if left > 0 { sentences(&sentence, &texts.left(left)) } else { sentence };
    let result =
        ActionResult { is_warning: left > 0 || (changed == 0 && !is_zone), ..ActionResult::new(sentence) };
    let is_id = !batch.is_empty() && batch.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    Some(match is_id {
        true => result.with_undo(Undo::Form(UndoForm {
            function: UndoBatch::PATH,
            fields: vec![("id", batch.to_owned())],
            label: texts.undo(),
        })),
        false => result,
    })
}
