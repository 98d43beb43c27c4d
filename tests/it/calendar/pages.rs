//! `/calendar` without JavaScript: views, dates, filters, new items and moves.

use crate::{
    engine::engine_page::assert_contains,
    on_both,
    test_server::{Account, TestServer},
};
use serde_json::Value;

on_both!(
    every_view_shows_the_items_and_its_neighbours,
    the_hours_of_a_time_change_are_distinguished,
    items_without_a_lane_are_counted,
    the_url_holds_zone_and_filters,
    something_new_begins_with_a_time,
    an_item_is_moved_and_moved_back,
    a_skipped_time_asks_in_place,
    what_cannot_be_read_falls_back,
);

async fn open(server: &TestServer, account: &Account, query: &str) -> String {
    server.page(account, &format!("/calendar?{query}")).await
}

/// The targets of links that contain a text.
fn links<'a>(page: &'a str, part: &str) -> Vec<&'a str> {
    let targets = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    targets.filter(|target| target.contains(part)).collect()
}

async fn every_view_shows_the_items_and_its_neighbours(server: TestServer) {
    let row = server.publish_at("In spring", "2027-04-07T09:00:00Z").await;
    server.create_draft("Waits for a time").await;
    for (query, heading, previous, next) in [
        ("date=2027-04-30&zone=UTC", "April 2027", "date=2027-03-01", "date=2027-05-01"),
        (
            "date=2027-04-07&zone=UTC&view=week",
            "Mon 5 Apr – Sun 11 Apr · Week 14",
            "date=2027-03-31",
            "date=2027-04-14",
        ),
        ("date=2027-04-07&zone=UTC&view=day", "Wed 7 Apr", "date=2027-04-06", "date=2027-04-08"),
        (
            "date=2027-04-07&zone=UTC&view=agenda",
            "Wed 7 Apr – Fri 7 May",
            "date=2027-03-07",
            "date=2027-05-08",
        ),
    ] {
        let page = open(&server, &server.creator, query).await;
        assert_contains(&page, &["In spring", heading, "09:00", "Waits for a time"]);
        assert_eq!(links(&page, &format!("/tasks/{}", row.id)).len(), 1, "{query}");
        assert!(!links(&page, previous).is_empty(), "{query}: {previous}");
        assert!(!links(&page, next).is_empty(), "{query}: {next}");
    }
    let page = open(&server, &server.creator, "date=2028-06-14&zone=UTC&view=week").await;
    assert_contains(&page, &["Mon 12 Jun – Sun 18 Jun 2028 · Week 24"]);
    let page = open(&server, &server.creator, "date=2027-04-07&zone=UTC&week=sun").await;
    assert!(page.find(">Sun<").unwrap() < page.find(">Mon<").unwrap());
    let page = open(&server, &server.creator, "date=2027-08-01&zone=UTC").await;
    assert_contains(&page, &["Nothing is planned in this period.", "August 2027"]);
}

async fn the_hours_of_a_time_change_are_distinguished(server: TestServer) {
    server.publish_at("First half past two", "2027-10-31T00:30:00Z").await;
    server.publish_at("Second half past two", "2027-10-31T01:30:00Z").await;
    let autumn = open(&server, &server.creator, "date=2027-10-31&zone=Europe/Berlin&view=day").await;
    assert_eq!(autumn.matches("data-hour=").count(), 25);
    assert_contains(
        &autumn,
        &["this day has 25 hours", "02:00 UTC+2", "02:00 UTC+1", "02:30 UTC+2", "02:30 UTC+1"],
    );
    let spring = open(&server, &server.creator, "date=2027-03-28&zone=Europe/Berlin&view=day").await;
    assert_eq!(spring.matches("data-hour=").count(), 23);
    assert!(!spring.contains(">02:00"), "{spring}");
    let half = open(&server, &server.creator, "date=2027-04-04&zone=Australia/Lord_Howe&view=day").await;
    assert_contains(&half, &["this day has 24.5 hours", "01:30 UTC+10:30"]);
    let usual = open(&server, &server.creator, "date=2027-10-30&zone=Europe/Berlin&view=day").await;
    assert_eq!(usual.matches("data-hour=").count(), 24);
    assert!(usual.contains(">02:00<"));
    // Beside other days the hours are those of the clock.
    let week = open(&server, &server.creator, "date=2027-10-31&zone=Europe/Berlin&view=week").await;
    assert_eq!(week.matches("data-hour=").count(), 7 * 24);
    assert_contains(&week, &["02:30 UTC+2", "02:30 UTC+1"]);
}

