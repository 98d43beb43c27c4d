//! The list of meetings: a series is one row with its next date.

use super::{ten_mondays, weekly};
use crate::{
    meetings::{HOUR, act},
    on_both,
    test_server::TestServer,
};
use domain::meetings::MeetingQuery;
use serde_json::json;

on_both!(
    a_series_is_one_row_with_its_next_date,
    a_series_is_one_meeting_on_all_pages_of_a_list,
    a_move_and_a_cancellation_offer_the_same_three_scopes,
    a_series_without_an_end_lasts_three_months,
);

/// Number of rows of a page.
fn rows(page: &str) -> usize {
    page.matches("id=\"meeting-").count()
}

async fn a_series_is_one_row_with_its_next_date(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let first = server.book_series(&weekly(&room, &ten_mondays())).await.expect(201);
    server.occupy(&room, &server.time_after(HOUR), &server.time_after(2 * HOUR)).await;
    let page = server.page(&server.creator, "/meetings?state=all").await;
    assert_eq!(rows(&page), 2, "{page}");
    assert!(page.contains("Repeats every week on Mon, 10 times"), "{page}");
    assert!(page.contains("2 of 2") && page.contains("Cancel this date"), "{page}");
    let found = server.page(&server.creator, "/meetings?state=all&q=planning").await;
    assert_eq!(rows(&found), 1);
    assert!(found.contains("1 of 1"), "the count follows the search");
    act(&server.as_creator(), &first, "cancel").await.expect(200);
    let series = server.series(&first).await;
    let dates = series["meetings"].as_array().unwrap();
    let next = dates.iter().find(|date| date["state"] == "confirmed").unwrap()["id"].as_str().unwrap();
    let page = server.page(&server.creator, "/meetings").await;
    assert_eq!(rows(&page), 1);
    assert!(page.contains(&format!("id=\"meeting-{next}\"")), "the next that takes place: {page}");
    let path = format!("/meetings?state=all&series={}", first["series_id"].as_str().unwrap());
    let dates = server.page(&server.creator, &path).await;
    assert_eq!(rows(&dates), 10, "{dates}");
    assert!(dates.contains("10 of 10"), "{dates}");
}

async fn a_series_is_one_meeting_on_all_pages_of_a_list(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    server.book_series(&weekly(&room, &ten_mondays())).await.expect(201);
    server.occupy(&room, "2027-03-01T20:00:00Z", "2027-03-01T21:00:00Z").await;
    server.occupy(&room, "2027-03-30T20:00:00Z", "2027-03-30T21:00:00Z").await;
    let (meetings, actor) = (&server.app.services.meetings, &server.creator.actor);
    for is_latest_first in [false, true] {
        let query = MeetingQuery {
            is_one_per_series: true,
            is_latest_first,
            from: Some(server.now()),
            limit: Some(1),
            ..MeetingQuery::default()
        };
        assert_eq!(meetings.counts(actor, query.clone()).await.unwrap().all, 3);
        let (mut titles, mut cursor) = (Vec::new(), None);
        loop {
            let page = meetings.list(actor, MeetingQuery { cursor, ..query.clone() }).await.unwrap();
            titles.extend(page.items.into_iter().map(|row| row.title));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(titles, ["Elsewhere", "Planning", "Elsewhere"]);
    }
}

async fn a_move_and_a_cancellation_offer_the_same_three_scopes(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let rule = json!({"frequency": "weekly", "until": "2027-05-10"});
    let first = server.book_series(&weekly(&room, &rule)).await.expect(201);
    let page = server.page(&server.creator, &format!("/meetings/{}", first["id"].as_str().unwrap())).await;
    assert_eq!(page.matches("name=\"reach[reach]\"").count(), 6, "{page}");
    assert!(page.contains("until Mon 10 May 2027") && !page.contains("until 2027-"), "{page}");
    assert!(page.contains("Cancel …"), "{page}");
}

async fn a_series_without_an_end_lasts_three_months(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let fields = [
        ("meeting[title]", "Rowing"),
        ("date", "2027-03-08"),
        ("time", "09:00"),
        ("end", "10:00"),
        ("zone", "UTC"),
        ("repeat[every]", "weekly"),
        ("from", "/meetings/new"),
    ];
    let booked = browser.form("/fn/book_meeting", &fields).await;
    assert!((300..400).contains(&booked.status), "{} {}", booked.status, booked.text);
    assert_eq!(server.starts("Rowing").await.len(), 13);
    let form = browser.get("/meetings/new").await.expect_page();
    assert!(form.contains("Without an end: three months"), "{form}");
}
