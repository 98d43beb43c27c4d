//! Reads days and their items.

use crate::{
    app_state::AppState,
    kinds,
    services::internal_error,
    tasks::{slots, unit_of_work::parsed},
    zone::Zone,
};
use domain::{
    AccountId, Actor, DomainError, Kind, State, Timestamp, Version,
    base::{
        calendar::add_days,
        local_time::{date_text, parse_date},
    },
    calendar::{
        CalendarDay, CalendarItem, CalendarPage, CalendarQuery, CalendarStatus, DEFAULT_DAY_ITEMS, MAX_DAYS,
        MAX_FILTER_PEOPLE, MAX_ITEMS, MAX_SKIPPED_ITEMS, MEETING, hours,
    },
    error::ValidationError,
    meetings::MeetingState,
    series::ZoneRules,
    time::Meaning,
};
use jiff::civil::Date;
use store::{
    PoolRole,
    calendar_days::{self, CalendarFilter, CalendarRow},
    details::tag_key,
};

/// Maximum number of free slots in one response.
const FREE_SLOTS: u32 = 2_000;

/// Returns days and their items.
pub async fn page(
    parts: &AppState,
    actor: &Actor,
    query: CalendarQuery,
) -> Result<CalendarPage, DomainError> {
    let now = parts.clock.now();
    let range = Range::of(actor, &query, now)?;
    let (kinds, has_meetings) = kinds_of(actor, query.kind.as_deref())?;
    let tag = query.tag.as_deref().map(str::trim).filter(|tag| !tag.is_empty()).map(tag_key);
    let filter = CalendarFilter {
        bounds: &range.bounds,
        kinds: &kinds,
        has_meetings,
        status: query.status,
        owner: query.owner,
        guest: query.owner.filter(|_| query.is_attended),
        room: query.room,
        tag: tag.as_deref(),
        channel: query.channel,
        now,
        skip: i64::from(query.skip.min(MAX_SKIPPED_ITEMS)),
        day_items: i64::from(day_items(query.day_items, range.dates.len())),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rows = calendar_days::read(lease.conn(), filter).await.map_err(internal_error)?;
    let (slots, free) = slots::in_range(lease.conn(), range.ahead(now), FREE_SLOTS).await?;
    drop(lease);
    let mut days = range.empty_days();
    for slot in free {
        let place = range.bounds.partition_point(|bound| *bound <= slot).checked_sub(1);
        if let Some(day) = place.and_then(|place| days.get_mut(place)) {
            day.free_slots.push((slot, range.zone.offset_minutes(slot)));
        }
    }
    for row in rows {
        let day = usize::try_from(row.place).ok().and_then(|place| days.get_mut(place));
        let Some(day) = day else { continue };
        day.count = row.total.unsigned_abs();
        day.attention = row.attention.unsigned_abs();
        let is_in_slot = row.kind.as_deref() == Some(Kind::ArticlePublish.as_str())
            && row.state == State::Scheduled.as_str()
            && slots.binary_search(&Timestamp::from_millis(row.at)).is_ok();
        day.items.push(CalendarItem { is_in_slot, ..item(actor, range.zone, now, row)? });
    }
    Ok(CalendarPage {
        zone: range.zone.name().to_owned(),
        date: date_text(range.date),
        today: date_text(range.today),
        now,
        kinds: kinds::calendar_words(actor.is_admin()).into_iter().map(str::to_owned).collect(),
        days,
    })
}

/// Returns the accounts whose items a filter can ask for, by name.
pub async fn people(parts: &AppState) -> Result<Vec<(AccountId, String)>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let limit = i64::from(MAX_FILTER_PEOPLE);
    let people = calendar_days::people(lease.conn(), limit).await.map_err(internal_error)?;
    Ok(people.into_iter().map(|(id, name)| (AccountId(id), name)).collect())
}

/// The days of a query.
struct Range {
    zone: Zone,
    today: Date,
    /// The day of the query.
    date: Date,
    dates: Vec<Date>,
    /// First instant of each day, and of the day after the last one.
    bounds: Vec<Timestamp>,
}

impl Range {
    fn of(actor: &Actor, query: &CalendarQuery, now: Timestamp) -> Result<Self, DomainError> {
        let zone = match query.zone.as_deref().map(str::trim).filter(|zone| !zone.is_empty()) {
            Some(name) => Zone::named(name)?,
            None => Zone::stored(&actor.zone),
        };
        let today = zone.local_at(now).ok_or_else(|| out_of_range("from"))?.date();
        let date = match &query.date {
            Some(date) => parse_date(date.trim()).ok_or_else(not_a_date)?,
            None => today,
        };
        let (first, days) = match query.view {
            Some((view, first_weekday)) => {
                view.days(date, first_weekday).ok_or_else(|| out_of_range("from"))?
            }
            None => (date, query.days.max(1)),
        };
        if days > MAX_DAYS {
            let why = format!("is too late: at most {MAX_DAYS} days are returned");
            return Err(DomainError::invalid("to", ValidationError::Unreadable { why }));
        }
        let day = |day: u16| add_days(first, i64::from(day)).ok_or_else(|| out_of_range("to"));
        let mut dates: Vec<Date> = (0..=days).map(day).collect::<Result<_, _>>()?;
        let bounds = dates.iter().map(|date| begin(zone, *date)).collect::<Result<_, _>>()?;
        dates.pop();
        Ok(Self { zone, today, date, dates, bounds })
    }