async fn items_without_a_lane_are_counted(server: TestServer) {
    for number in 0..10 {
        server.publish_at(&format!("Burst {number}"), "2027-04-07T09:00:00Z").await;
    }
    server.meet("Retreat", "2027-04-06T08:00:00Z", "2027-04-08T18:00:00Z").await;
    let week = open(&server, &server.creator, "date=2027-04-07&zone=UTC&view=week").await;
    assert_contains(&week, &["+9 more: Wed 7 Apr, 09:00", "#hour-0900\"", "time-all-day"]);
    let day = open(&server, &server.creator, "date=2027-04-07&zone=UTC&view=day").await;
    assert_contains(&day, &["<details>", "+7 more: Wed 7 Apr, 09:00", "id=\"hour-0900\"", "time-all-day"]);
}

async fn the_url_holds_zone_and_filters(server: TestServer) {
    server.publish_at("Article", "2027-03-03T23:30:00Z").await;
    server.meet("Meeting", "2027-03-03T10:00:00Z", "2027-03-03T11:00:00Z").await;
    let page = open(&server, &server.creator, "date=2027-03-04&view=day&zone=Shanghai").await;
    assert_contains(&page, &["07:30", "Times in Shanghai", "Article"]);
    assert!(links(&page, "date=2027-03-05").iter().all(|link| link.contains("zone=Shanghai")));
    let page = open(&server, &server.creator, "date=2027-03-03&zone=UTC&kind=meeting").await;
    assert!(page.contains("Meeting,") || page.contains("10:00 Meeting"), "{page}");
    assert!(!page.contains("23:30 Article"));
    let page = open(&server, &server.colleague, "date=2027-03-03&zone=UTC&owner=me").await;
    assert_contains(&page, &["Nothing matches.", "Clear the filters"]);
    assert!(!open(&server, &server.creator, "").await.contains("message.send"));
}

async fn something_new_begins_with_a_time(server: TestServer) {
    let page = open(&server, &server.creator, "date=2027-03-04&view=day&zone=Shanghai").await;
    let new = links(&page, "new=2027-03-04T14%3A00");
    assert_eq!(new.len(), 1, "{page}");
    assert_contains(&page, &["New at 14:00", "Nothing is planned on this day."]);
    assert!(!page.contains("New on 14:00"));
    let path = new[0].replace("&amp;", "&");
    let page = server.page(&server.creator, &path).await;
    assert_contains(&page, &["What is planned for Thu 4 Mar, 14:00 Shanghai?"]);
    let article = links(&page, "/articles/new?date=")[0].replace("&amp;", "&");
    let form = server.page(&server.creator, &article).await;
    assert_contains(&form, &["value=\"2027-03-04\"", "value=\"14:00\"", "value=\"Shanghai\""]);
    let meeting = links(&page, "/meetings/new?date=")[0].replace("&amp;", "&");
    let form = server.page(&server.creator, &meeting).await;
    assert_contains(
        &form,
        &["value=\"2027-03-04\"", "value=\"14:00\"", "value=\"15:00\"", "value=\"Shanghai\""],
    );
    // What has passed cannot be planned.
    assert!(
        links(&open(&server, &server.creator, "date=2027-02-10&zone=UTC").await, "new=2027-02-").is_empty()
    );
}

