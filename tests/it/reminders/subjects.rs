//! Reminders of users about articles and meetings follow them: none is stale, none is lost.

use super::{MINUTE, path};
use crate::{
    deliveries::text,
    new_task::{publish, unpublish},
    on_both,
    test_server::{Backend, TestServer},
};
use domain::{
    ArticleId, State,
    task::{Change, TaskRow},
};
use serde_json::{Value, json};
use std::collections::HashMap;
use test_support::SmtpSink;

on_both!(
    an_article_reminds_before_and_after_its_publication,
    every_change_of_a_publication_changes_its_reminders,
    an_article_that_is_not_published_reminds_no_one,
    a_meeting_reminds_a_user_before_and_after_it,
    bad_reminders_about_something_are_refused,
    the_pages_of_an_article_and_a_meeting_set_reminders,
);

const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

impl TestServer {
    /// Sets a reminder of the creator, this number of minutes after the publication.
    async fn remind_of(&self, article: ArticleId, text: &str, offset_minutes: i64, more: Value) -> Value {
        let about = json!({"due_at": null, "article_id": article, "offset_minutes": offset_minutes});
        let mut all = about.as_object().unwrap().clone();
        all.extend(more.as_object().unwrap().clone());
        self.remind(text, 0, Value::Object(all)).await
    }

    /// When the reminder is due, in milliseconds from now, and its state.
    async fn due_in(&self, reminder: &Value) -> (i64, String) {
        let now = self.reminder(reminder).await;
        let due: domain::Timestamp = text(&now["due_at"]).parse().unwrap();
        (due.since(self.now()), text(&now["state"]).to_owned())
    }
}

fn scheduled(millis: i64) -> (i64, String) {
    (millis, "scheduled".to_owned())
}

async fn an_article_reminds_before_and_after_its_publication(server: TestServer) {
    let row = server.create_task("Bridges", 3 * DAY).await;
    let article = ArticleId(row.target_id);
    let before = server.remind_of(article, "ask for the picture", -2 * 24 * 60, json!({})).await;
    assert_eq!(before["article_id"], json!(article), "{before}");
    assert_eq!((&before["minutes"], &before["offset_minutes"]), (&json!(2_880), &json!(-2_880)));
    assert_eq!((&before["meeting_id"], &before["before"]), (&Value::Null, &json!("start")));
    assert_eq!(server.due_in(&before).await, scheduled(DAY));
    let after = server.remind_of(article, "review it", 7 * 24 * 60, json!({})).await;
    assert_eq!((&after["minutes"], &after["offset_minutes"]), (&Value::Null, &json!(10_080)));
    assert_eq!(server.due_in(&after).await, scheduled(10 * DAY));
    server.advance(DAY - 1).await;
    let creator = server.as_creator();
    assert!(server.notified(&creator).await.is_empty());
    server.advance(1).await;
    let list = creator.get("/api/v1/notifications").await.expect(200);
    let notes = text(&list["items"][0]["text"]);
    assert!(notes.starts_with("ask for the picture\n“Bridges” is published: "), "{notes}");
    assert_eq!(text(&list["items"][0]["link"]), format!("/articles/{article}"));
    server.advance(2 * DAY).await;
    assert_eq!(server.find_task(row.id).await.state, State::Executed);
    assert_eq!(server.due_in(&after).await, scheduled(7 * DAY), "it waits after the publication");
    server.advance(7 * DAY).await;
    let notes = server.notified(&creator).await;
    assert!(notes[0].starts_with("review it\n“Bridges” was published: "), "{notes:?}");
    assert_eq!((notes.len(), server.reminder_state(&after).await.as_str()), (2, "sent"));
    server.assert_execution_records_match().await;
}

