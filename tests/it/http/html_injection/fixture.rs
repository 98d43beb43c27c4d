//! A site on which every text from a user or an external system contains a marker, to be replaced
//! by a payload.

use super::publications;
use crate::test_server::{Account, TestServer, client_at};
use domain::services::{Accounts as _, Sessions as _, Settings as _, Tokens as _};
use domain::{
    Role,
    account::{Language, OnDisable, ProfileEdit, Scope},
    settings::SiteSettings,
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection};
use test_support::{Behaviour, Sink, SmtpBehaviour, SmtpSink, Stage};

/// The marker. Not lower case: values that are case-folded or used in addresses cannot hold markup.
pub const MARKER: &str = "Mk7q";
/// A link in each text. The egress rules refuse its port, so that the page which opens links asks no network.
const LINK: &str = "https://example.org:444";

/// Columns that must contain the marker, so that no column is forgotten when a table changes.
const MARKED_COLUMNS: [&str; 37] = [
    "setting.value",
    "account.name",
    "session.user_agent",
    "token.name",
    "invitation.name",
    "article.title",
    "article_release.name",
    "revision.title",
    "revision.body",
    "revision.details",
    "tag.name",
    "media.name",
    "review_comment.quote",
    "review_comment.text",
    "media.alt",
    "event.actor",
    "event.detail",
    "channel.name",
    "channel.endpoint",
    "delivery.channel",
    "delivery.title",
    "delivery.body",
    "delivery_attempt.response_body",
    "room.name",
    "room.place",
    "room.equipment",
    "meeting.title",
    "meeting.description",
    "attendee.name",
    "message.key",
    "message.body",
    "message.options",
    "rule.settings",
    "signal.subject",
    "signal.data",
    "wait.subject",
    "wait.key",
];

/// A text in the database that contains the marker.
struct MarkedText {
    table: String,
    column: String,
    first: String,
    now: String,
}

/// The server and its data.
pub struct Fixture {
    /// The server.
    pub server: TestServer,
    /// Ids of articles: draft, scheduled and edited since, public, unpublished.
    pub articles: Vec<String>,
    /// Ids of tasks: scheduled, executed, cancelled, missed.
    pub tasks: Vec<String>,
    /// Ids of channels: webhook, SMS, mail.
    pub channels: Vec<String>,
    /// Id of a failed delivery.
    pub delivery: String,
    /// Id of a picture.
    pub picture: String,
    /// Ids of a room and of a meeting in it.
    pub booking: [String; 2],
    /// Id of a message.
    pub message: String,
    /// Id of a rule with an open wait.
    pub rule: String,
    /// Id of a release with the draft.
    pub release: String,
    /// Path of a valid link for a review of the draft.
    pub review_link: String,
    /// Id of a word list.
    pub words: String,
    /// Path of the door page of the room.
    pub door: String,
    /// Path on which an attendee of the meeting answers.
    pub answer: String,
    /// Path of a valid invitation.
    pub invitation: String,
    /// Session cookies of an admin and of a creator.
    pub cookies: [String; 2],
    db: SqliteConnection,
    marked: Vec<MarkedText>,
    _sinks: (Sink, SmtpSink),
}

impl Fixture {
    /// Creates the data.
    pub async fn start() -> Self {
        let server = TestServer::start_with(|_| ()).await;
        create_accounts(&server).await;
        browser(&server).await;
        let (sink, smtp) = (Sink::start().await, SmtpSink::start().await);
        sink.behave((0..40).map(|_| Behaviour::Respond(500, Vec::new(), format!("broken {MARKER}"))));
        smtp.behave((0..40).map(|_| SmtpBehaviour::Reply(Stage::Recipient, "550 5.1.1 unknown Mk7q")));
        let channels = channels(&server, &sink, &smtp).await;
        let (picture, cover) = publications::picture(&server).await;
        publications::set_site_look(&server).await;
        let (articles, tasks) = articles(&server, &cover).await;
        let booking = booking(&server).await;
        let door = door(&server, &booking[0]).await;
        let [message, rule] = sending(&server, &channels[0]).await;
        let [review_link, words] = review(&server, &articles[0]).await;
        let release = release(&server, &articles[0]).await;
        let id = text(&server.get_as_admin("/api/v1/deliveries?state=failed").await["items"][0]["id"]);
        let invited = server.app.services.invitations.invite(
            &server.admin.actor,
            "new@desk.test",
            MARKER,
            Role::Creator,
        );
        let invitation = invited.await.unwrap().path;
        let colleague = &server.colleague.actor;
        server.app.services.presence.see(colleague, articles[1].parse().unwrap()).await.unwrap();
        let cookies = [cookie(&server, &server.admin).await, cookie(&server, &server.creator).await];
        let file = server.config.data.join("presstime.db");
        let mut db = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
        // The event log is append-only; the test must rewrite it.
        sqlx::query("drop trigger event_append_only").execute(&mut db).await.unwrap();
        let answer = answer_link(&mut db, &booking[1]).await;
        let marked = marked(&mut db).await;
        let sinks = (sink, smtp);
        Self {
            server,
            articles,
            tasks,
            channels,
            delivery: id,
            picture,
            booking,
            message,
            rule,
            release,
            review_link,
            words,
            door,
            answer,
            invitation,
            cookies,
            db,
            marked,
            _sinks: sinks,
        }
    }

