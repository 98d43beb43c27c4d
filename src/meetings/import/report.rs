//! Says what becomes of the events of a file, and remembers it.

use super::{
    event::EventTime,
    fate::{Fate, NewEvent},
    file::Wish,
    id_of,
    known::{Known, Target, record_id},
};
use crate::meetings::import::match_rooms::{Plan, Planned};
use crate::services::Presenter;
use domain::{
    base::local_time::date_text,
    meetings::{ImportItem, ImportOutcome, ImportReport, OnKnown},
    series::RuleEnd,
};
use store::imported_event::ImportedEventRow;

impl Plan<'_> {
    /// Says what becomes of each event.
    pub fn report(&self, presenter: &Presenter<'_>, is_written: bool) -> ImportReport {
        let item = |planned: &Planned| {
            let plain = ImportItem::new(planned.line, planned.title.clone(), outcome(&planned.fate));
            match &planned.fate {
                Fate::New(event) => self.new_item(presenter, event, plain),
                Fate::Updated(changed) | Fate::Cancelled(changed) => ImportItem {
                    starts: Some(presenter.moment(changed.starts_at)),
                    ends: Some(presenter.moment(changed.ends_at)),
                    was: changed.was.map(|was| presenter.moment(was)),
                    zone: changed.zone.clone(),
                    count: changed.count,
                    ..plain
                },
                Fate::Known | Fate::Older | Fate::Merged | Fate::Refused(_) => plain,
            }
        };
        ImportReport { is_written, items: self.items.iter().map(item).collect() }
    }

    /// The events as they are from now on.
    pub fn records(&self) -> Vec<ImportedEventRow> {
        let wishes = self.context.items.iter().map(|item| &item.wish);
        let all = wishes.zip(&self.items);
        all.filter_map(|(wish, planned)| {
            let known = wish.identity().and_then(|identity| self.context.known.get(&identity.key));
            record(wish, &planned.fate, known, self.context.on_known == OnKnown::Keep)
        })
        .collect()
    }

    fn new_item(&self, presenter: &Presenter<'_>, event: &NewEvent, plain: ImportItem) -> ImportItem {
        let first = event.meetings.first();
        let room = event.room_id.and_then(|id| self.context.rooms.get(&id));
        let repeats = match &event.wanted.when {
            EventTime::Again(repeats) => Some(&**repeats),
            EventTime::Once(_) => None,
        };
        let last = repeats.filter(|repeats| repeats.is_shortened).map(|repeats| repeats.series.rule.end);
        ImportItem {
            starts: first.map(|one| presenter.moment(one.booking.starts_at)),
            ends: first.map(|one| presenter.moment(one.booking.ends_at)),
            room: room.map(|room| room.settings.name.clone()).unwrap_or_default(),
            count: event.meetings.len(),
            attendees: event.wanted.invited().len(),
            zone: event.zone.clone(),
            is_running: repeats.is_some_and(|repeats| repeats.is_running),
            shortened_to: last.and_then(|end| match end {
                RuleEnd::Until(last) => Some(date_text(last)),
                RuleEnd::Count(_) => None,
            }),
            ..plain
        }
    }
}

fn outcome(fate: &Fate) -> ImportOutcome {
    match fate {
        Fate::New(event) => match event.meetings.first() {
            Some(first) => ImportOutcome::New(first.id),
            None => ImportOutcome::Known,
        },
        Fate::Known => ImportOutcome::Known,
        Fate::Older => ImportOutcome::Older,
        Fate::Merged => ImportOutcome::Merged,
        Fate::Updated(changed) => ImportOutcome::Update(changed.id),
        Fate::Cancelled(changed) => ImportOutcome::Cancel(changed.id),
        Fate::Refused(problem) => ImportOutcome::Refused(problem.clone()),
    }
}

/// Whether an event that changes nothing is the one that was imported. `keeps`: newer ones change nothing.
fn is_same(wish: &Wish, known: &Known, keeps: bool) -> bool {
    match (wish, &known.record) {
        (Wish::Meet(wanted), Some(record)) => wanted.content == record.content,
        (Wish::Meet(_), None) => !known.is_own && !keeps,
        _ => false,
    }
}

/// The event as it is from now on; `None`: nothing is new about it.
fn record(wish: &Wish, fate: &Fate, known: Option<&Known>, keeps: bool) -> Option<ImportedEventRow> {
    let identity = wish.identity()?;
    let target = match fate {
        Fate::New(event) => match (&event.wanted.when, event.meetings.first()) {
            (EventTime::Again(_), _) => Target::Series(id_of("series", &identity.key, "")),
            (EventTime::Once(_), first) => Target::Meeting(first?.id.0),
        },
        Fate::Updated(changed) | Fate::Cancelled(changed) => changed.target,
        Fate::Known => known.filter(|known| is_same(wish, known, keeps))?.target,
        Fate::Older | Fate::Merged | Fate::Refused(_) => return None,
    };
    let (kind, target_id) = match target {
        Target::Meeting(id) => ("meeting", id),
        Target::Series(id) => ("series", id),
    };
    let before = known.and_then(|known| known.record.as_ref());
    let (content, people) = match wish {
        Wish::Meet(wanted) => (wanted.content.clone(), wanted.people()),
        _ => (String::new(), None),
    };
    Some(ImportedEventRow {
        id: record_id(&identity.key),
        of_id: record_id(&identity.uid),
        kind: kind.to_owned(),
        target_id,
        sequence: identity.sequence,
        content,
        people: people.or_else(|| before?.people.clone()),
    })
}
