//! A desk on which every text that a person or an outside system can give holds one word, which is then replaced.

use crate::house::{Account, Story, client_at};
use domain::{
    Role,
    person::{Language, Leftover, ProfileEdit, Scope},
    settings::DeskSettings,
};
use rig::{Manner, Sink, SmtpManner, SmtpSink, Stage};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection};

/// The word. Not in small letters: what is folded or made into an address cannot hold markup.
pub const MARK: &str = "Mk7q";

/// Columns that must have been filled with the word, so that none is forgotten when a table changes.
const FILLED: [&str; 16] = [
    "setting.value",
    "person.name",
    "session.agent",
    "token.name",
    "invitation.name",
    "article.title",
    "revision.title",
    "revision.body",
    "event.actor",
    "event.detail",
    "channel.name",
    "channel.route",
    "delivery.channel",
    "delivery.title",
    "delivery.body",
    "delivery_attempt.answer",
];

/// A text in the database that holds the word.
struct Held {
    table: String,
    column: String,
    first: String,
    now: String,
}

/// The desk.
pub struct World {
    /// Its server.
    pub story: Story,
    /// Ids of articles: draft, scheduled and changed since, public, taken down.
    pub articles: Vec<String>,
    /// Ids of tasks: scheduled, executed, cancelled, missed.
    pub tasks: Vec<String>,
    /// Ids of channels: webhook, SMS, mail.
    pub channels: Vec<String>,
    /// Id of a delivery that failed.
    pub delivery: String,
    /// Path of a valid invitation.
    pub invitation: String,
    /// Cookies of an admin and of a creator.
    pub cookies: [String; 2],
    db: SqliteConnection,
    held: Vec<Held>,
    _sinks: (Sink, SmtpSink),
}

impl World {
    /// Fills a desk.
    pub async fn begin() -> Self {
        let story = Story::begin_with(|_| ()).await;
        people(&story).await;
        let (sink, smtp) = (Sink::start().await, SmtpSink::start().await);
        sink.behave((0..40).map(|_| Manner::Answer(500, Vec::new(), format!("broken {MARK}"))));
        smtp.behave((0..40).map(|_| SmtpManner::Say(Stage::Recipient, "550 5.1.1 unknown Mk7q")));
        let channels = channels(&story, &sink, &smtp).await;
        let (articles, tasks) = articles(&story).await;
        let id = text(&story.admin_gets("/api/v1/deliveries?state=failed").await["items"][0]["id"]);
        let invited =
            story.house.desk.people.invite(&story.admin.actor, "new@desk.test", MARK, Role::Creator);
        let invitation = invited.await.unwrap().path;
        let cookies = [cookie(&story, &story.admin).await, cookie(&story, &story.creator).await];
        let file = story.config.data.join("presstime.db");
        let mut db = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
        // What is written here as what happened never changes otherwise.
        sqlx::query("drop trigger event_is_final").execute(&mut db).await.unwrap();
        let held = held(&mut db).await;
        let sinks = (sink, smtp);
        Self { story, articles, tasks, channels, delivery: id, invitation, cookies, db, held, _sinks: sinks }
    }

    /// Writes another text everywhere the word stood.
    pub async fn fill(&mut self, payload: &str) {
        // What was rendered of the texts is made again from them.
        sqlx::query("delete from rendered").execute(&mut self.db).await.unwrap();
        let in_json = serde_json::to_string(payload).unwrap();
        let in_json = &in_json[1..in_json.len() - 1];
        for held in &mut self.held {
            let is_json = held.first.starts_with(['{', '[']);
            let next = held.first.replace(MARK, if is_json { in_json } else { payload });
            let change = format!("update \"{0}\" set \"{1}\" = ? where \"{1}\" = ?", held.table, held.column);
            let change = sqlx::query(AssertSqlSafe(change)).bind(&next).bind(&held.now);
            assert!(change.execute(&mut self.db).await.unwrap().rows_affected() > 0, "{}", held.column);
            held.now = next;
        }
    }
}

impl Story {
    async fn admin_gets(&self, path: &str) -> Value {
        self.as_admin().get(path).await.expect(200)
    }
}

/// The text of a JSON string.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

async fn cookie(story: &Story, account: &Account) -> String {
    let agent = format!("Browser {MARK}");
    let people = &story.house.desk.people;
    let client = client_at("127.0.0.1", &agent);
    let fresh = people.log_in(&account.email, &account.password, &client).await.unwrap();
    format!("__Host-sid={}", fresh.session.0)
}