    /// Replaces the marker by a payload everywhere.
    pub async fn fill(&mut self, payload: &str) {
        // Forces all texts to be rendered again.
        sqlx::query("delete from rendered").execute(&mut self.db).await.unwrap();
        let in_json = serde_json::to_string(payload).unwrap();
        let in_json = &in_json[1..in_json.len() - 1];
        for marked in &mut self.marked {
            let is_json = marked.first.starts_with(['{', '[']);
            let next = marked.first.replace(MARKER, if is_json { in_json } else { payload });
            let change =
                format!("update \"{0}\" set \"{1}\" = ? where \"{1}\" = ?", marked.table, marked.column);
            let change = sqlx::query(AssertSqlSafe(change)).bind(&next).bind(&marked.now);
            assert!(change.execute(&mut self.db).await.unwrap().rows_affected() > 0, "{}", marked.column);
            marked.now = next;
        }
    }
}

impl TestServer {
    async fn get_as_admin(&self, path: &str) -> Value {
        self.as_admin().get(path).await.expect(200)
    }
}

/// Returns the text of a JSON string.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}

/// Books a meeting in a new room. Returns the ids of both.
async fn booking(server: &TestServer) -> [String; 2] {
    let admin = server.as_admin();
    let room = json!({"name": format!("Room {MARKER}"), "place": format!("Floor {MARKER}"),
                      "equipment": [format!("Screen {MARKER}")]});
    let room = text(&admin.post("/api/v1/rooms", &room).await.expect(201)["id"]);
    let meeting = json!({
        "title": format!("Meeting {MARKER}"), "description": format!("About {MARKER}"), "room_id": room,
        "starts_at": server.time_after(3_600_000), "ends_at": server.time_after(7_200_000),
        "attendees": [{"email": "guest@desk.test", "name": format!("Guest {MARKER}")}]});
    let reminder = json!({"text": format!("Reminder {MARKER}"), "due_at": server.time_after(3_600_000)});
    admin.post("/api/v1/reminders", &reminder).await.expect(201);
    let reminder = json!({"text": format!("Remind {MARKER}"), "due_at": server.time_after(0)});
    admin.post("/api/v1/reminders", &reminder).await.expect(201);
    let meeting = text(&admin.post("/api/v1/meetings", &meeting).await.expect(201)["id"]);
    let about = json!({"text": format!("About {MARKER}"), "meeting_id": meeting, "offset_minutes": -5});
    admin.post("/api/v1/reminders", &about).await.expect(201);
    [room, meeting]
}

/// Creates the link of the attendee of a meeting, without a mail. Returns its path.
async fn answer_link(db: &mut SqliteConnection, meeting: &str) -> String {
    let link = "insert into answer_link (secret_hash, meeting_id, email, created_at)
                values (?, unhex(?, '-'), 'guest@desk.test', 0)";
    let hash = presstime::services::security::tokens::hash("secret");
    sqlx::query(link).bind(hash).bind(meeting).execute(db).await.unwrap();
    "/answer/secret".to_owned()
}

/// Creates the door page of a room. Returns its path.
async fn door(server: &TestServer, room: &str) -> String {
    let link = server.as_admin().post(&format!("/api/v1/rooms/{room}/door"), &json!({"pin": "4711"})).await;
    text(&link.expect(201)["url"]).strip_prefix(&server.url).unwrap().to_owned()
}

