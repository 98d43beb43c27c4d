//! Changes along the posting slots: close a gap, make room, insert an article.

use super::{
    bulk_fns::{BulkFields, SlotChange, SlotPreview},
    result_value,
};
use crate::server_fns::result_url::{with_changed, with_done};
use domain::{
    Actor, ArticleId, DomainError, Kind, Services, Timestamp,
    bulk_change::BulkOutcome,
    calendar::{NewSlotTask, SlotDirection, SlotPlace, SlotShift},
};

/// The page to which the result leads.
const CALENDAR: &str = "/calendar";

impl BulkFields {
    fn slot(&self) -> Result<Timestamp, DomainError> {
        self.at.parse().map_err(|_| DomainError::no_such("posting slot"))
    }

    fn inserted(&self) -> Result<ArticleId, DomainError> {
        self.article.parse().map_err(|_| DomainError::no_such("article"))
    }
}

impl SlotChange {
    const fn direction(self) -> SlotDirection {
        match self {
            Self::CloseGap => SlotDirection::Earlier,
            Self::MakeRoom | Self::Insert => SlotDirection::Later,
        }
    }
}

/// Says who would move where; `None`: it is no change of slots.
pub async fn preview(
    services: &Services,
    actor: &Actor,
    fields: &BulkFields,
) -> Result<Option<(BulkOutcome, SlotPreview)>, DomainError> {
    let Some(change) = fields.of_slots() else { return Ok(None) };
    let at = fields.slot()?;
    let article = match change {
        SlotChange::Insert => Some(services.articles.find(actor, fields.inserted()?).await?.row.title),
        SlotChange::CloseGap | SlotChange::MakeRoom => None,
    };
    let shift = SlotShift { at, direction: change.direction() };
    let outcome = services.slots.shift(actor, shift, true).await?;
    let at = services.tasks.resolve(actor, &at.into()).await?;
    Ok(Some((outcome, SlotPreview { at, article })))
}

/// Makes the change and returns the page with its result; `None`: it is no change of slots.
pub async fn run(
    services: &Services,
    actor: &Actor,
    fields: &BulkFields,
) -> Result<Option<String>, DomainError> {
    let Some(change) = fields.of_slots() else { return Ok(None) };
    let at = fields.slot()?;
    let outcome = match change {
        SlotChange::CloseGap | SlotChange::MakeRoom => {
            services.slots.shift(actor, SlotShift { at, direction: change.direction() }, false).await?
        }
        SlotChange::Insert => {
            let (target_id, place) = (fields.inserted()?.0, SlotPlace::Insert { at });
            let new = NewSlotTask { kind: Kind::ArticlePublish, target_id, priority: None, place };
            let done = services.slots.schedule_next(actor, new).await?;
            // Nothing else moved: the result is that of the task alone.
            if done.batch.is_none() {
                return Ok(Some(with_changed(CALENDAR, done.task.id)));
            }
            BulkOutcome { batch: done.batch, changed: done.moved + 1, ..BulkOutcome::default() }
        }
    };
    Ok(Some(with_done(CALENDAR, &result_value::value(&outcome))))
}
