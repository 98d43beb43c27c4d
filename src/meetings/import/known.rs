//! Which events of a file were imported before, and what they became.

use super::{
    event::Identity,
    file::{Item, Wish},
    id_of,
};
use crate::{meetings::series::plan, services::internal_error, tasks::unit_of_work::UnitOfWork, zone::Zone};
use domain::{DomainError, base::local_time::minute_text};
use std::collections::{BTreeSet, HashMap};
use store::{
    due_meetings,
    imported_event::{self, ImportedEventRow},
    series, target,
};
use uuid::Uuid;

/// What an event became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A meeting.
    Meeting(Uuid),
    /// A series, and perhaps others that continue it.
    Series(Uuid),
}

impl Target {
    fn of(row: &ImportedEventRow) -> Self {
        match row.kind.as_str() {
            "series" => Self::Series(row.target_id),
            _ => Self::Meeting(row.target_id),
        }
    }
}

/// An event that was imported before, or comes from this desk.
#[derive(Debug, Clone)]
pub struct Known {
    pub target: Target,
    /// The event as it was imported last; `None`: it was not recorded.
    pub record: Option<ImportedEventRow>,
    /// Whether it is a meeting of this desk, which the desk itself organizes.
    pub is_own: bool,
    /// Whether it is a time of a known series.
    pub is_occurrence: bool,
}

/// Id of the record of an event.
pub fn record_id(key: &str) -> Uuid {
    id_of("event", key, "")
}

/// Id of the meeting of this desk that a feed of it names; `None`: it is from elsewhere.
fn own_id(uid: &str) -> Option<Uuid> {
    uid.strip_suffix(crate::meetings::invite::UID_HOST)?.strip_suffix('@')?.parse().ok()
}

/// Returns the events that are known, by their keys, and locks what they became.
pub async fn load(unit: &mut UnitOfWork<'_>, items: &[Item]) -> Result<HashMap<String, Known>, DomainError> {
    let identities: Vec<&Identity> = items.iter().filter_map(|item| item.wish.identity()).collect();
    let mut known = recorded(unit, &identities).await?;
    unrecorded(unit, &identities, &mut known).await?;
    for identity in identities.iter().filter(|one| one.original.is_some()) {
        if !known.contains_key(&identity.key)
            && let Some(series) = series_of(&known, &identity.uid)
            && let Some(id) = occurrence(unit, series, identity).await?
        {
            let (target, record) = (Target::Meeting(id), None);
            known.insert(identity.key.clone(), Known { target, record, is_own: false, is_occurrence: true });
        }
    }
    let ids: BTreeSet<Uuid> = locked(unit, items, &known).await?;
    target::lock(unit.tx.conn(), &ids.into_iter().collect::<Vec<_>>()).await.map_err(internal_error)?;
    Ok(known)
}

/// The series that an event became.
pub fn series_of(known: &HashMap<String, Known>, uid: &str) -> Option<Uuid> {
    match known.get(uid)?.target {
        Target::Series(id) => Some(id),
        Target::Meeting(_) => None,
    }
}

/// What the times of a series became that were events of their own.
pub async fn times_of(unit: &mut UnitOfWork<'_>, uid: &str) -> Result<Vec<Target>, DomainError> {
    let id = record_id(uid);
    let rows = imported_event::load_all_of(unit.tx.conn(), id).await.map_err(internal_error)?;
    Ok(rows.iter().filter(|row| row.id != id).map(Target::of).collect())
}

/// Keys of events and of the series of which they are times.
fn keys<'i>(identities: &[&'i Identity]) -> BTreeSet<&'i str> {
    identities.iter().flat_map(|one| [one.key.as_str(), one.uid.as_str()]).collect()
}