    /// The part of the range that has not passed.
    fn ahead(&self, now: Timestamp) -> (Timestamp, Timestamp) {
        let (first, last) = (self.bounds.first().copied(), self.bounds.last().copied());
        (first.map_or(now, |first| first.plus(-1).max(now)), last.unwrap_or(now))
    }

    fn empty_days(&self) -> Vec<CalendarDay> {
        let is_alone = self.dates.len() == 1;
        let days = self.dates.iter().zip(self.bounds.windows(2));
        days.map(|(date, bounds)| {
            let (begins_at, ends_at) = (bounds[0], bounds[1]);
            let offset = self.zone.offset_minutes(begins_at);
            let end_offset = self.zone.offset_minutes(ends_at.plus(-1));
            CalendarDay {
                date: date_text(*date),
                begins_at,
                ends_at,
                offset,
                end_offset,
                hours: if is_alone || offset != end_offset {
                    hours(begins_at, ends_at, &self.zone)
                } else {
                    Vec::new()
                },
                count: 0,
                attention: 0,
                items: Vec::new(),
                free_slots: Vec::new(),
            }
        })
        .collect()
    }
}

/// Number of items of each day, so that all days together have at most [`MAX_ITEMS`].
fn day_items(requested: Option<u32>, days: usize) -> u32 {
    let days = u32::try_from(days).unwrap_or(u32::MAX).max(1);
    requested.unwrap_or(DEFAULT_DAY_ITEMS).clamp(1, (MAX_ITEMS / days).max(1))
}

/// The kinds of tasks that the actor sees, and whether meetings belong to them. `Invalid` for an
/// unknown kind.
fn kinds_of(actor: &Actor, kind: Option<&str>) -> Result<(Vec<&'static str>, bool), DomainError> {
    let words = kinds::calendar_words(actor.is_admin());
    match kind {
        None => Ok((words, true)),
        Some(MEETING) => Ok((Vec::new(), true)),
        Some(kind) => match words.iter().find(|word| **word == kind) {
            Some(word) => Ok((vec![word], false)),
            None => {
                let words = [MEETING].into_iter().chain(words).collect::<Vec<_>>().join(", ");
                Err(DomainError::invalid("kind", ValidationError::NotOneOf { words }))
            }
        },
    }
}

/// Presents a row.
fn item(actor: &Actor, zone: Zone, now: Timestamp, row: CalendarRow) -> Result<CalendarItem, DomainError> {
    let at = Timestamp::from_millis(row.at);
    let ends_at = row.ends_at.map(Timestamp::from_millis);
    let is_owner = actor.may_change(AccountId(row.owner_id));
    let (status, can_move) = match &row.kind {
        Some(kind) => {
            let state: State = parsed(&row.state)?;
            let is_managed = kinds::find(kind).is_none_or(kinds::TaskKind::is_managed);
            let is_open = matches!(state, State::Scheduled | State::Failed | State::Missed);
            (CalendarStatus::of_task(state, at, now), is_open && !is_managed)
        }
        None => {
            let state: MeetingState = parsed(&row.state)?;
            let is_ahead = matches!(state, MeetingState::Requested | MeetingState::Confirmed);
            (CalendarStatus::of_meeting(state, row.is_held), is_ahead && at > now)
        }
    };
    Ok(CalendarItem {
        id: row.id,
        kind: row.kind.unwrap_or_else(|| MEETING.to_owned()),
        target_id: row.target_id,
        title: row.title,
        state: row.state,
        status,
        version: Version(row.version),
        at,
        offset: zone.offset_minutes(at),
        ends_at,
        end_offset: zone.offset_minutes(ends_at.unwrap_or(at)),
        owner_id: AccountId(row.owner_id),
        owner: row.owner,
        room: row.room,
        together: u32::try_from(row.together).unwrap_or(u32::MAX),
        may_move: is_owner && can_move,
        is_in_slot: false,
    })
}

/// First instant of a day.
fn begin(zone: Zone, date: Date) -> Result<Timestamp, DomainError> {
    ZoneRules::meaning(&zone, date.at(0, 0, 0, 0)).map(Meaning::first).ok_or_else(|| out_of_range("to"))
}

fn out_of_range(field: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::OutOfRange)
}

fn not_a_date() -> DomainError {
    let why = "is not a date like 2027-03-28".to_owned();
    DomainError::invalid("from", ValidationError::Unreadable { why })
}
