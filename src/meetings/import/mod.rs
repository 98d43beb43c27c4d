//! Imports the events of a calendar file (RFC 5545) as meetings: all in one transaction. An event that was
//! imported before is known by its UID: the ids of its meetings follow from it.

pub mod api;
mod event;
pub mod form;
mod place;
mod windows_zones;
mod write;

use crate::{
    security::tokens,
    server::app_state::AppState,
    services::{internal_error, run_blocking},
    tasks::unit::UnitOfWork,
    text::ical::read::{self, RawEvent, ReadProblem},
    zone::Zone,
};
use domain::{
    Actor, DomainError,
    error::ValidationError,
    meetings::{
        ImportProblem, ImportReport, MAX_IMPORT_BYTES, MAX_IMPORT_EVENTS, MAX_IMPORT_INVITATIONS,
        MeetingImport, OnProblem,
    },
};
use event::{Reading, Wanted};
use std::collections::{HashMap, HashSet};
use store::{PoolRole, account, due_meetings, series};
use uuid::Uuid;

/// An event of the file, and what it would be.
pub struct Item {
    pub line: usize,
    pub title: String,
    pub wanted: Result<Wanted, ImportProblem>,
}

/// Imports a file, or only says what an import would do.
pub async fn import(
    parts: &AppState,
    actor: &Actor,
    file: MeetingImport,
) -> Result<ImportReport, DomainError> {
    if file.text.len() > MAX_IMPORT_BYTES {
        let max = u32::try_from(MAX_IMPORT_BYTES).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("file", ValidationError::TooLarge { max }));
    }
    let (zone, text) = (Zone::stored(&actor.zone), file.text);
    let own = own_address(parts, actor).await?;
    let attendees = file.attendees;
    let items =
        run_blocking(move || items(&text, Reading { floating: zone, attendees, own: &own })).await??;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let known = known(&mut unit, &items).await?;
    let mut plan = place::Plan::of(&mut unit, items, (file.room_id, &known)).await?;
    plan.check_free(&mut unit).await?;
    if plan.count_invitations() > MAX_IMPORT_INVITATIONS {
        let max = u32::try_from(MAX_IMPORT_INVITATIONS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("attendees", ValidationError::TooMany { max }));
    }
    let is_refused = plan.has_refusals() && file.on_problem == OnProblem::Refuse;
    let is_written = !file.is_dry_run && !is_refused;
    let report = plan.report(&unit.presenter, is_written);
    if is_written {
        write::write(&mut unit, &plan).await?;
        unit.commit().await?;
    }
    Ok(report)
}

/// The address of the importing user.
async fn own_address(parts: &AppState, actor: &Actor) -> Result<String, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = account::find(lease.conn(), actor.account).await.map_err(internal_error)?;
    Ok(found.map(|account| account.email).unwrap_or_default())
}

/// Reads the events of a text.
fn items(text: &str, by: Reading<'_>) -> Result<Vec<Item>, DomainError> {
    let events = read::events(text, MAX_IMPORT_EVENTS).map_err(|problem| match problem {
        ReadProblem::TooMany => {
            let max = u32::try_from(MAX_IMPORT_EVENTS).unwrap_or(u32::MAX);
            DomainError::invalid("file", ValidationError::TooMany { max })
        }
        other => {
            let why = other.to_string();
            DomainError::invalid("file", ValidationError::Unreadable { why })
        }
    })?;
    let mut moved: HashMap<String, Vec<String>> = HashMap::new();
    for event in &events {
        if let Some(id) = event.find("RECURRENCE-ID") {
            moved.entry(event.text("UID").trim().to_owned()).or_default().push(id.value.trim().to_owned());
        }
    }
    let none = Vec::new();
    let mut seen = HashSet::new();
    let mut item = |event: &RawEvent| {
        let moved = match event.find("RECURRENCE-ID") {
            Some(_) => &none,
            None => moved.get(event.text("UID").trim()).unwrap_or(&none),
        };
        let wanted = event::read(event, by, moved).and_then(|wanted| match seen.insert(wanted.uid.clone()) {
            true => Ok(wanted),
            false => Err(ImportProblem::Duplicate),
        });
        Item { line: event.line, title: event::shown_title(event), wanted }
    };
    Ok(events.iter().map(&mut item).collect())
}

/// The id of what is made of an event.
pub fn id_of(kind: &str, uid: &str, part: &str) -> Uuid {
    let hash = tokens::hash(&format!("{kind}\n{part}\n{uid}"));
    let number = hash.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default();
    uuid::Builder::from_custom_bytes(number.to_be_bytes()).into_uuid()
}

/// Id of the meeting of this desk that a feed of it names; `None`: it is from elsewhere.
fn own_id(uid: &str) -> Option<Uuid> {
    uid.strip_suffix(super::invite::UID_HOST)?.strip_suffix('@')?.parse().ok()
}

/// Returns the UIDs that were imported before, or name meetings of this desk.
async fn known(unit: &mut UnitOfWork<'_>, items: &[Item]) -> Result<HashSet<String>, DomainError> {
    let uids: Vec<&str> =
        items.iter().filter_map(|item| item.wanted.as_ref().ok()).map(|wanted| wanted.uid.as_str()).collect();
    let once = uids.iter().map(|uid| (id_of("meeting", uid, ""), *uid));
    let own = uids.iter().filter_map(|uid| Some((own_id(uid)?, *uid)));
    let meetings: HashMap<Uuid, &str> = once.chain(own).collect();
    let series: HashMap<Uuid, &str> = uids.iter().map(|uid| (id_of("series", uid, ""), *uid)).collect();
    let ids: Vec<Uuid> = meetings.keys().copied().collect();
    let found = due_meetings::load(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let mut known: HashSet<String> =
        found.iter().filter_map(|row| meetings.get(&row.id)).map(|uid| (*uid).to_owned()).collect();
    let ids: Vec<Uuid> = series.keys().copied().collect();
    let found = series::load(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    known.extend(found.iter().filter_map(|row| series.get(&row.id)).map(|uid| (*uid).to_owned()));
    Ok(known)
}
