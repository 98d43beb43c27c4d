//! Presents the occurrences of a series that is to be booked or changed.

use super::plan::{self, Candidate};
use crate::{
    meetings::present,
    services::{Presenter, internal_error},
    zone::Zone,
};
use domain::{
    DomainError,
    base::local_time::date_text,
    meetings::{OccurrenceConflict, PlannedOccurrence},
    series::{Omission, PreviewItem, Series},
};
use store::Conn;
use uuid::Uuid;

/// Blocks those of a request whose room another booking holds, except the meetings `except`.
pub async fn check_taken(conn: Conn<'_>, all: &mut [Candidate], except: &[Uuid]) -> Result<(), DomainError> {
    let mut all: Vec<&mut Candidate> = all.iter_mut().collect();
    plan::block_taken(conn, &mut all, except).await.map_err(internal_error)
}

/// Presents the occurrences that cannot be booked.
pub fn conflicts(presenter: &Presenter<'_>, all: &[Candidate]) -> Vec<OccurrenceConflict> {
    let conflict = |one: &Candidate| {
        let blocked = one.blocked.as_ref()?;
        Some(OccurrenceConflict {
            original_local: one.slot.original_local.clone(),
            starts: presenter.moment(one.slot.starts_at),
            ends: presenter.moment(one.slot.ends_at),
            reason: blocked.reason,
            meetings: blocked.meetings.iter().map(|row| present::conflict(presenter, row.clone())).collect(),
        })
    };
    all.iter().filter_map(conflict).collect()
}

/// Presents the next occurrences, with what is special about their times.
pub fn planned(
    presenter: &Presenter<'_>,
    (series, zone): (&Series, &Zone),
    all: &[Candidate],
) -> Vec<PlannedOccurrence> {
    let preview = series.preview(zone, zone, presenter.now);
    let planned = |(item, one): (PreviewItem, &Candidate)| PlannedOccurrence {
        original_local: one.slot.original_local.clone(),
        starts: presenter.moment(one.slot.starts_at),
        ends: presenter.moment(one.slot.ends_at),
        mark: item.occurrence.mark,
        has_other_offset: item.offset_before_seconds.is_some(),
        omitted: item.omitted.into_iter().map(omitted).collect(),
    };
    preview.items.into_iter().zip(all).map(planned).collect()
}

fn omitted(omission: Omission) -> String {
    match omission {
        Omission::Month(first) => date_text(first).chars().take(7).collect(),
        Omission::Exception(date) => date_text(date),
        Omission::SkippedTime(local) => date_text(local.date()),
    }
}
