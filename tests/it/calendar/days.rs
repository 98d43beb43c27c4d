//! Which day an item belongs to.

use super::{days, titles};
use crate::{on_both, test_server::TestServer};
use serde_json::Value;

on_both!(
    a_day_begins_and_ends_at_midnight_of_its_zone,
    the_day_of_a_time_change_is_shorter_or_longer,
    a_meeting_is_on_each_of_its_days,
    ten_thousand_items_are_counted_and_the_first_of_each_day_returned,
    a_query_that_cannot_be_read_is_refused,
);

async fn a_day_begins_and_ends_at_midnight_of_its_zone(server: TestServer) {
    server.publish_at("Last of March", "2027-03-31T21:59:59.999Z").await;
    server.publish_at("First of April", "2027-03-31T22:00:00Z").await;
    server.publish_at("Noon", "2027-04-01T10:00:00Z").await;
    let client = server.as_creator();
    let berlin = days(&client, "zone=Europe/Berlin&from=2027-03-31&to=2027-04-01").await;
    assert_eq!(
        titles(&berlin),
        [("2027-03-31", vec!["Last of March"]), ("2027-04-01", vec!["First of April", "Noon"])]
    );
    let shanghai = days(&client, "zone=Shanghai&from=2027-03-01&to=2027-04-30").await;
    assert_eq!(titles(&shanghai), [("2027-04-01", vec!["Last of March", "First of April", "Noon"])]);
    assert_eq!(shanghai.len(), 61);
    let honolulu = days(&client, "zone=Pacific/Honolulu&from=2027-04-01&to=2027-04-01").await;
    assert_eq!(titles(&honolulu), [("2027-04-01", vec!["Noon"])]);
    assert_eq!(days(&client, "zone=UTC&from=2027-04-02").await[0]["count"], 0);
}

fn length(day: &Value) -> i64 {
    let at = |name: &str| day[name].as_str().unwrap().parse::<domain::Timestamp>().unwrap();
    at("ends_at").since(at("begins_at")) / 60_000
}

async fn the_day_of_a_time_change_is_shorter_or_longer(server: TestServer) {
    // In Berlin 02:30 does not exist on 28 March and occurs twice on 31 October; in Lord Howe the
    // clocks are set back by half an hour on 4 April.
    server.publish_at("Before", "2027-10-31T00:30:00Z").await;
    server.publish_at("After", "2027-10-31T01:30:00Z").await;
    server.publish_at("Last minute", "2027-10-31T22:59:00Z").await;
    server.publish_at("Lord Howe", "2027-04-04T13:29:00Z").await;
    let client = server.as_creator();
    let lengths = async |zone: &str, date: &str| {
        let days = days(&client, &format!("zone={zone}&from={date}")).await;
        (length(&days[0]), days[0]["count"].as_u64().unwrap())
    };
    assert_eq!(lengths("Europe/Berlin", "2027-03-28").await, (23 * 60, 0));
    assert_eq!(lengths("Europe/Berlin", "2027-10-31").await, (25 * 60, 3));
    assert_eq!(lengths("Europe/Berlin", "2027-10-30").await, (24 * 60, 0));
    assert_eq!(lengths("Australia/Lord_Howe", "2027-04-04").await, (24 * 60 + 30, 1));
    assert_eq!(lengths("Australia/Lord_Howe", "2027-10-03").await, (23 * 60 + 30, 0));
    // Beirut has no midnight on this day.
    let beirut = days(&client, "zone=Asia/Beirut&from=2027-03-28").await;
    assert_eq!(
        (length(&beirut[0]), beirut[0]["begins_at"].as_str()),
        (23 * 60, Some("2027-03-27T22:00:00.000Z"))
    );
    let week = days(&client, "zone=Europe/Berlin&from=2027-10-25&to=2027-10-31").await;
    assert_eq!(week.iter().map(length).sum::<i64>(), 7 * 24 * 60 + 60);
}