async fn people(story: &Story) {
    let desk = &story.house.desk.people;
    for account in [&story.admin, &story.creator, &story.reviewer, &story.colleague] {
        let edit = ProfileEdit { name: Some(format!("One {MARK}")), zone: None, language: None, theme: None };
        desk.change_profile(&account.actor, edit).await.unwrap();
        desk.create_token(&account.actor, &format!("Program {MARK}"), 9, Scope::Read).await.unwrap();
    }
    let title = format!("Desk {MARK}");
    let settings = DeskSettings { title, zone: "Europe/Berlin".to_owned(), language: Language::En };
    desk.change_settings(&story.admin.actor, settings).await.unwrap();
    let who = story.reviewer.actor.person;
    desk.disable(&story.admin.actor, who, Some(Leftover::Keep)).await.unwrap();
}

async fn channels(story: &Story, sink: &Sink, smtp: &SmtpSink) -> Vec<String> {
    let address = format!("{}?{MARK}", sink.url());
    let to = ["a@example.org"];
    let mail = json!({"server": "127.0.0.1", "port": smtp.port, "security": "none", "user": null,
        "from": "desk@example.org", "to": to});
    let sms = json!({"address": address, "format": "json", "template": format!("{{\"to\":\"{{to}}\",\"text\":\"{{text}} {MARK}\"}}"),
        "header": null, "to": ["+4915112345678"]});
    let mut ids = Vec::new();
    for (way, more) in [
        ("webhook", json!({"address": address})),
        ("sms", json!({"sms": sms})),
        ("mail", json!({"mail": mail})),
    ] {
        let mut new = json!({"way": way, "name": format!("Way {MARK}"), "ladder": "1s"});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = story.as_admin().post("/api/v1/channels", &new).await.expect(201);
        ids.push(text(&made["id"]));
    }
    ids
}

/// Articles and tasks in each of their states.
async fn articles(story: &Story) -> (Vec<String>, Vec<String>) {
    let write = async |title: &str| {
        let (title, body) = (format!("{title} {MARK}"), format!("First {MARK} words\n\nand more\n"));
        let new = json!({"title": title, "body": body});
        story.as_creator().post("/api/v1/articles", &new).await.expect(201)
    };
    let save = async |article: &Value| {
        let edit = json!({"body": format!("Then {MARK} words\n\nand more\n"), "seen_revision": 1});
        let path = format!("/api/v1/articles/{}", text(&article["id"]));
        story.as_creator().patch(&path, &edit).await.expect(200);
    };
    let plan = async |article: &Value, kind: &str, after: i64| {
        let task = json!({"kind": kind, "target_id": article["id"], "due_at": story.later(after)});
        story.as_creator().post("/api/v1/tasks", &task).await.expect(201)
    };
    let late = write("Late").await;
    let missed = plan(&late, "article.publish", 1_000).await;
    story.wait_without_loops(25 * 3_600_000);
    story.tick().await;
    let (public, gone) = (write("Public").await, write("Gone").await);
    let executed = plan(&public, "article.publish", 1_000).await;
    plan(&gone, "article.publish", 1_000).await;
    story.advance(1_000).await;
    plan(&gone, "article.unpublish", 1_000).await;
    for _ in 0..4 {
        story.advance(10_000).await;
    }
    let draft = write("Draft").await;
    let cancelled = plan(&draft, "article.publish", 9_000_000).await;
    let cancel = format!("/api/v1/tasks/{}/cancel", text(&cancelled["id"]));
    story.as_creator().post(&cancel, &json!({"seen_version": 1})).await.expect(200);
    save(&draft).await;
    let waiting = write("Waiting").await;
    let scheduled = plan(&waiting, "article.publish", 9_000_000).await;
    save(&waiting).await;
    plan(&public, "article.unpublish", 9_000_000).await;
    let ids = |all: &[&Value]| all.iter().map(|one| text(&one["id"])).collect();
    (ids(&[&draft, &waiting, &public, &gone, &late]), ids(&[&scheduled, &executed, &cancelled, &missed]))
}

/// Every text in the database that holds the word.
async fn held(db: &mut SqliteConnection) -> Vec<Held> {
    let tables = "select name from sqlite_master where type = 'table' and name <> 'rendered' and sql like 'create table %' order by name";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut *db).await.unwrap();
    let mut found = Vec::new();
    for table in tables {
        let columns =
            format!("select name from pragma_table_info('{table}') where type = 'TEXT' collate nocase");
        let columns: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(columns)).fetch_all(&mut *db).await.unwrap();
        for column in columns {
            let texts =
                format!("select distinct \"{column}\" from \"{table}\" where instr(\"{column}\", '{MARK}')");
            for row in sqlx::query(AssertSqlSafe(texts)).fetch_all(&mut *db).await.unwrap() {
                let first: String = row.get(0);
                let (table, column) = (table.clone(), column.clone());
                found.push(Held { table, column, now: first.clone(), first });
            }
        }
    }
    for name in FILLED {
        let is_there = found.iter().any(|held| format!("{}.{}", held.table, held.column) == name);
        assert!(is_there, "no {name} holds the word");
    }
    found
}
