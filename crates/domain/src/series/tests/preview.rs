//! The preview: the next occurrences with their markers.

use super::{at, series, zone::TestZone};
use crate::{
    base::local_time::{date_text, minute_text},
    series::{Omission, SeriesPreview},
};
use serde_json::{Value, json};

fn preview(starts: &str, zone: &str, rule: &Value, now: &str) -> SeriesPreview {
    let shanghai = TestZone::named("Asia/Shanghai");
    series(starts, zone, rule).preview(&TestZone::named(zone), &shanghai, at(now))
}

/// One line an item: what is omitted before, local time, the viewer's, and markers.
fn lines(preview: &SeriesPreview) -> Vec<String> {
    let omission = |omission: &Omission| match omission {
        Omission::Month(month) => format!("no {}; ", &date_text(*month)[..7]),
        Omission::Exception(date) => format!("not {}; ", date_text(*date)),
        Omission::SkippedTime(local) => format!("skipped {}; ", minute_text(*local)),
    };
    let line = |item: &super::super::PreviewItem| {
        let omitted: String = item.omitted.iter().map(omission).collect();
        let viewer = item.viewer_local.map_or(String::new(), |local| format!(" ({})", minute_text(local)));
        let offset = item.offset_before_seconds.map_or(String::new(), |before| {
            format!(" {}h to {}h", before / 3_600, item.occurrence.offset_seconds / 3_600)
        });
        let mark = item.occurrence.mark.map_or(String::new(), |mark| format!(" {mark}"));
        format!("{omitted}{}{viewer}{offset}{mark}", minute_text(item.local))
    };
    preview.items.iter().map(line).collect()
}

#[test]
fn a_preview_names_short_months_exceptions_and_changes_of_the_offset() {
    let rule = json!({"frequency": "monthly", "until": "2027-05-31", "exceptions": ["2027-01-31"]});
    let found = preview("2026-08-31T09:00", "Europe/Berlin", &rule, "2026-07-01T00:00:00Z");
    assert_eq!(
        lines(&found),
        [
            "2026-08-31T09:00 (2026-08-31T15:00)",
            "no 2026-09; 2026-10-31T09:00 (2026-10-31T16:00) 2h to 1h",
            "no 2026-11; 2026-12-31T09:00 (2026-12-31T16:00)",
            "not 2027-01-31; no 2027-02; 2027-03-31T09:00 (2027-03-31T15:00) 1h to 2h",
            "no 2027-04; 2027-05-31T09:00 (2027-05-31T15:00)",
        ]
    );
    assert_eq!(found.upcoming_count, 5);
}

#[test]
fn a_preview_marks_times_that_a_change_of_the_clocks_moves_or_doubles() {
    let rule = json!({"frequency": "weekly", "count": 60});
    let found = preview("2027-03-21T02:30", "Europe/Berlin", &rule, "2027-03-20T00:00:00Z");
    assert_eq!(lines(&found)[1], "2027-03-28T03:00 (2027-03-28T09:00) 1h to 2h moved_by_gap");
    assert_eq!((found.items.len(), found.upcoming_count), (10, 60));
    let skip = json!({"frequency": "weekly", "count": 60, "skipped_time": "skip", "doubled_time": "later"});
    let found = preview("2027-03-21T02:30", "Europe/Berlin", &skip, "2027-03-20T00:00:00Z");
    assert_eq!(lines(&found)[1], "skipped 2027-03-28T02:30; 2027-04-04T02:30 (2027-04-04T08:30) 1h to 2h");
    let found = preview("2027-03-21T02:30", "Europe/Berlin", &skip, "2027-10-25T00:00:00Z");
    assert_eq!(lines(&found)[0], "2027-10-31T02:30 (2027-10-31T09:30) 2h to 1h later");
}

#[test]
fn the_viewers_time_is_shown_only_where_it_differs() {
    let rule = json!({"frequency": "daily", "count": 2});
    let found = preview("2027-03-21T02:30", "Asia/Shanghai", &rule, "2027-01-01T00:00:00Z");
    assert_eq!(lines(&found), ["2027-03-21T02:30", "2027-03-22T02:30"]);
}