async fn an_item_is_moved_and_moved_back(server: TestServer) {
    let row = server.publish_at("Moves", "2027-03-10T09:00:00Z").await;
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/calendar?date=2027-03-10&zone=UTC").await.expect_page();
    let form = links(&page, &format!("move={}", row.id))[0].replace("&amp;", "&");
    let page = browser.get(&form).await.expect_page();
    assert_contains(&page, &["Move “Moves”", "/fn/move_task"]);
    let (id, seen) = (row.id.to_string(), row.version.0.to_string());
    let fields = [
        ("id", id.as_str()),
        ("seen", &seen),
        ("date", "2027-03-12"),
        ("time", "14:30"),
        ("zone", "Berlin"),
        ("from", &form),
    ];
    let moved = browser.form("/fn/move_task", &fields).await;
    assert_eq!(moved.status, 303);
    let to = moved.result_location();
    assert!(
        to.starts_with("/calendar?date=2027-03-10&zone=UTC") && to.ends_with(&format!("changed={id}")),
        "{to}"
    );
    assert_eq!(server.find_task(row.id).await.due.at.to_string(), "2027-03-12T13:30:00.000Z");
    let page = browser.get(moved.header("location")).await.expect_page();
    assert_contains(&page, &["Undo reschedule", "13:30"]);
    // The same form again finds another version.
    let late = browser
        .form("/fn/move_task", &[&fields[..2], &[("date", "2027-03-13")], &fields[3..]].concat())
        .await;
    assert_eq!(late.status, 409);
    let seen = server.find_task(row.id).await.version.0.to_string();
    let undo = [("id", id.as_str()), ("seen", &seen), ("what", "undo"), ("from", &to)];
    assert_eq!(browser.form("/fn/change_task", &undo).await.status, 303);
    assert_eq!(server.find_task(row.id).await.due.at, row.due.at);
    // A meeting keeps its room and gets start and end.
    let meeting = server.meet("Walks", "2027-03-10T10:00:00Z", "2027-03-10T11:00:00Z").await;
    let id = meeting["id"].as_str().unwrap();
    let form = format!("/calendar?date=2027-03-10&zone=UTC&move=meeting.{id}");
    assert_contains(&browser.get(&form).await.expect_page(), &["Move “Walks”", "/fn/move_meeting"]);
    let fields = [
        ("id", id),
        ("seen", "1"),
        ("room_id", ""),
        ("date", "2027-03-11"),
        ("time", "08:00"),
        ("end", "09:00"),
        ("zone", "UTC"),
        ("from", &form),
    ];
    assert_eq!(browser.form("/fn/move_meeting", &fields).await.status, 303);
    let now: Value = server.as_creator().get(&format!("/api/v1/meetings/{id}")).await.expect(200);
    assert_eq!(now["starts_at"], "2027-03-11T08:00:00.000Z");
    let theirs = open(&server, &server.colleague, &format!("date=2027-03-10&zone=UTC&move={}", row.id)).await;
    assert_contains(&theirs, &["This cannot be moved"]);
}

async fn a_skipped_time_asks_in_place(server: TestServer) {
    let row = server.publish_at("Spring", "2027-03-27T09:00:00Z").await;
    let browser = server.log_in_browser(&server.creator).await;
    let from = format!("/calendar?date=2027-03-27&view=day&move={}", row.id);
    let (id, seen) = (row.id.to_string(), row.version.0.to_string());
    let fields = |date: &'static str| {
        [
            ("id", id.clone()),
            ("seen", seen.clone()),
            ("date", date.to_owned()),
            ("time", "02:30".to_owned()),
            ("zone", "Berlin".to_owned()),
            ("from", from.clone()),
        ]
    };
    for (date, offers) in [("2027-03-28", ["01:59", "03:00"]), ("2027-10-31", ["earlier", "later"])] {
        let fields = fields(date);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let page = browser.form("/fn/move_task", &fields).await;
        assert_eq!(page.status, 422);
        assert_contains(&page.text, &["Calendar", date, offers[0], offers[1]]);
    }
    assert_eq!(server.find_task(row.id).await.due.at, row.due.at);
}

async fn what_cannot_be_read_falls_back(server: TestServer) {
    for query in [
        "date=yesterday",
        "date=1999-01-01",
        "zone=Atlantis",
        "kind=nothing",
        "view=year",
        "move=x",
        "new=x",
        "skip=-1",
        "state=x",
    ] {
        let page = open(&server, &server.creator, query).await;
        assert!(page.contains("March 2027"), "{query}");
        assert_eq!(
            page.contains("role=\"alert\""),
            query.starts_with("zone") || query.starts_with("kind") || query.starts_with("date"),
            "{query}"
        );
    }
    let page = open(&server, &server.creator, "date=2199-12-31").await;
    assert!(page.contains("December 2199"), "{page}");
}
