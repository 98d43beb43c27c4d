//! Rows of the grid: one room on one day.

use super::cells::{DAY, Span};
use domain::{
    LocalizedTime, Timestamp,
    meetings::{Busy, Room, RoomDay},
    time::wall_clock_time,
};

/// One room on one day.
#[derive(Debug, Clone, PartialEq)]
pub struct GridRow {
    /// The room.
    pub room: Room,
    /// Begin of the day.
    pub day: LocalizedTime,
    /// When it can be booked.
    pub open: Vec<Span>,
    /// What holds it, by start.
    pub busy: Vec<(Span, Busy)>,
    /// Minutes of the day that have passed.
    pub passed: u32,
}

impl GridRow {
    /// Cuts a day out of the times of a room.
    #[must_use]
    pub fn new(of: &RoomDay, (day, end): (LocalizedTime, LocalizedTime), now: Timestamp) -> Self {
        let part = |from: LocalizedTime, to: LocalizedTime| part_of_day((from, to), (day.at, end.at));
        let open = of.open.iter().filter_map(|(from, to)| part(*from, *to)).collect();
        let busy = of.busy.iter().filter_map(|busy| Some((part(busy.starts, busy.ends)?, busy.clone())));
        let now = LocalizedTime { at: now, ..day };
        let passed = minute_of(now, (day.at, end.at));
        Self { room: of.room.clone(), day, open, busy: busy.collect(), passed }
    }

    /// `YYYY-MM-DD`.
    #[must_use]
    pub fn date(&self) -> String {
        let wall = self.day.viewer_time();
        format!("{:04}-{:02}-{:02}", wall.year, wall.month, wall.day)
    }

    /// Equal for rows that look the same.
    #[must_use]
    pub fn key(&self) -> String {
        let busy = self.busy.iter().map(|(span, busy)| {
            format!("{}{}{}{}{}", busy.meeting_id, span.from, span.to, busy.state.as_str(), busy.title)
        });
        let open = self.open.iter().map(|span| format!("{}-{}", span.from, span.to));
        let parts: Vec<String> = busy.chain(open).collect();
        let unit = self.passed / super::cells::UNIT;
        format!("{} {} {} {unit} {}", self.room.id, self.room.version.0, self.date(), parts.join(" "))
    }
}

/// The part of a time that is on the day, in minutes of the user's wall clock; `None`: there is none.
fn part_of_day(
    (from, to): (LocalizedTime, LocalizedTime),
    (day, end): (Timestamp, Timestamp),
) -> Option<Span> {
    (from.at < end && to.at > day)
        .then(|| Span { from: minute_of(from, (day, end)), to: minute_of(to, (day, end)) })
}

/// Minute of the day, limited to it.
fn minute_of(at: LocalizedTime, (day, end): (Timestamp, Timestamp)) -> u32 {
    if at.at <= day {
        return 0;
    }
    if at.at >= end {
        return DAY;
    }
    let wall = wall_clock_time(at.at, at.viewer_offset);
    wall.hour * 60 + wall.minute
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_cut_to_the_day() {
        let at = |text: &str| LocalizedTime::new(text.parse().unwrap(), 60, 60);
        let day = (at("2026-11-25T23:00:00Z").at, at("2026-11-26T23:00:00Z").at);
        let part = |from: &str, to: &str| part_of_day((at(from), at(to)), day);
        assert_eq!(part("2026-11-26T08:00:00Z", "2026-11-26T09:30:00Z"), Some(Span { from: 540, to: 630 }));
        assert_eq!(part("2026-11-25T20:00:00Z", "2026-11-25T23:30:00Z"), Some(Span { from: 0, to: 30 }));
        assert_eq!(part("2026-11-26T22:00:00Z", "2026-11-27T08:00:00Z"), Some(Span { from: 1380, to: DAY }));
        assert_eq!(part("2026-11-26T23:00:00Z", "2026-11-27T08:00:00Z"), None);
    }
}