async fn every_change_of_a_publication_changes_its_reminders(server: TestServer) {
    let mut row = server.create_task("Bridges", 5 * HOUR).await;
    let reminder = server.remind_of(ArticleId(row.target_id), "picture", -60, json!({})).await;
    assert_eq!(server.due_in(&reminder).await, scheduled(4 * HOUR));
    let when = server.now().plus(8 * HOUR).into();
    row = server.change(&row, Change::Reschedule { when }).await.unwrap();
    assert_eq!(server.due_in(&reminder).await, scheduled(7 * HOUR), "one task was moved");
    row = server.change(&row, Change::Undo).await.unwrap();
    assert_eq!(server.due_in(&reminder).await, scheduled(4 * HOUR), "the move was undone");
    let body = json!({"ids": [row.id], "change": {"type": "shift", "days": 0, "minutes": 60}});
    let done = server.as_creator().post("/api/v1/tasks/bulk-change", &body).await.expect(200);
    assert_eq!(server.due_in(&reminder).await, scheduled(5 * HOUR), "many tasks were moved");
    let path = format!("/api/v1/batches/{}/undo", text(&done["batch_id"]));
    server.as_creator().post(&path, &json!({})).await.expect(200);
    assert_eq!(server.due_in(&reminder).await, scheduled(4 * HOUR), "and moved back");
    row = server.find_task(row.id).await;
    row = server.change(&row, Change::Cancel).await.unwrap();
    let now = server.reminder(&reminder).await;
    assert_eq!((text(&now["state"]), text(&now["reason"])), ("cancelled", "target_over"));
    row = server.change(&row, Change::Undo).await.unwrap();
    assert_eq!(server.due_in(&reminder).await, scheduled(4 * HOUR), "it comes back with the task");
    server.change(&row, Change::Cancel).await.unwrap();
    let again = publish(ArticleId(row.target_id), server.now().plus(2 * HOUR));
    row = server.app.services.tasks.schedule(&server.creator.actor, again).await.unwrap();
    assert_eq!(server.due_in(&reminder).await, scheduled(HOUR), "and with a new task");
    let when = server.now().plus(3 * HOUR).into();
    row = server.change(&row, Change::Reschedule { when }).await.unwrap();
    assert_eq!(server.due_in(&reminder).await, scheduled(2 * HOUR), "which is followed too");
    server.change(&row, Change::PublishNow).await.unwrap();
    let now = server.reminder(&reminder).await;
    assert_eq!((text(&now["state"]), text(&now["reason"])), ("skipped", "passed"));
    server.advance(DAY).await;
    assert!(server.notified(&server.as_creator()).await.is_empty());
    server.assert_execution_records_match().await;
}

async fn an_article_that_is_not_published_reminds_no_one(server: TestServer) {
    let row = server.create_task("Bridges", HOUR).await;
    let article = ArticleId(row.target_id);
    let own = server.remind_of(article, "mine", 30, json!({})).await;
    let colleague = server.as_colleague();
    let about = json!({"text": "theirs", "article_id": article, "offset_minutes": 30});
    let theirs = colleague.post("/api/v1/reminders", &about).await.expect(201);
    let off = unpublish(article, server.now().plus(HOUR + 10 * MINUTE));
    server.app.services.tasks.schedule(&server.creator.actor, off).await.unwrap();
    server.advance(HOUR).await;
    server.advance(10 * MINUTE).await;
    server.advance(HOUR).await;
    for reminder in [&own, &theirs] {
        let now = server.reminder(reminder).await;
        assert_eq!((text(&now["state"]), text(&now["reason"])), ("cancelled", "target_over"), "{now}");
    }
    assert!(server.notified(&colleague).await.is_empty());
}

