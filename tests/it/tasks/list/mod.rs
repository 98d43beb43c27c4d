//! The task list: pages in both directions, days, counts, and the page `/tasks` without JavaScript.

mod form_results;
mod saved_views;

use crate::{on_both, test_server::TestServer};
use domain::{
    Page, State, TaskId,
    task::{Change, TaskCounts, TaskQuery, TaskRow},
};
use serde_json::json;

on_both!(
    a_list_is_paged_in_both_directions,
    a_task_between_two_pages_is_neither_lost_nor_repeated,
    the_way_back_ends_with_a_full_first_page,
    a_list_starts_on_a_day_of_the_reader,
    the_tasks_in_each_state_are_counted,
    tasks_of_all_kinds_are_found_by_their_titles,
    the_page_opens_on_what_is_scheduled_and_lists_the_rest_latest_first,
    a_row_is_changed_without_javascript,
    a_form_is_in_the_page_only_when_the_url_asks_for_it,
);

async fn read(server: &TestServer, query: TaskQuery) -> Page<TaskRow> {
    server.app.services.tasks.list(&server.creator.actor, query).await.unwrap()
}

fn ids(page: &Page<TaskRow>) -> Vec<TaskId> {
    page.items.iter().map(|row| row.id).collect()
}

fn query(is_latest_first: bool, cursor: Option<String>) -> TaskQuery {
    TaskQuery { is_latest_first, cursor, limit: Some(2), ..TaskQuery::default() }
}

/// Creates seven tasks, of which three and three are due at the same time; returns them in order.
async fn seven_tasks(server: &TestServer) -> Vec<TaskId> {
    let mut rows = Vec::new();
    for number in 0..7 {
        rows.push(server.create_task(&format!("Task {number}"), 60_000 * (number / 3 + 1)).await);
    }
    rows.sort_by_key(|row| (row.due.at, row.id));
    rows.into_iter().map(|row| row.id).collect()
}

async fn a_list_is_paged_in_both_directions(server: TestServer) {
    let mut expected = seven_tasks(&server).await;
    for is_latest_first in [false, true] {
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let page = read(&server, query(is_latest_first, cursor)).await;
            assert_eq!(page.previous_cursor.is_some(), !pages.is_empty());
            cursor = page.next_cursor.clone();
            pages.push(page);
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(pages.iter().flat_map(ids).collect::<Vec<_>>(), expected);
        let mut page = pages.pop().unwrap();
        while let Some(cursor) = page.previous_cursor {
            page = read(&server, query(is_latest_first, Some(cursor))).await;
            assert_eq!(ids(&page), ids(&pages.pop().unwrap()));
            assert!(page.next_cursor.is_some());
        }
        assert!(pages.is_empty(), "the way back leads to the first page");
        expected.reverse();
    }
    for cursor in ["p", "pnonsense", "p5", "5.x"] {
        let refused =
            server.app.services.tasks.list(&server.creator.actor, query(false, Some(cursor.to_owned())));
        assert_eq!(refused.await.unwrap_err().field(), Some("cursor"), "{cursor}");
    }
}

async fn a_task_between_two_pages_is_neither_lost_nor_repeated(server: TestServer) {
    let all = seven_tasks(&server).await;
    let first = read(&server, query(false, None)).await;
    // The last row of the first page moves to the end, the row after it disappears.
    let moved = server.find_task(all[1]).await;
    let when = server.now().plus(3_600_000).into();
    server.change(&moved, Change::Reschedule { when }).await.unwrap();
    let waiting = TaskQuery { state: Some(State::Scheduled), ..query(false, first.next_cursor) };
    let gone = server.find_task(all[2]).await;
    server.change(&gone, Change::Cancel).await.unwrap();
    let mut page = read(&server, waiting).await;
    let mut seen = ids(&page);
    while let Some(cursor) = page.next_cursor {
        page = read(&server, TaskQuery { state: Some(State::Scheduled), ..query(false, Some(cursor)) }).await;
        seen.extend(ids(&page));
    }
    assert_eq!(seen, [&all[3..], &all[1..2]].concat());
}

async fn the_way_back_ends_with_a_full_first_page(server: TestServer) {
    let all = seven_tasks(&server).await;
    let first = read(&server, query(false, None)).await;
    let second = read(&server, query(false, first.next_cursor)).await;
    let gone = server.find_task(all[0]).await;
    server.change(&gone, Change::Cancel).await.unwrap();
    let waiting = TaskQuery { state: Some(State::Scheduled), ..query(false, second.previous_cursor) };
    let back = read(&server, waiting).await;
    assert_eq!((ids(&back), back.previous_cursor), (all[1..3].to_vec(), None));
}

