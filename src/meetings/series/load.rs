//! Loads a series as the decisions of `domain` need it.

use super::plan;
use crate::{services::internal_error, zone::Zone};
use domain::{
    DomainError, Timestamp,
    base::local_time,
    meetings::{MeetingState, MeetingTemplate},
    series::{Series, SeriesPart, SeriesState, StoredOccurrence, ZoneRules as _, instant_of},
};
use store::{
    Conn, StoreError,
    series::{self, OccurrenceRow, SeriesRow},
};
use uuid::Uuid;

/// A stored series and its meetings.
pub struct LoadedSeries {
    pub row: SeriesRow,
    pub template: MeetingTemplate,
    pub zone: Zone,
    pub series: Series,
    pub meetings: Vec<OccurrenceRow>,
}

/// Loads a series and its meetings that start after a moment.
pub async fn load(mut conn: Conn<'_>, id: Uuid, after: Timestamp) -> Result<LoadedSeries, DomainError> {
    let row = series::find(conn.reborrow(), id).await.map_err(internal_error)?;
    let row = row.ok_or_else(|| DomainError::no_such("series"))?;
    let meetings = series::occurrences(conn, id, after).await.map_err(internal_error)?;
    Ok(LoadedSeries {
        template: row.template().map_err(internal_error)?,
        zone: Zone::stored(&row.time_zone),
        series: plan::series_of(&row).map_err(internal_error)?,
        row,
        meetings,
    })
}

impl LoadedSeries {
    /// What an edit needs to know.
    pub fn state(&self) -> Result<SeriesState, DomainError> {
        let mut state = SeriesState::default();
        let part = SeriesPart { series: self.series.clone(), split_from: self.row.split_from };
        state.parts.insert(self.row.id, part);
        for one in &self.meetings {
            let stored = self.stored(one).map_err(internal_error)?;
            state.occurrences.insert(one.meeting.id, stored);
        }
        Ok(state)
    }

    fn stored(&self, one: &OccurrenceRow) -> Result<StoredOccurrence, StoreError> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("{what} of the meeting {}", one.meeting.id));
        let original_local =
            local_time::parse(&one.original_local).map_err(|_| corrupt("original local time"))?;
        let at = Timestamp::from_millis(one.meeting.starts_at);
        let by_rule = instant_of(original_local, self.series.rule.choices, &self.zone).map(|(at, _)| at);
        let own_local = if by_rule == Some(at) { None } else { self.zone.local_at(at) };
        let state: MeetingState = one.meeting.state.parse().map_err(|_| corrupt("state"))?;
        let is_cancelled = !state.is_open() && state != MeetingState::Ended;
        Ok(StoredOccurrence { part: self.row.id, original_local, own_local, at, is_cancelled })
    }
}