async fn a_meeting_reminds_a_user_before_and_after_it(server: TestServer) {
    let book = json!({"title": "Planning", "starts_at": server.time_after(2 * HOUR),
                      "ends_at": server.time_after(3 * HOUR),
                      "reminders": [{"before": "start", "minutes": 10, "by": "mail"}]});
    let creator = server.as_creator();
    let meeting = creator.post("/api/v1/meetings", &book).await.expect(201);
    let path = format!("/api/v1/meetings/{}", text(&meeting["id"]));
    let about = |text: &str, from: &str, offset: i64| {
        json!({"text": text, "meeting_id": meeting["id"],
                                                            "anchor": from, "offset_minutes": offset})
    };
    let before = creator.post("/api/v1/reminders", &about("print the plan", "start", -30)).await.expect(201);
    let after = creator.post("/api/v1/reminders", &about("send the notes", "end", 60)).await.expect(201);
    assert_eq!(server.due_in(&before).await, scheduled(HOUR + 30 * MINUTE));
    assert_eq!(server.due_in(&after).await, scheduled(4 * HOUR));
    let edit = json!({"seen_version": meeting["version"], "starts_at": server.time_after(4 * HOUR),
                      "ends_at": server.time_after(5 * HOUR), "reminders": []});
    let moved = creator.patch(&path, &edit).await.expect(200);
    assert_eq!(moved["reminders"].as_array().unwrap().len(), 0, "those of the meeting were removed: {moved}");
    assert_eq!(server.due_in(&before).await, scheduled(3 * HOUR + 30 * MINUTE), "those of users moved");
    assert_eq!(server.due_in(&after).await, scheduled(6 * HOUR));
    let seen = json!({"seen_version": moved["version"]});
    let cancelled = creator.post(&format!("{path}/cancel"), &seen).await.expect(200);
    assert_eq!(server.reminder_state(&after).await, "cancelled");
    let seen = json!({"seen_version": cancelled["version"]});
    creator.post(&format!("{path}/undo"), &seen).await.expect(200);
    assert_eq!(server.due_in(&after).await, scheduled(6 * HOUR));
    server.advance(3 * HOUR + 30 * MINUTE).await;
    let notes = server.notified(&creator).await;
    assert!(notes.len() == 1 && notes[0].contains("print the plan"), "{notes:?}");
    server.advance(2 * HOUR + 30 * MINUTE).await;
    let notes = server.notified(&creator).await;
    assert!(notes.len() == 2 && notes[0].contains("send the notes"), "{notes:?}");
}

async fn bad_reminders_about_something_are_refused(server: TestServer) {
    let draft = server.create_article("Draft").await;
    let row = server.create_task("Bridges", HOUR).await;
    let article = row.target_id;
    let unknown = uuid::Uuid::now_v7();
    for (body, status, field) in [
        (json!({"article_id": draft, "offset_minutes": -5}), 422, "offset_minutes"),
        (json!({"article_id": article, "offset_minutes": -90}), 422, "offset_minutes"),
        (json!({"article_id": article, "offset_minutes": 600_000}), 422, "offset_minutes"),
        (json!({"article_id": article, "offset_minutes": -600_000}), 422, "offset_minutes"),
        (json!({"article_id": article}), 422, "offset_minutes"),
        (json!({"offset_minutes": 5}), 422, "offset_minutes"),
        (json!({"article_id": article, "meeting_id": article, "offset_minutes": 5}), 422, "article_id"),
        (json!({"article_id": article, "offset_minutes": 5, "anchor": "end"}), 422, "anchor"),
        (json!({"article_id": article, "offset_minutes": 5, "anchor": "middle"}), 422, "anchor"),
        (json!({"article_id": article, "offset_minutes": 5, "when": "tomorrow"}), 422, "offset_minutes"),
        (json!({"meeting_id": article, "offset_minutes": 5}), 404, ""),
        (json!({"article_id": unknown, "offset_minutes": 5}), 404, ""),
        (json!({"article_id": "x", "offset_minutes": 5}), 404, ""),
    ] {
        let mut new = body.clone();
        new["text"] = json!("ask");
        let refused = server.as_creator().post("/api/v1/reminders", &new).await.expect(status);
        assert_eq!(refused["error"]["field"].as_str().unwrap_or(""), field, "{body} {refused}");
    }
    let made = server.remind_of(ArticleId(article), "again", 5, json!({})).await;
    let weekly = json!({"when": "every monday 9am", "zone": "UTC"});
    let refused = server.as_creator().patch(&path(&made, ""), &weekly).await.expect(422);
    assert_eq!(refused["error"]["field"], "series", "what follows an article does not repeat: {refused}");
    for _ in 1..50 {
        server.remind_of(ArticleId(article), "again", 5, json!({})).await;
    }
    let one_more = json!({"text": "again", "article_id": article, "offset_minutes": 5});
    let refused = server.as_creator().post("/api/v1/reminders", &one_more).await.expect(422);
    assert_eq!(refused["error"]["field"], "text", "{refused}");
}