async fn a_meeting_is_on_each_of_its_days(server: TestServer) {
    server.meet("Offsite", "2027-03-30T08:00:00Z", "2027-04-01T12:00:00Z").await;
    server.meet("Until midnight", "2027-03-30T20:00:00Z", "2027-03-30T22:00:00Z").await;
    let client = server.as_creator();
    let all = days(&client, "zone=Europe/Berlin&from=2027-03-29&to=2027-04-02").await;
    assert_eq!(
        titles(&all),
        [
            ("2027-03-30", vec!["Offsite", "Until midnight"]),
            ("2027-03-31", vec!["Offsite"]),
            ("2027-04-01", vec!["Offsite"])
        ]
    );
    assert_eq!(all[2]["items"][0]["ends_at"], "2027-04-01T12:00:00.000Z");
}

async fn ten_thousand_items_are_counted_and_the_first_of_each_day_returned(server: TestServer) {
    let articles = server.create_articles(10_000).await;
    let (start, minute) = (server.now(), 60_000);
    let tasks = articles.iter().zip(0_i64..);
    // One each four minutes, from 09:00 to 09:56 o'clock 28 days later.
    let tasks = tasks.map(|(id, place)| crate::new_task::publish(*id, start.plus((place + 1) * 4 * minute)));
    server.app.services.tasks.schedule_all(&server.creator.actor, tasks.collect()).await.unwrap();
    let client = server.as_creator();
    let month = days(&client, "zone=UTC&from=2027-03-01&to=2027-04-11&limit=3").await;
    let sum = |name: &str| month.iter().map(|day| day[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("count"), sum("attention")), (10_000, 0));
    assert_eq!(
        (&month[0]["count"], &month[1]["count"], &month[40]["count"]),
        (&239.into(), &360.into(), &0.into())
    );
    for day in &month[..28] {
        let items = day["items"].as_array().unwrap();
        assert_eq!(items.len() as u64, day["count"].as_u64().unwrap().min(3), "{}", day["date"]);
        assert!(items.windows(2).all(|pair| pair[0]["starts_at"].as_str() < pair[1]["starts_at"].as_str()));
    }
    assert_eq!(month[1]["items"][0]["together"], 15);
    let rest = days(&client, "zone=UTC&from=2027-03-02&limit=100&skip=300").await;
    assert_eq!(rest[0]["items"].as_array().unwrap().len(), 60);
    assert_eq!(rest[0]["items"][0]["starts_at"], "2027-03-02T20:00:00.000Z");
    let all = days(&client, "zone=UTC&from=2027-03-01&to=2027-04-11&limit=100000").await;
    let items: usize = all.iter().map(|day| day["items"].as_array().unwrap().len()).sum();
    assert!(items <= 2_000, "{items}");
    let page = server.page(&server.creator, "/calendar?date=2027-03-01&zone=UTC").await;
    // The content of the template at the end is not in the document.
    let shown = page.split("<template").next().unwrap_or_default();
    let elements =
        shown.split('<').filter(|part| part.starts_with(|letter: char| letter.is_ascii_alphabetic()));
    let elements = elements.count();
    assert!(elements <= 1_500, "{elements} elements");
    assert!(page.contains("+357 more"), "{page}");
}

async fn a_query_that_cannot_be_read_is_refused(server: TestServer) {
    let client = server.as_creator();
    for (query, field) in [
        ("from=yesterday", "from"),
        ("from=2027-02-30", "from"),
        ("to=2027-03-01", "from"),
        ("from=2027-03-02&to=2027-03-01", "to"),
        ("from=2027-03-01&to=2027-05-02", "to"),
        ("zone=Atlantis", "zone"),
        ("kind=nothing", "kind"),
        ("kind=meeting.start", "kind"),
        ("state=scheduled", "state"),
        ("owner=none", "owner"),
    ] {
        let refused = client.get(&format!("/api/v1/calendar?{query}")).await.expect(422);
        assert_eq!(refused["error"]["field"].as_str(), Some(field), "{query}: {refused}");
    }
    assert_eq!(days(&client, "from=2027-03-01&to=2027-05-01").await.len(), 62);
    assert_eq!(days(&client, "from=2199-12-31&zone=UTC").await.len(), 1);
    assert_eq!(days(&client, "").await[0]["date"], "2027-03-01");
}
