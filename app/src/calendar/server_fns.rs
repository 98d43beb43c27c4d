//! Reads the calendar.

use super::request::CalendarRequest;
#[cfg(feature = "ssr")]
use super::request::{DESK, ME, MEETING_PREFIX};
#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use domain::{
    Actor, Services,
    article::{ArticleFilter, ArticleQuery},
    calendar::CalendarQuery,
    error::ValidationError,
};
use domain::{
    ArticleId, DomainError,
    calendar::{CalendarPage, View},
    meetings::MeetingRow,
    task::TaskRow,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
#[cfg(feature = "ssr")]
use std::str::FromStr;

/// Number of items of each day in each view, so that a page stays below 1,500 elements.
#[cfg(feature = "ssr")]
const fn day_items(view: View) -> u32 {
    match view {
        View::Month => 3,
        View::Week => 12,
        View::Day => 100,
        View::Agenda => 4,
    }
}

/// Number of drafts in the tray.
#[cfg(feature = "ssr")]
const DRAFTS: u32 = 8;

/// Everything that the page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CalendarBoard {
    /// The view.
    pub view: View,
    /// The day on which weeks begin, Monday is 0.
    pub first_weekday: u8,
    /// The days.
    pub page: CalendarPage,
    /// Number of items of the day that are skipped.
    pub skip: u32,
    /// Drafts that are not scheduled: id and title.
    pub drafts: Vec<(ArticleId, String)>,
    /// Whether there are more drafts.
    pub has_more_drafts: bool,
    /// What is being moved.
    pub moving: Option<Moving>,
    /// A part of the URL that cannot be read. The page shows today, or the user's time zone.
    pub problem: Option<DomainError>,
}

/// Something that is being moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Moving {
    /// A task.
    Task(Box<TaskRow>),
    /// A meeting.
    Meeting(Box<MeetingRow>),
}

/// Days, drafts, and what is being moved.
#[server(name = ReadCalendar, prefix = "/fn", endpoint = "calendar", output = JsonOutput)]
pub async fn read_calendar(request: CalendarRequest) -> Result<CalendarBoard, Refused> {
    ssr::respond(board(request).await)
}

#[cfg(feature = "ssr")]
async fn board(request: CalendarRequest) -> Result<CalendarBoard, DomainError> {
    let (services, actor) = (ssr::services()?, ssr::actor()?);
    let (page, problem) = days(&services, &actor, &request).await?;
    let drafts = ArticleQuery {
        filter: Some(ArticleFilter::Draft),
        is_mine: !actor.is_admin(),
        limit: Some(DRAFTS),
        ..ArticleQuery::default()
    };
    let drafts = services.articles.list(&actor, drafts).await?;
    Ok(CalendarBoard {
        view: request.view,
        first_weekday: request.first_weekday,
        skip: request.skip,
        has_more_drafts: drafts.next_cursor.is_some(),
        drafts: drafts
            .items
            .into_iter()
            .filter(|row| row.held.is_none())
            .map(|row| (row.id, row.title))
            .collect(),
        moving: moving(&services, &actor, request.moving.as_deref()).await,
        problem,
        page,
    })
}

/// The days of the request. What cannot be read in it is left out, and returned as the problem.
#[cfg(feature = "ssr")]
async fn days(
    services: &Services,
    actor: &Actor,
    request: &CalendarRequest,
) -> Result<(CalendarPage, Option<DomainError>), DomainError> {
    let zone = match request.zone.as_deref() {
        Some(DESK) => Some(services.settings.settings().await?.zone),
        other => other.map(str::to_owned),
    };
    let mut problem = None;
    let mut query = CalendarQuery {
        date: request.date.clone(),
        view: Some((request.view, request.first_weekday)),
        days: 0,
        zone,
        kind: request.kind.clone(),
        status: request.status,
        owner: match request.owner.as_deref() {
            Some(ME) => Some(actor.account),
            other => id_of("owner", other, &mut problem),
        },
        is_attended: false,
        room: id_of("room", request.room.as_deref(), &mut problem),
        tag: request.tag.clone(),
        channel: id_of("channel", request.channel.as_deref(), &mut problem),
        day_items: Some(day_items(request.view)),
        skip: if request.view == View::Day { request.skip } else { 0 },
    };
    loop {
        let refusal = match services.calendar.page(actor, query.clone()).await {
            Ok(page) => return Ok((page, problem)),
            Err(refusal) => refusal,
        };
        match refusal.field() {
            Some("zone") if query.zone.is_some() => query.zone = None,
            Some("kind") if query.kind.is_some() => query.kind = None,
            Some("from" | "to") if query.date.is_some() => query.date = None,
            _ => return Err(refusal),
        }
        problem = Some(about_page(refusal));
    }
}

/// Names the parameter `date` of the page, which the service knows as the range `from`, `to`.
#[cfg(feature = "ssr")]
fn about_page(refusal: DomainError) -> DomainError {
    match refusal {
        DomainError::Invalid { field, problem } if field == "from" || field == "to" => {
            DomainError::Invalid { field: "date".to_owned(), problem }
        }
        other => other,
    }
}

/// The id in a filter. What is no id is left out, and becomes the problem.
#[cfg(feature = "ssr")]
fn id_of<T: FromStr>(field: &str, named: Option<&str>, problem: &mut Option<DomainError>) -> Option<T> {
    let id = named?.parse().ok();
    if id.is_none() {
        *problem = Some(DomainError::invalid(field, ValidationError::Unknown));
    }
    id
}

/// What the filters offer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterChoices {
    /// Accounts: id and name.
    pub people: Vec<(String, String)>,
    /// Rooms.
    pub rooms: Vec<(String, String)>,
    /// Channels; empty unless the user is an admin.
    pub channels: Vec<(String, String)>,
}

/// Reads what the filters offer.
#[server(name = ReadFilterChoices, prefix = "/fn", endpoint = "calendar_filters", output = JsonOutput)]
pub async fn read_filter_choices() -> Result<FilterChoices, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let people = services.calendar.people(&actor).await?;
            let rooms = services.rooms.list(&actor, false).await?;
            let channels = match actor.is_admin() {
                true => services.channels.list(&actor).await?,
                false => Vec::new(),
            };
            Ok(FilterChoices {
                people: people.into_iter().map(|(id, name)| (id.to_string(), name)).collect(),
                rooms: rooms.into_iter().map(|room| (room.id.to_string(), room.settings.name)).collect(),
                channels: channels.into_iter().map(|one| (one.id.to_string(), one.settings.name)).collect(),
            })
        }
        .await,
    )
}

/// Reads what is being moved; `None`: there is no such thing.
#[cfg(feature = "ssr")]
async fn moving(services: &Services, actor: &Actor, named: Option<&str>) -> Option<Moving> {
    let named = named?;
    if let Some(id) = named.strip_prefix(MEETING_PREFIX) {
        let meeting = services.meetings.find(actor, id.parse().ok()?).await.ok()?;
        return Some(Moving::Meeting(Box::new(meeting.row)));
    }
    let task = services.tasks.find(actor, named.parse().ok()?).await.ok()?;
    Some(Moving::Task(Box::new(task.row)))
}
