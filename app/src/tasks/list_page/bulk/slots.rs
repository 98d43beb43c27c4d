//! Changes along the posting slots: close a gap, make room, insert an article.

use super::{
    result_value,
    slot_change::{SlotChange, SlotPreview},
};
use crate::server_fns::result_url::{with_changed, with_done};
use domain::{
    Actor, ArticleId, DomainError, Kind, Services, Timestamp,
    bulk_change::BulkOutcome,
    calendar::{NewSlotTask, SlotDirection, SlotPlace, SlotShift},
};

/// The page to which the result leads.
const CALENDAR: &str = "/calendar";

/// A change, the slot as text, and the id of an article as text.
type Asked<'a> = (SlotChange, &'a str, &'a str);

fn slot(at: &str) -> Result<Timestamp, DomainError> {
    at.parse().map_err(|_| DomainError::no_such("posting slot"))
}

fn inserted(article: &str) -> Result<ArticleId, DomainError> {
    article.parse().map_err(|_| DomainError::no_such("article"))
}

const fn direction(change: SlotChange) -> SlotDirection {
    match change {
        SlotChange::CloseGap => SlotDirection::Earlier,
        SlotChange::MakeRoom | SlotChange::Insert => SlotDirection::Later,
    }
}

/// Says who would move where.
pub async fn preview(
    services: &Services,
    actor: &Actor,
    (change, at, article): Asked<'_>,
) -> Result<(BulkOutcome, SlotPreview), DomainError> {
    let at = slot(at)?;
    let article = match change {
        SlotChange::Insert => Some(services.articles.find(actor, inserted(article)?).await?.row.title),
        SlotChange::CloseGap | SlotChange::MakeRoom => None,
    };
    let shift = SlotShift { at, direction: direction(change) };
    let outcome = services.slots.shift(actor, shift, true).await?;
    let at = services.tasks.resolve(actor, &at.into()).await?;
    Ok((outcome, SlotPreview { at, article }))
}

/// Makes the change and returns the page with its result.
pub async fn run(
    services: &Services,
    actor: &Actor,
    (change, at, article): Asked<'_>,
) -> Result<String, DomainError> {
    let at = slot(at)?;
    let outcome = match change {
        SlotChange::CloseGap | SlotChange::MakeRoom => {
            services.slots.shift(actor, SlotShift { at, direction: direction(change) }, false).await?
        }
        SlotChange::Insert => {
            let (target_id, place) = (inserted(article)?.0, SlotPlace::Insert { at });
            let new =
                NewSlotTask { kind: Kind::ArticlePublish, target_id, priority: None, place, revision: None };
            let done = services.slots.schedule_next(actor, new).await?;
            // Nothing else moved: the result is that of the task alone.
            if done.batch.is_none() {
                return Ok(with_changed(CALENDAR, done.task.id));
            }
            BulkOutcome { batch: done.batch, changed: done.moved + 1, ..BulkOutcome::default() }
        }
    };
    Ok(with_done(CALENDAR, &result_value::value(&outcome, "")))
}