/// Creates a release with an article. Returns its id.
async fn release(server: &TestServer, article: &str) -> String {
    let new =
        json!({"name": format!("Issue {MARKER}"), "items": [{"article_id": article, "action": "publish"}]});
    text(&server.as_admin().post("/api/v1/releases", &new).await.expect(201)["id"])
}

/// Creates a message and a rule with an open wait. Returns the ids of both.
async fn sending(server: &TestServer, channel: &str) -> [String; 2] {
    let admin = server.as_admin();
    let message = json!({"key": format!("Order {MARKER}"), "channel_id": channel, "delay": "P9D",
                         "body": format!("Pay {MARKER}"), "headers": {"X-Shop": format!("Shop {MARKER}")}});
    let message = text(&admin.post("/api/v1/messages", &message).await.expect(201)["id"]);
    let action = json!({"type": "message", "channel_id": channel, "body": format!("Dear {MARKER}")});
    let rule = json!({"name": format!("Unpaid {MARKER}"), "after": "order.created", "wait": "P9D",
                      "subject": format!("Customer {MARKER}*"), "action": action});
    let rule = text(&admin.post("/api/v1/rules", &rule).await.expect(201)["id"]);
    let signal = json!({"name": "order.created", "subject": format!("Customer {MARKER}"),
                        "key": format!("Order {MARKER}"), "data": {"name": format!("Ann {MARKER}")}});
    assert_eq!(admin.post("/api/v1/signals", &signal).await.expect(202)["opened"], 1);
    [message, rule]
}

/// Submits an article for review with a hit of a word list. Returns the path of a link for the
/// review, and the id of the list.
async fn review(server: &TestServer, article: &str) -> [String; 2] {
    let admin = server.as_admin();
    let list =
        json!({"name": format!("Words {MARKER}"), "language": "any", "action": "flag", "terms": ["then"]});
    let words = text(&admin.post("/api/v1/word-lists", &list).await.expect(201)["id"]);
    admin.patch("/api/v1/settings/review", &json!({"workflow": "one_reviewer"})).await.expect(200);
    let path = format!("/api/v1/articles/{article}");
    let seen = json!({"seen_revision": admin.get(&path).await.expect(200)["revision"]});
    server.as_creator().post(&format!("{path}/submit"), &seen).await.expect(200);
    let comment = json!({"revision": seen["seen_revision"], "paragraph": 1, "text": format!("Why {MARKER}")});
    admin.post(&format!("{path}/comments"), &comment).await.expect(201);
    let guest = json!({"name": format!("Guest {MARKER}")});
    let link = admin.post(&format!("{path}/review-links"), &guest).await.expect(201);
    [text(&link["url"]).strip_prefix(&server.url).unwrap().to_owned(), words]
}

async fn cookie(server: &TestServer, account: &Account) -> String {
    let agent = format!("Browser {MARKER}");
    let accounts = &server.app.accounts;
    let client = client_at("127.0.0.1", &agent);
    let fresh = accounts.log_in(&account.email, &account.password, &client).await.unwrap();
    format!("__Host-sid={}", fresh.session.0)
}

async fn create_accounts(server: &TestServer) {
    let accounts = &server.app.accounts;
    for account in [&server.admin, &server.creator, &server.reviewer, &server.colleague] {
        let edit = ProfileEdit { name: Some(format!("One {MARKER}")), ..ProfileEdit::default() };
        accounts.change_profile(&account.actor, edit).await.unwrap();
        accounts.create_token(&account.actor, &format!("Program {MARKER}"), 9, Scope::Read).await.unwrap();
    }
    let title = format!("Desk {MARKER}");
    let settings = SiteSettings { title, zone: "Europe/Berlin".to_owned(), language: Language::En };
    accounts.change_settings(&server.admin.actor, settings).await.unwrap();
    let account_id = server.reviewer.actor.account;
    accounts.disable(&server.admin.actor, account_id, Some(OnDisable::Keep)).await.unwrap();
}

