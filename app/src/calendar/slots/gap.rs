//! A publication has left its slot: offers to close the gap.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::{
    server_fns::{JsonOutput, Refused},
    tasks::list_page::bulk::{BULK_PATH, slot_change::CLOSE_GAP},
};
use domain::{Kind, TaskId, calendar::SlotGap, task::TaskRow};
use leptos::{prelude::*, task::spawn_local};
use texts::calendar::SlotTexts;

/// The slot that a task left with its last change, if others can move to it.
#[server(name = FindGap, prefix = "/fn", endpoint = "slot_gap", output = JsonOutput)]
pub async fn find_gap(id: TaskId) -> Result<Option<SlotGap>, Refused> {
    ssr::respond(async { ssr::services()?.slots.gap_after(&ssr::actor()?, id).await }.await)
}

/// Whether the last change of a task may have left a slot.
#[must_use]
pub fn may_leave_gap(row: &TaskRow) -> bool {
    let is_leaving = |verb: &str| matches!(verb, "cancel" | "reschedule" | "publish_now");
    row.kind == Kind::ArticlePublish && row.undo.as_ref().is_some_and(|undo| is_leaving(&undo.verb))
}

/// A link to the preview of closing the gap, once one is found.
#[component]
pub fn CloseGap(
    /// The task after its change.
    row: TaskRow,
    /// The gap if it is known already.
    known: Option<SlotGap>,
) -> impl IntoView {
    let gap = RwSignal::new(known);
    let (id, is_searched) = (row.id, known.is_none() && may_leave_gap(&row));
    Effect::new(move |_| {
        if is_searched {
            spawn_local(async move {
                if let Ok(Some(found)) = find_gap(id).await {
                    gap.try_set(Some(found));
                }
            });
        }
    });
    move || {
        gap.get().map(|gap| {
            let href = format!("{BULK_PATH}?change={CLOSE_GAP}&at={}", gap.at.at);
            view! { <a href=href>{SlotTexts::here().close_gap(gap.count)}</a> }
        })
    }
}
