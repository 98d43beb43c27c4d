//! A series and a booking at the same time: no two meetings overlap.

use super::HOUR;
use crate::{
    meetings::races::{Race, races},
    on_both,
    test_server::TestServer,
};
use domain::{
    DomainError,
    meetings::{MeetingTime, NewMeeting, NewMeetingSeries, OnConflict},
    series::RuleFields,
};
use serde_json::json;

on_both!(a_series_and_a_booking_have_one_winner);

async fn a_series_and_a_booking_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({})).await;
    let rule = RuleFields { frequency: "daily".to_owned(), count: Some(3), ..RuleFields::default() };
    let mut series_wins = 0;
    for number in 1..=races() {
        // Three days of their own, at the same time; the booking takes the second one.
        let day = (3 * (number % 90) + 3) * 24 * HOUR + number / 90 * HOUR;
        let local = |after: i64| server.now().plus(day + after).to_string()[..16].to_owned();
        let time = MeetingTime::Local {
            local_start: local(HOUR / 2),
            local_end: local(HOUR),
            zone: "UTC".to_owned(),
            disambiguation: None,
        };
        let meeting = NewMeeting { time, ..race.booking(0, HOUR) };
        let new = NewMeetingSeries { meeting, rule: rule.clone(), on_conflict: OnConflict::Refuse };
        let other = race.booking(day + 24 * HOUR, day + 25 * HOUR);
        let (series, booking) = tokio::join!(
            race.one().book_series(race.creator(), new),
            race.two().book(&server.colleague.actor, other)
        );
        series_wins += i64::from(series.is_ok());
        assert_ne!(series.is_ok(), booking.is_ok(), "{series:?} {booking:?}");
        for refusal in [series.err(), booking.err()].into_iter().flatten() {
            let is_taken =
                matches!(refusal, DomainError::RoomTaken { .. } | DomainError::OccurrencesTaken { .. });
            assert!(is_taken, "{refusal:?}");
        }
    }
    assert!(series_wins <= races());
    race.finish().await;
}