async fn a_list_starts_on_a_day_of_the_reader(server: TestServer) {
    let first = server.create_task("Today", 60_000).await;
    let later = server.create_task("In three days", 3 * 86_400_000).await;
    let zone = presstime::zone::Zone::stored(&server.creator.actor.zone);
    let day = |millis: i64| {
        let (year, month, day) = zone.day(server.now().plus(millis));
        Some(format!("{year}-{month:02}-{day:02}"))
    };
    let on =
        |millis, is_latest_first| TaskQuery { day: day(millis), is_latest_first, ..TaskQuery::default() };
    let page = read(&server, on(2 * 86_400_000, false)).await;
    assert_eq!(ids(&page), [later.id]);
    let back = TaskQuery { cursor: page.previous_cursor, ..TaskQuery::default() };
    assert_eq!(ids(&read(&server, back).await), [first.id, later.id]);
    assert_eq!(ids(&read(&server, on(3 * 86_400_000, false)).await), [later.id]);
    assert_eq!(ids(&read(&server, on(2 * 86_400_000, true)).await), [first.id]);
    assert_eq!(ids(&read(&server, on(3 * 86_400_000, true)).await), [later.id, first.id]);
    let beyond = read(&server, on(9 * 86_400_000, false)).await;
    assert!(beyond.items.is_empty() && beyond.previous_cursor.is_some());
    for day in ["yesterday", "2026-13-01", "2026-02-30"] {
        let query = TaskQuery { day: Some(day.to_owned()), ..TaskQuery::default() };
        let refused = server.app.services.tasks.list(&server.creator.actor, query).await.unwrap_err();
        assert_eq!(refused.field(), Some("day"), "{day}");
    }
}

async fn the_tasks_in_each_state_are_counted(server: TestServer) {
    let counts = async || server.app.services.tasks.counts(&server.creator.actor).await.unwrap();
    assert_eq!(counts().await, TaskCounts::default(), "the canary does not count");
    let all = seven_tasks(&server).await;
    let gone = server.find_task(all[6]).await;
    server.change(&gone, Change::Cancel).await.unwrap();
    server.advance(61_000).await;
    let expected = TaskCounts { scheduled: 3, executed: 3, cancelled: 1, ..TaskCounts::default() };
    assert_eq!(counts().await, expected);
    assert_eq!((expected.of(None), expected.of(Some(State::Executed))), (7, 3));
}

async fn tasks_of_all_kinds_are_found_by_their_titles(server: TestServer) {
    server.schedule_new_article("Budget of the year", 60_000).await;
    let new = json!({"title": "Budget review", "local_start": "2027-03-08T09:00", "local_end": "2027-03-08T10:00", "zone": "UTC"});
    server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
    let titles = async |q: &str| {
        let found =
            server.as_creator().get(&format!("/api/v1/tasks?q={q}&state=scheduled")).await.expect(200);
        let titles =
            found["items"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned());
        titles.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    // The same before and after the search index is filled.
    assert_eq!(titles("budget").await, ["Budget of the year", "Budget review"]);
    server.tick().await;
    assert_eq!(titles("budget").await, ["Budget of the year", "Budget review"]);
    assert_eq!(titles("review").await, ["Budget review"]);
    assert!(titles("nothing").await.is_empty());
}

async fn the_page_opens_on_what_is_scheduled_and_lists_the_rest_latest_first(server: TestServer) {
    let place = |page: &str, id: TaskId| page.find(&format!("id=\"task-{id}\""));
    let (soon, later) =
        (server.create_task("Soon", 60_000).await, server.create_task("Later", 120_000).await);
    let page = server.page(&server.creator, "/tasks").await;
    assert!(place(&page, soon.id).unwrap() < place(&page, later.id).unwrap());
    let turned = server.page(&server.creator, "/tasks?order=latest").await;
    assert!(place(&turned, soon.id).unwrap() > place(&turned, later.id).unwrap());
    server.advance(130_000).await;
    assert_eq!(place(&server.page(&server.creator, "/tasks").await, soon.id), None);
    for path in ["/tasks?state=executed", "/tasks?state=all", "/tasks?state=executed&q="] {
        let page = server.page(&server.creator, path).await;
        assert!(place(&page, later.id).unwrap() < place(&page, soon.id).unwrap(), "{path}");
        assert!(!page.contains("class=\"relative\""), "no countdown: {path}");
    }
}

async fn a_row_is_changed_without_javascript(server: TestServer) {
    let row = server.create_task("By a button", 3_600_000).await;
    let browser = server.log_in_browser(&server.creator).await;
    let act = format!("cancel.{}.{}", row.id, row.version.0);
    assert!(browser.get("/tasks").await.expect_page().contains(&format!("value=\"{act}\"")));
    let from = "/tasks?q=button&move=x";
    let answer = browser.form("/fn/act_on_task", &[("act", &act), ("from", from)]).await;
    let to = format!("/tasks?q=button&changed={}", row.id);
    assert_eq!((answer.status, answer.result_location()), (303, to));
    assert_eq!(server.find_task(row.id).await.state, State::Cancelled);
    for act in ["", "cancel", "cancel.x.1", "nothing.01900000-0000-7000-8000-000000000000.1"] {
        let answer = browser.form("/fn/act_on_task", &[("act", act), ("from", "/tasks")]).await;
        assert_eq!(answer.status, 422, "{act}");
    }
}

async fn a_form_is_in_the_page_only_when_the_url_asks_for_it(server: TestServer) {
    let row = server.create_task("Moves", 3_600_000).await;
    let page = server.page(&server.creator, "/tasks").await;
    assert!(!page.contains("/fn/move_task") && page.contains(&format!("move={}", row.id)));
    let path = format!("/tasks?move={}", row.id);
    assert!(server.page(&server.creator, &path).await.contains("/fn/move_task"));
    assert!(!server.page(&server.colleague, &path).await.contains("/fn/move_task"));
}
