//! Reads the dashboard.

#[cfg(feature = "ssr")]
use crate::articles::form_paths::create_and_schedule;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{
    result_url::{schedule_path, with_changed},
    ssr,
};
#[cfg(feature = "ssr")]
use domain::{Actor, DomainError, Services, When, article::NewArticle, calendar::CalendarQuery};
use domain::{accounts::first_week::FirstWeek, calendar::CalendarDay, task::Dashboard};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Maximum number of items on the time line of the day.
#[cfg(feature = "ssr")]
const DAY_ITEMS: u32 = 100;

/// Number of days in the outlook.
#[cfg(feature = "ssr")]
const DAYS: u16 = 7;

/// Time until the first article of a desk goes out, in milliseconds: long enough to see it wait.
#[cfg(feature = "ssr")]
const FIRST_ARTICLE_AFTER_MS: i64 = 20_000;

/// What happens today and in the next days, and what waits for the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DayPlan {
    /// Today in the user's time zone, with hours and items.
    pub today: CalendarDay,
    /// Today and the six days after it, each with its first item.
    pub week: Vec<CalendarDay>,
    /// Minutes east of UTC of the desk during today; `None`: as in the user's time zone, or its clocks
    /// change today.
    pub desk_offset: Option<i32>,
    /// Number of drafts of the user, of an admin all; `None`: there are too many to count them.
    pub drafts: Option<u64>,
}

/// Everything that the dashboard shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// The next tasks and the last ones.
    pub tasks: Dashboard,
    /// Today and the next days.
    pub plan: DayPlan,
    /// The first steps on a new desk; `None`: the user is no admin.
    pub first_week: Option<FirstWeek>,
}

/// The dashboard. `is_own`: only what belongs to the user.
#[server(name = ReadDashboard, prefix = "/fn", endpoint = "dashboard", output = JsonOutput)]
pub async fn read_dashboard(#[server(default)] is_own: bool) -> Result<Board, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            Ok(Board {
                plan: plan(&services, &actor, is_own).await?,
                tasks: services.tasks.dashboard(&actor, is_own).await?,
                first_week: services.settings.first_week(&actor).await?,
            })
        }
        .await,
    )
}

/// Writes an article that is published in a few seconds, and returns to Today, which shows it going out.
#[server(name = PublishFirst, prefix = "/fn", endpoint = "publish_first", output = JsonOutput)]
pub async fn publish_first(title: String, body: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let due_at = services.engine.status().await.now.plus(FIRST_ARTICLE_AFTER_MS);
            let new = NewArticle { title, body: ssr::normalize_newlines(&body), ..NewArticle::default() };
            let (id, task) = create_and_schedule(&services, &actor, new, When::At { due_at }).await?;
            let path = task.map_or_else(|| schedule_path(id, "save", None), |task| with_changed("/", task));
            ssr::redirect(&path);
            Ok(())
        }
        .await,
    )
}

/// Closes the first steps.
#[server(name = CloseFirstWeek, prefix = "/fn", endpoint = "close_first_week", output = JsonOutput)]
pub async fn close_first_week(from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.settings.close_first_week(&ssr::actor()?).await?;
            ssr::redirect_back(&from);
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
async fn plan(services: &Services, actor: &Actor, is_own: bool) -> Result<DayPlan, DomainError> {
    let owner = is_own.then_some(actor.account);
    let days = |days, day_items, zone| {
        let day_items = Some(day_items);
        let is_attended = is_own;
        let query = CalendarQuery { days, day_items, zone, owner, is_attended, ..CalendarQuery::default() };
        services.calendar.page(actor, query)
    };
    let first = |days: Vec<CalendarDay>| days.into_iter().next().ok_or_else(|| DomainError::no_such("day"));
    let today = first(days(1, DAY_ITEMS, None).await?.days)?;
    let week = days(DAYS, 1, None).await?.days;
    let drafts = services.articles.counts(actor, !actor.is_admin()).await?.drafts;
    let desk_zone = services.settings.settings().await?.zone;
    let mut desk_offset = None;
    if desk_zone != actor.zone {
        let desk = first(days(1, 1, Some(desk_zone)).await?.days)?;
        let is_steady = desk.offset == desk.end_offset && desk.offset != today.offset;
        desk_offset = is_steady.then_some(desk.offset);
    }
    Ok(DayPlan { today, week, desk_offset, drafts })
}
