//! An offer against everything that could come at the same time: exactly one wins.

use crate::{
    meetings::{
        HOUR, MINUTE,
        races::{Race, races},
    },
    on_both,
    test_server::TestServer,
};
use domain::{
    DomainError,
    meetings::{MeetingChange, MeetingState, OFFER_MINUTES},
};
use serde_json::json;

on_both!(
    an_acceptance_and_the_end_of_the_offer_have_one_winner,
    an_offer_and_a_new_booking_have_one_winner,
    two_offers_of_one_room_have_one_winner,
);

/// Number of offers that end at one moment.
const BATCH: i64 = 20;

/// How many races of each kind: a few hundred.
fn count() -> i64 {
    races().max(200)
}

async fn an_acceptance_and_the_end_of_the_offer_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({})).await;
    for _ in 0..count() / BATCH {
        let (mut offered, mut next) = (Vec::new(), Vec::new());
        for number in 1..=BATCH {
            let (from, to) = ((number + 2) * HOUR, (number + 3) * HOUR);
            let taken = race.one().book(race.creator(), race.booking(from, to)).await.unwrap();
            let first = race.one().book_or_wait(race.creator(), race.booking(from, to)).await.unwrap();
            let second =
                race.two().book_or_wait(&server.colleague.actor, race.booking(from, to)).await.unwrap();
            let cancel = MeetingChange::Cancel { reason: String::new() };
            race.one().change(race.creator(), taken.row.id, cancel, taken.row.version).await.unwrap();
            offered.push(race.one().find(race.creator(), first.row.id).await.unwrap());
            next.push(second);
        }
        server.advance_without_loops(i64::from(OFFER_MINUTES) * 60_000);
        race.align(&server);
        let changes = offered
            .iter()
            .map(|one| race.two().change(race.creator(), one.row.id, MeetingChange::Accept, one.row.version));
        let (results, ()) = tokio::join!(futures::future::join_all(changes), server.tick());
        server.tick().await;
        for ((one, second), result) in offered.iter().zip(&next).zip(results) {
            let is_accepted = match result {
                Ok(_) => true,
                Err(DomainError::Changed | DomainError::WrongState { .. }) => false,
                Err(refusal) => panic!("{refusal:?}"),
            };
            let state = race.one().find(race.creator(), one.row.id).await.unwrap().row.state;
            let after = race.one().find(race.creator(), second.row.id).await.unwrap().row.state;
            let expected = match is_accepted {
                true => (MeetingState::Confirmed, MeetingState::Waiting),
                false => (MeetingState::Expired, MeetingState::Offered),
            };
            assert_eq!((state, after), expected);
        }
        server.advance((BATCH + 4) * HOUR).await;
        race.align(&server);
    }
    race.finish().await;
}

async fn an_offer_and_a_new_booking_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({})).await;
    for number in 1..=count() {
        let (from, to) = (number * HOUR, (number + 1) * HOUR);
        let taken = race.one().book(race.creator(), race.booking(from, to)).await.unwrap();
        let waits = race.one().book_or_wait(race.creator(), race.booking(from, to)).await.unwrap();
        let cancel = MeetingChange::Cancel { reason: String::new() };
        let results = tokio::join!(
            race.one().change(race.creator(), taken.row.id, cancel, taken.row.version),
            race.two().book(&server.colleague.actor, race.booking(from, from + 30 * MINUTE))
        );
        results.0.unwrap();
        // The room was never free for a third person in between.
        assert!(matches!(results.1, Err(DomainError::RoomTaken { .. })), "{:?}", results.1);
        let state = race.one().find(race.creator(), waits.row.id).await.unwrap().row.state;
        assert_eq!(state, MeetingState::Offered);
    }
    race.finish().await;
}

/// Two neighbours are cancelled at once, and one meeting waits for the time of both.
async fn two_offers_of_one_room_have_one_winner(server: TestServer) {
    let race = Race::start(&server, json!({})).await;
    for number in 1..=count() {
        let from = number * 2 * HOUR;
        let one = race.one().book(race.creator(), race.booking(from, from + HOUR)).await.unwrap();
        let two = race.one().book(race.creator(), race.booking(from + HOUR, from + 2 * HOUR)).await.unwrap();
        let long = race.booking(from, from + 2 * HOUR);
        let waits = race.one().book_or_wait(race.creator(), long).await.unwrap();
        let cancel = || MeetingChange::Cancel { reason: String::new() };
        let results = tokio::join!(
            race.one().change(race.creator(), one.row.id, cancel(), one.row.version),
            race.two().change(race.creator(), two.row.id, cancel(), two.row.version)
        );
        assert!(results.0.is_ok() && results.1.is_ok(), "{results:?}");
        let found = race.one().find(race.creator(), waits.row.id).await.unwrap();
        assert_eq!(found.row.state, MeetingState::Offered);
        let offers = found.timeline.iter().filter(|event| event.verb == "offer").count();
        assert_eq!(offers, 1);
    }
    race.finish().await;
}