async fn recorded(
    unit: &mut UnitOfWork<'_>,
    identities: &[&Identity],
) -> Result<HashMap<String, Known>, DomainError> {
    let by_id: HashMap<Uuid, &str> = keys(identities).into_iter().map(|key| (record_id(key), key)).collect();
    let ids: Vec<Uuid> = by_id.keys().copied().collect();
    let rows = imported_event::load(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let known = |row: ImportedEventRow| {
        let key = (*by_id.get(&row.id)?).to_owned();
        let target = Target::of(&row);
        Some((key, Known { target, record: Some(row), is_own: false, is_occurrence: false }))
    };
    Ok(rows.into_iter().filter_map(known).collect())
}

/// Adds what earlier releases imported, and meetings of this desk.
async fn unrecorded(
    unit: &mut UnitOfWork<'_>,
    identities: &[&Identity],
    known: &mut HashMap<String, Known>,
) -> Result<(), DomainError> {
    let keys: Vec<&str> = keys(identities).into_iter().filter(|key| !known.contains_key(*key)).collect();
    let imported = keys.iter().map(|key| (id_of("meeting", key, ""), (*key, false)));
    let own = keys.iter().filter_map(|key| Some((own_id(key)?, (*key, true))));
    let meetings: HashMap<Uuid, (&str, bool)> = imported.chain(own).collect();
    let all: HashMap<Uuid, &str> = keys.iter().map(|key| (id_of("series", key, ""), *key)).collect();
    let ids: Vec<Uuid> = meetings.keys().copied().collect();
    for row in due_meetings::load(unit.tx.conn(), &ids).await.map_err(internal_error)? {
        if let Some((key, is_own)) = meetings.get(&row.id) {
            let target = Target::Meeting(row.id);
            let one = Known { target, record: None, is_own: *is_own, is_occurrence: false };
            known.insert((*key).to_owned(), one);
        }
    }
    let ids: Vec<Uuid> = all.keys().copied().collect();
    for row in series::load(unit.tx.conn(), &ids).await.map_err(internal_error)? {
        if let Some(key) = all.get(&row.id) {
            let target = Target::Series(row.id);
            let one = Known { target, record: None, is_own: false, is_occurrence: false };
            known.insert((*key).to_owned(), one);
        }
    }
    Ok(())
}

/// The meeting of a time of a known series.
async fn occurrence(
    unit: &mut UnitOfWork<'_>,
    id: Uuid,
    identity: &Identity,
) -> Result<Option<Uuid>, DomainError> {
    let row = series::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let Some((row, original)) = row.zip(identity.original.as_ref()) else { return Ok(None) };
    let series = plan::series_of(&row).map_err(internal_error)?;
    let of = (series.starts_local, Zone::stored(&row.time_zone));
    let Some(date) = original.date_in(of) else { return Ok(None) };
    let local = minute_text(series.local_on(date));
    imported_event::find_occurrence(unit.tx.conn(), id, &local).await.map_err(internal_error)
}

/// Ids of what may be changed: meetings, series and their meetings.
async fn locked(
    unit: &mut UnitOfWork<'_>,
    items: &[Item],
    known: &HashMap<String, Known>,
) -> Result<BTreeSet<Uuid>, DomainError> {
    let mut ids = BTreeSet::new();
    for item in items {
        let Some(identity) = item.wish.identity() else { continue };
        let Some(one) = known.get(&identity.key) else { continue };
        let mut targets = vec![one.target];
        match &item.wish {
            Wish::Meet(wanted) if one.record.as_ref().is_some_and(|old| old.content == wanted.content) => {
                continue;
            }
            Wish::Cancel(_) if identity.original.is_none() => {
                targets.extend(times_of(unit, &identity.uid).await?)
            }
            _ => {}
        }
        for target in targets {
            lockable(unit, target, &mut ids).await?;
        }
    }
    Ok(ids)
}

/// Adds a meeting, or a series with its meetings and those that continue it.
async fn lockable(
    unit: &mut UnitOfWork<'_>,
    target: Target,
    ids: &mut BTreeSet<Uuid>,
) -> Result<(), DomainError> {
    let id = match target {
        Target::Meeting(id) => {
            ids.insert(id);
            return Ok(());
        }
        Target::Series(id) => id,
    };
    for part in imported_event::parts(unit.tx.conn(), id).await.map_err(internal_error)? {
        let meetings = series::meeting_ids(unit.tx.conn(), part).await.map_err(internal_error)?;
        ids.extend(meetings.into_iter().chain([part]));
    }
    Ok(())
}