async fn the_pages_of_an_article_and_a_meeting_set_reminders(server: TestServer) {
    let row = server.create_task("Bridges", 3 * DAY).await;
    let browser = server.log_in_browser(&server.creator).await;
    let path = format!("/articles/{}", row.target_id);
    let about = row.target_id.to_string();
    let mut form = vec![
        ("subject", "article"),
        ("about", about.as_str()),
        ("text", "Ask for the picture"),
        ("address", server.colleague.email.as_str()),
        ("amount", "two"),
        ("unit", "days"),
        ("side", "before"),
        ("from", path.as_str()),
    ];
    let refused = browser.form("/fn/remind_about", &form).await;
    assert!(
        refused.text.contains("Ask for the picture") && refused.text.contains("value=\"two\""),
        "{}",
        refused.text
    );
    form[4].1 = "2";
    for _ in 0..2 {
        let reply = browser.form("/fn/remind_about", &form).await;
        assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
    }
    let page = browser.get(&path).await.expect_page();
    assert_eq!(page.matches(">Ask for the picture<").count(), 1, "sent twice, set once: {page}");
    assert!(page.contains("2 d before the publication of “Bridges”"), "{page}");
    let colleague = server.log_in_browser(&server.colleague).await;
    assert!(colleague.get(&path).await.text.contains("Ask for the picture"), "it is for this user");
    let reviewer = server.log_in_browser(&server.reviewer).await;
    assert!(!reviewer.get(&path).await.text.contains("Ask for the picture"), "but not for others");
    server.advance(DAY).await;
    assert_eq!(server.notified(&server.as_colleague()).await.len(), 1);
    let browser = server.log_in_browser(&server.creator).await;
    let book = json!({"title": "Planning", "starts_at": server.time_after(2 * HOUR), "ends_at": server.time_after(3 * HOUR)});
    let meeting = server.as_creator().post("/api/v1/meetings", &book).await.expect(201);
    let (about, path) = (text(&meeting["id"]), format!("/meetings/{}", text(&meeting["id"])));
    let form = [
        ("subject", "meeting"),
        ("about", about),
        ("text", "Send the notes"),
        ("amount", "1"),
        ("unit", "hours"),
        ("side", "after"),
        ("anchor", "end"),
        ("from", path.as_str()),
    ];
    let reply = browser.form("/fn/remind_about", &form).await;
    assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
    let page = browser.get(&path).await.expect_page();
    assert!(page.contains("1 h after the end of “Planning”"), "{page}");
}

/// A generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % end
    }
}

/// One article of the model. Times are minutes from the beginning.
struct Plan {
    row: TaskRow,
    title: String,
    /// When it is or was published; `None`: it is not scheduled.
    publication: Option<i64>,
    /// Numbers of reminders before and after that must have been sent.
    expected: (usize, usize),
}

const BEFORE: i64 = 7;
const AFTER: i64 = 3;

