//! `/slots`: posting slots.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, instant, word},
            numbers::required_integer,
        },
    },
    tasks::api::bulk_change::BulkOutcomeBody,
};
use axum::{Json, extract::State};
use domain::{
    Actor, DomainError, Timestamp, Version,
    calendar::{SlotDay, SlotDirection, SlotPlan, SlotSettings, SlotShift},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Number of free slots in a response.
const NEXT: u32 = 10;

/// The slots of one weekday.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotDayBody {
    /// Whether the day has no slots for now. Its times are kept.
    #[serde(default)]
    is_off: bool,
    /// Times, `HH:MM`; at most 24.
    times: Vec<String>,
}

/// The slots of the desk.
#[derive(Debug, Serialize, ToSchema)]
pub struct SlotsBody {
    /// Incremented by every change; send it back as `seen_version`. 0: never set.
    version: i32,
    /// IANA time zone of the times.
    zone: String,
    /// Seven weekdays, from Monday.
    days: Vec<SlotDayBody>,
    /// Dates without slots, `YYYY-MM-DD`.
    holidays: Vec<String>,
    /// The next ten free slots.
    #[schema(value_type = Vec<String>)]
    next_free: Vec<Timestamp>,
}

/// New slots.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotSettingsBody {
    /// `version` of the slots that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
    /// Time zone of the times: a name or a city.
    zone: String,
    /// Seven weekdays, from Monday.
    days: Vec<SlotDayBody>,
    /// Dates without slots, `YYYY-MM-DD`; at most 366.
    #[serde(default)]
    holidays: Vec<String>,
}

async fn body(web: &Web, actor: &Actor, plan: SlotPlan) -> Result<Json<SlotsBody>, ApiError> {
    let next = web.services.slots.next_free(actor, NEXT).await?;
    let days = plan.settings.days.into_iter();
    Ok(Json(SlotsBody {
        version: plan.version.0,
        zone: plan.settings.zone,
        days: days.map(|day| SlotDayBody { is_off: day.is_off, times: day.times }).collect(),
        holidays: plan.settings.holidays,
        next_free: next.into_iter().map(|slot| slot.at.at).collect(),
    }))
}

/// Returns the slots and the next free ones.
#[utoipa::path(get, path = "/slots", tag = "calendar", responses(
    (status = 200, description = "The slots", body = SlotsBody)))]
pub async fn show(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<SlotsBody>, ApiError> {
    let plan = web.services.slots.plan(&actor).await?;
    body(&web, &actor, plan).await
}

/// Changes the slots. What is scheduled keeps its time. Admins only.
#[utoipa::path(put, path = "/slots", tag = "calendar", request_body = SlotSettingsBody, responses(
    (status = 200, description = "The slots", body = SlotsBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "Changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn save(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<SlotSettingsBody>,
) -> Result<Json<SlotsBody>, ApiError> {
    let days = new.days.into_iter().map(|day| SlotDay { is_off: day.is_off, times: day.times });
    let settings = SlotSettings { zone: new.zone, days: days.collect(), holidays: new.holidays };
    let plan = web.services.slots.save(&actor, settings, Version(new.seen_version)).await?;
    body(&web, &actor, plan).await
}

/// Publications move by one slot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotShiftBody {
    /// A slot of the desk, RFC 3339: the gap to close, or where room is made.
    #[schema(format = DateTime)]
    at: String,
    /// `earlier` (closes the gap) or `later` (makes room).
    direction: String,
    /// Whether nothing is changed; the response says what would be.
    #[serde(default)]
    dry_run: bool,
}

impl TryFrom<SlotShiftBody> for SlotShift {
    type Error = DomainError;
    fn try_from(new: SlotShiftBody) -> Result<Self, DomainError> {
        Ok(Self {
            at: instant("at", &new.at)?,
            direction: word("direction", &new.direction, SlotDirection::NAMES)?,
        })
    }
}

/// Moves the publications in the slots from `at` on, up to the next free slot, by one slot: all, or none.
/// Those of others stay, and are listed as refused. At most 1,000.
#[utoipa::path(post, path = "/slots/shift", tag = "calendar", request_body = SlotShiftBody, responses(
    (status = 200, description = "What was moved, or would be", body = BulkOutcomeBody),
    (status = 403, description = "The slot belongs to a publication of another account", body = ErrorBody),
    (status = 404, description = "No such slot, or no free slot after it", body = ErrorBody),
    (status = 409, description = "The gap is taken, or a task was changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn shift(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<SlotShiftBody>,
) -> Result<Json<BulkOutcomeBody>, ApiError> {
    let is_dry_run = body.dry_run;
    Ok(Json(web.services.slots.shift(&actor, body.try_into()?, is_dry_run).await?.into()))
}