/// A browser of the admin that shows notifications. Its keys are those of RFC 8291, Appendix A.
async fn browser(server: &TestServer) {
    let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    let new = json!({"endpoint": "https://push.example.org/a", "p256dh": key, "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                     "agent": format!("Phone {MARKER}")});
    server.as_admin().post("/api/v1/push-subscriptions", &new).await.expect(201);
}

async fn channels(server: &TestServer, sink: &Sink, smtp: &SmtpSink) -> Vec<String> {
    let url = format!("{}?{MARKER}", sink.url());
    let to = ["a@example.org"];
    let mail = json!({"host": "127.0.0.1", "port": smtp.port, "security": "none", "username": null,
        "from": "desk@example.org", "to": to});
    let sms = json!({"url": url, "format": "json", "template": format!("{{\"to\":\"{{to}}\",\"text\":\"{{text}} {MARKER}\"}}"),
        "header": null, "to": ["+4915112345678"]});
    let mut ids = Vec::new();
    for (transport, more) in
        [("webhook", json!({"url": url})), ("sms", json!({"sms": sms})), ("mail", json!({"mail": mail}))]
    {
        let mut new =
            json!({"transport": transport, "name": format!("Way {MARKER}"), "retry_schedule": "1s"});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = server.as_admin().post("/api/v1/channels", &new).await.expect(201);
        ids.push(text(&made["id"]));
    }
    ids
}

/// Creates articles and tasks in each state.
async fn articles(server: &TestServer, cover: &str) -> (Vec<String>, Vec<String>) {
    let write = async |title: &str| {
        let (title, body) =
            (format!("{title} {MARKER}"), format!("First {MARKER} words\n\nand more at <{LINK}>\n"));
        let new = json!({"title": title, "body": body, "details": publications::details(cover)});
        server.as_creator().post("/api/v1/articles", &new).await.expect(201)
    };
    let save = async |article: &Value| {
        let edit =
            json!({"body": format!("Then {MARKER} words\n\nand more at <{LINK}>\n"), "seen_revision": 1});
        let path = format!("/api/v1/articles/{}", text(&article["id"]));
        server.as_creator().patch(&path, &edit).await.expect(200);
    };
    let plan = async |article: &Value, kind: &str, after: i64| {
        let task = json!({"kind": kind, "target_id": article["id"], "due_at": server.time_after(after)});
        server.as_creator().post("/api/v1/tasks", &task).await.expect(201)
    };
    let late = write("Late").await;
    let missed = plan(&late, "article.publish", 1_000).await;
    server.advance_without_loops(25 * 3_600_000);
    server.tick().await;
    let (public, gone) = (write("Public").await, write("Gone").await);
    let executed = plan(&public, "article.publish", 1_000).await;
    plan(&gone, "article.publish", 1_000).await;
    server.advance(1_000).await;
    plan(&gone, "article.unpublish", 1_000).await;
    for _ in 0..4 {
        server.advance(10_000).await;
    }
    let draft = write("Draft").await;
    let cancelled = plan(&draft, "article.publish", 9_000_000).await;
    let cancel = format!("/api/v1/tasks/{}/cancel", text(&cancelled["id"]));
    server.as_creator().post(&cancel, &json!({"seen_version": 1})).await.expect(200);
    save(&draft).await;
    let waiting = write("Waiting").await;
    let scheduled = plan(&waiting, "article.publish", 9_000_000).await;
    save(&waiting).await;
    plan(&public, "article.unpublish", 9_000_000).await;
    let ids = |all: &[&Value]| all.iter().map(|one| text(&one["id"])).collect();
    (ids(&[&draft, &waiting, &public, &gone, &late]), ids(&[&scheduled, &executed, &cancelled, &missed]))
}

/// Finds every text in the database that contains the marker.
async fn marked(db: &mut SqliteConnection) -> Vec<MarkedText> {
    // Triggers copy the titles of articles to `target`.
    let tables = "select name from sqlite_master where type = 'table' and name not in ('rendered', 'target')
                  and sql like 'create table %' order by name";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut *db).await.unwrap();
    let mut found = Vec::new();
    for table in tables {
        let columns =
            format!("select name from pragma_table_info('{table}') where type = 'TEXT' collate nocase");
        let columns: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(columns)).fetch_all(&mut *db).await.unwrap();
        for column in columns {
            let texts = format!(
                "select distinct \"{column}\" from \"{table}\" where instr(\"{column}\", '{MARKER}')"
            );
            for row in sqlx::query(AssertSqlSafe(texts)).fetch_all(&mut *db).await.unwrap() {
                let first: String = row.get(0);
                let (table, column) = (table.clone(), column.clone());
                found.push(MarkedText { table, column, now: first.clone(), first });
            }
        }
    }
    for name in MARKED_COLUMNS {
        let is_there = found.iter().any(|marked| format!("{}.{}", marked.table, marked.column) == name);
        assert!(is_there, "no {name} contains the marker");
    }
    found
}