/// Makes a random change of a publication that lies ahead, in one of the ways to make it.
async fn change(server: &TestServer, one: &mut Plan, numbers: &mut Numbers, clock: i64) {
    let (id, later) = (one.row.id, BEFORE + 1 + numbers.below(20));
    let Some(at) = one.publication else {
        let new = publish(ArticleId(one.row.target_id), server.now().plus(later * MINUTE));
        one.row = server.app.services.tasks.schedule(&server.creator.actor, new).await.unwrap();
        one.publication = Some(clock + later);
        return;
    };
    if at <= clock {
        return;
    }
    let row = server.find_task(id).await;
    match numbers.below(6) {
        0 | 1 => {
            let when = server.now().plus(later * MINUTE).into();
            server.change(&row, Change::Reschedule { when }).await.unwrap();
            one.publication = Some(clock + later);
        }
        2 => {
            let body = json!({"ids": [id], "change": {"type": "shift", "days": 0, "minutes": later}});
            server.as_creator().post("/api/v1/tasks/bulk-change", &body).await.expect(200);
            one.publication = Some(at + later);
        }
        3 => {
            server.change(&row, Change::PublishNow).await.unwrap();
            one.publication = Some(clock);
        }
        4 => {
            let row = server.change(&row, Change::Cancel).await.unwrap();
            server.change(&row, Change::Undo).await.unwrap();
        }
        _ => {
            server.change(&row, Change::Cancel).await.unwrap();
            one.publication = None;
        }
    }
}

/// 300 articles whose publications are moved, cancelled, undone, scheduled again and executed at random:
/// every reminder that was sent belongs to the plan of that moment, and none is missing.
async fn random_histories(backend: Backend) {
    let server = TestServer::start(backend).await;
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    server.allow_outside_reminders().await;
    let (mut numbers, mut all, mut clock) = (Numbers(34), Vec::new(), 0_i64);
    for n in 0..300 {
        let at = BEFORE + 1 + numbers.below(60);
        let row = server.create_task(&format!("a{n:03}"), at * MINUTE).await;
        let (article, title) = (ArticleId(row.target_id), format!("r{n:03}"));
        let mail = json!({"mail": "ann@example.org"});
        server.remind_of(article, &format!("{title}-before"), -BEFORE, mail.clone()).await;
        server.remind_of(article, &format!("{title}-after"), AFTER, mail).await;
        all.push(Plan { row, title, publication: Some(at), expected: (0, 0) });
    }
    while clock < 110 {
        for _ in 0..6 {
            let place = usize::try_from(numbers.below(300)).unwrap();
            change(&server, &mut all[place], &mut numbers, clock).await;
        }
        clock += 1;
        server.advance(MINUTE).await;
        for one in &mut all {
            let Some(at) = one.publication else { continue };
            one.expected.0 += usize::from(at - BEFORE == clock);
            one.expected.1 += usize::from(at + AFTER == clock);
        }
    }
    let mut received: HashMap<String, usize> = HashMap::new();
    for mail in smtp.received() {
        let name = mail.text.split_whitespace().find(|word| word.starts_with('r') && word.contains('-'));
        *received.entry(name.unwrap_or_default().to_owned()).or_default() += 1;
    }
    let sent = |title: &str, part: &str| received.get(&format!("{title}-{part}")).copied().unwrap_or(0);
    let wrong: Vec<String> = all
        .iter()
        .filter(|one| (sent(&one.title, "before"), sent(&one.title, "after")) != one.expected)
        .map(|one| {
            let found = (sent(&one.title, "before"), sent(&one.title, "after"));
            format!(
                "{}: {found:?}, expected {:?}, published at {:?}",
                one.title, one.expected, one.publication
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(smtp.received().len() > 300, "{}", smtp.received().len());
    server.assert_execution_records_match().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_histories_of_articles_send_no_stale_reminder_on_sqlite() {
    random_histories(Backend::Embedded).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_histories_of_articles_send_no_stale_reminder_on_postgres() {
    random_histories(Backend::Servers).await;
}
