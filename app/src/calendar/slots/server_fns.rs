//! Posting slots: the settings, and a task in the next free slot.

#[cfg(feature = "ssr")]
use crate::server_fns::result_url::schedule_path;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
use domain::{
    ArticleId, Kind,
    calendar::{FreeSlot, SlotPlan},
    task::TaskRow,
};
#[cfg(feature = "ssr")]
use domain::{
    DomainError, Version,
    calendar::{NewSlotTask, SlotDay, SlotPlace, SlotSettings, WEEKDAYS},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Number of free slots that the settings show.
#[cfg(feature = "ssr")]
const NEXT: u32 = 5;

/// The plan, and the next free slots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlotOverview {
    /// The plan.
    pub plan: SlotPlan,
    /// The next free slots, by time.
    pub next: Vec<FreeSlot>,
}

/// Reads the plan and the next free slots.
#[server(name = ReadSlots, prefix = "/fn", endpoint = "slots", output = JsonOutput)]
pub async fn read_slots() -> Result<SlotOverview, Refused> {
    ssr::respond(
        async {
            let (slots, actor) = (ssr::services()?.slots, ssr::actor()?);
            Ok(SlotOverview { plan: slots.plan(&actor).await?, next: slots.next_free(&actor, NEXT).await? })
        }
        .await,
    )
}

/// The times of the weekdays as they are typed, separated by blanks or commas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedSlots {
    /// Monday.
    #[serde(default)]
    pub day0: String,
    /// Tuesday.
    #[serde(default)]
    pub day1: String,
    /// Wednesday.
    #[serde(default)]
    pub day2: String,
    /// Thursday.
    #[serde(default)]
    pub day3: String,
    /// Friday.
    #[serde(default)]
    pub day4: String,
    /// Saturday.
    #[serde(default)]
    pub day5: String,
    /// Sunday.
    #[serde(default)]
    pub day6: String,
    /// `on` if Monday has no slots for now; the others are the same.
    #[serde(default)]
    pub off0: Option<String>,
    /// Tuesday.
    #[serde(default)]
    pub off1: Option<String>,
    /// Wednesday.
    #[serde(default)]
    pub off2: Option<String>,
    /// Thursday.
    #[serde(default)]
    pub off3: Option<String>,
    /// Friday.
    #[serde(default)]
    pub off4: Option<String>,
    /// Saturday.
    #[serde(default)]
    pub off5: Option<String>,
    /// Sunday.
    #[serde(default)]
    pub off6: Option<String>,
}

#[cfg(feature = "ssr")]
impl TypedSlots {
    fn days(self) -> [(String, Option<String>); WEEKDAYS] {
        [
            (self.day0, self.off0),
            (self.day1, self.off1),
            (self.day2, self.off2),
            (self.day3, self.off3),
            (self.day4, self.off4),
            (self.day5, self.off5),
            (self.day6, self.off6),
        ]
    }
}

/// Splits what was typed into a field of the plan.
#[must_use]
pub(super) fn words(typed: &str) -> Vec<String> {
    let parts = typed.split([' ', ',', ';', '\n', '\r', '\t', '，', '；', '、', '\u{3000}']);
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Changes the plan.
#[server(name = SaveSlots, prefix = "/fn", endpoint = "save_slots", output = JsonOutput)]
pub async fn save_slots(
    seen: i32,
    zone: String,
    #[server(flatten)] typed: TypedSlots,
    #[server(default)] holidays: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let days =
                typed.days().map(|(times, off)| SlotDay { is_off: off.is_some(), times: words(&times) });
            let settings = SlotSettings {
                zone: zone.trim().to_owned(),
                days: days.to_vec(),
                holidays: words(&holidays),
            };
            ssr::services()?.slots.save(&ssr::actor()?, settings, Version(seen)).await?;
            ssr::redirect(&with_done("/settings/slots", "save"));
            Ok(())
        }
        .await,
    )
}

/// Schedules an article in the next free slot; `share`: in the next one, and the user's publications in
/// the way move one slot on.
#[server(name = ScheduleNext, prefix = "/fn", endpoint = "schedule_next", output = JsonOutput)]
pub async fn schedule_next(
    article: ArticleId,
    kind: Kind,
    #[server(default)] share: bool,
    #[server(default)] revision: String,
) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let place = if share { SlotPlace::ShareNext } else { SlotPlace::Next };
            let revision = ssr::chosen(&revision)?;
            let new = NewSlotTask { kind, target_id: article.0, priority: None, place, revision };
            let task = match services.slots.schedule_next(&actor, new).await {
                // The same form was sent before.
                Err(DomainError::AlreadyScheduled { task }) if task.version == Version::FIRST => *task,
                other => other?.task,
            };
            ssr::redirect_back(&schedule_path(article, "schedule", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}
