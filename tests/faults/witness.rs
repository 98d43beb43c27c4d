//! Witnesses that are no part of the program: a trigger that writes down each change of what is public, into a table without
//! any constraint, and a receiver of webhooks.

use domain::Timestamp;
use rig::{Postgres, Sink};
use sqlx::{Connection as _, PgConnection, PgExecutor};
use std::collections::BTreeMap;

const TRIGGER: &str = "
    create table witness (article text, was text, now text, at bigint);
    create function witness() returns trigger language plpgsql as $$
    begin
        insert into witness values (new.id::text, old.published_revision_id::text, new.published_revision_id::text,
                                    floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
        return new;
    end $$;
    create trigger witness after update of published_revision_id on article for each row execute function witness();";

/// Sets the trigger.
pub fn watch(postgres: &Postgres, database: &str) {
    let name = database.rsplit('/').next().unwrap_or_default();
    postgres.sql(name, TRIGGER);
}

/// When each article went out, as often as it did.
pub async fn went_out(database: &str) -> BTreeMap<String, Vec<Timestamp>> {
    out(&mut PgConnection::connect(database).await.expect("PostgreSQL answers")).await
}

/// The same over a connection that is there.
pub async fn out(server: impl PgExecutor<'_>) -> BTreeMap<String, Vec<Timestamp>> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("select article, at from witness where now is not null order by at")
            .fetch_all(server)
            .await
            .expect("the witness can be read");
    let mut out = BTreeMap::<String, Vec<Timestamp>>::new();
    for (article, at) in rows {
        out.entry(article).or_default().push(at.into());
    }
    out
}

/// Where the message of each article stands, as the desk says: what nobody has heard yet must still be there. To be read before what
/// was heard is.
pub async fn outbox(database: &str) -> BTreeMap<String, String> {
    let mut server = PgConnection::connect(database).await.expect("PostgreSQL answers");
    let rows: Vec<(String, String)> =
        sqlx::query_as("select body::jsonb -> 'data' ->> 'article_id', state from delivery where event = 'article.published'")
            .fetch_all(&mut server)
            .await
            .expect("the outbox can be read");
    rows.into_iter().collect()
}

/// What the receiver of webhooks can say.
#[derive(Debug, Default)]
pub struct Heard {
    /// Messages, each counted once however often it came.
    pub messages: usize,
    /// Further copies of the same messages.
    pub copies: usize,
    /// What must not be: two messages of one article, two texts of one message.
    pub wrong: usize,
    /// The articles there were messages of.
    pub articles: Vec<String>,
}

/// Reads what came.
pub fn heard(sink: &Sink) -> Heard {
    let (mut bodies, mut of) = (BTreeMap::<String, String>::new(), BTreeMap::<String, String>::new());
    let mut heard = Heard::default();
    for message in sink.received() {
        let id = message.header("webhook-id").to_owned();
        let body: serde_json::Value = serde_json::from_str(&message.body).unwrap_or_default();
        let article = body["data"]["article_id"].as_str().unwrap_or_default().to_owned();
        match bodies.insert(id.clone(), message.body.clone()) {
            None => {
                heard.messages += 1;
                heard.wrong += usize::from(of.insert(article, id).is_some());
            }
            Some(former) => {
                heard.copies += 1;
                heard.wrong += usize::from(former != message.body);
            }
        }
    }
    heard.articles = of.into_keys().collect();
    heard
}
