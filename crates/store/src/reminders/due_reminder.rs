//! Reminders whose moment has come: reads what sending them needs, and records that they were sent.

use super::subject::publication_sql;
use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{ChannelId, Timestamp, channel::MAIL_SERVER, reminders::ReminderState};
use uuid::Uuid;

row! {
    /// What sending a reminder needs.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DueReminder {
        /// Id.
        pub id: Uuid,
        /// What it says; empty: it says what its meeting is.
        pub text: String,
        /// Its creator.
        pub owner_id: Uuid,
        /// Whom it reaches.
        pub recipient_kind: String,
        /// The account or channel.
        pub recipient_id: Option<Uuid>,
        /// The mail address.
        pub address: Option<String>,
        /// State.
        pub state: String,
        /// Version.
        pub version: i32,
        /// 1: it is the coming occurrence of a series.
        pub is_repeated: i32,
        /// What it is about.
        pub about_id: Option<Uuid>,
        /// From where on the moment counts.
        pub anchor: Option<String>,
        /// Minutes after that; negative: before.
        pub offset_minutes: Option<i32>,
        /// Kind of what it is about: `article` or `meeting`; `None`: it is about nothing, or that is gone.
        pub about_kind: Option<String>,
        /// Title of the article.
        pub article_title: Option<String>,
        /// When the article is or was published, milliseconds; `None`: it is not.
        pub published_at: Option<i64>,
        /// State of the meeting; `None`: it is about none.
        pub meeting_state: Option<String>,
        /// Title of the meeting.
        pub title: Option<String>,
        /// Start of the meeting, milliseconds.
        pub starts_at: Option<i64>,
        /// End of the meeting, milliseconds.
        pub ends_at: Option<i64>,
        /// Time zone of the meeting.
        pub time_zone: Option<String>,
        /// Name of its room.
        pub room: Option<String>,
        /// Address of an online meeting.
        pub link: Option<String>,
        /// E-mail address of the creator.
        pub owner_email: Option<String>,
        /// Language of the creator.
        pub owner_language: Option<String>,
        /// 1: the account it is for exists.
        pub has_account: i32,
    }
}

macro_rules! due {
    ($ids:literal) => {
        concat!(
            "select r.id, r.text, r.owner_id, r.recipient_kind, r.recipient_id, r.address, r.state, r.version,
                    case when r.repeats is null then 0 else 1 end as is_repeated,
                    r.about_id, r.anchor, r.minutes_after - r.minutes_before as offset_minutes, g.kind as about_kind,
                    case when g.kind = 'article' then g.title end as article_title,
                    case when g.kind = 'article' then ",
            publication_sql!("g.id"),
            " end as published_at,
                    case when m.state = 'requested' then coalesce(m.waits, m.state) else m.state end as meeting_state,
                    m.title, m.starts_at, m.ends_at, m.time_zone,
                    o.name as room, m.link, p.email as owner_email, p.language as owner_language,
                    case when exists (select 1 from account a where a.id = r.recipient_id) then 1 else 0 end
                        as has_account
               from reminder r
               left join target g on g.id = r.about_id
               left join meeting m on m.id = r.about_id
               left join room o on o.id = m.room_id
               left join account p on p.id = r.owner_id
              where r.id ",
            $ids
        )
    };
}

/// Returns these reminders with what they are about.
pub async fn load(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<DueReminder>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(due!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(due!("= any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Returns the addresses of the attendees of these meetings who have not declined.
pub async fn attendees(conn: Conn<'_>, meetings: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError> {
    Ok(match conn {
        _ if meetings.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select meeting_id, email from attendee
                  where meeting_id in (select unhex(value) from jsonb_each($1)) and answer <> 'declined'
                  order by email",
            )
            .bind(encode(meetings.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select meeting_id, email from attendee
                  where meeting_id = any($1) and answer <> 'declined' order by email",
            )
            .bind(meetings)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the accounts of the attendees of these meetings who have not declined.
pub async fn attendee_accounts(conn: Conn<'_>, meetings: &[Uuid]) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    macro_rules! accounts {
        ($meetings:literal) => {
            concat!(
                "select a.meeting_id, p.id from attendee a join account p on p.email = a.email
                  where a.answer <> 'declined' and p.is_disabled = 0 and a.meeting_id ",
                $meetings,
                " order by p.id"
            )
        };
    }
    Ok(match conn {
        _ if meetings.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(accounts!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(meetings.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(accounts!("= any($1)")).bind(meetings).fetch_all(c).await?,
    })
}

/// Returns the desk's mail server, a channel, and the first active SMS channel by name.
pub async fn channels(conn: Conn<'_>) -> Result<(Option<ChannelId>, Option<ChannelId>), StoreError> {
    let (mail, sms): (Option<Uuid>, Option<Uuid>) = with_conn!(conn, c => sqlx::query_as(
        "select (select id from channel where id = $1 and unfinished is distinct from 'delete'),
                (select id from channel where transport = 'sms' and state = 'active' order by lower(name), id limit 1)")
        .bind(MAIL_SERVER.0).fetch_one(c).await)?;
    Ok((mail.map(ChannelId), sms.map(ChannelId)))
}

/// The result of a reminder whose moment came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The reminder.
    pub id: Uuid,
    /// Its new state.
    pub state: ReminderState,
    /// Why; `None`: there is nothing to say.
    pub reason: Option<&'static str>,
}

/// Stores the results. They cannot be undone, and no longer repeat: the next occurrence does.
pub async fn settle(conn: Conn<'_>, all: &[Settled], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        _ if all.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows = all.iter().map(|one| (one.id.simple(), one.state.as_str(), one.reason));
            sqlx::query(
                "update reminder
                    set state = e.value ->> 1, reason = e.value ->> 2, version = version + 1, undo_verb = null,
                        undo_before = null, repeats = null, sent_at = case when e.value ->> 1 = 'sent' then $2 else sent_at end
                   from jsonb_each($1) e
                  where reminder.id = unhex(e.value ->> 0)",
            )
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update reminder r
                    set state = e.state, reason = e.reason, version = r.version + 1, undo_verb = null,
                        undo_before = null, repeats = null, sent_at = case when e.state = 'sent' then $4 else r.sent_at end
                   from unnest($1::uuid[], $2::text[], $3::text[]) as e (id, state, reason)
                  where r.id = e.id",
            )
            .bind(column(all, |one| one.id))
            .bind(column(all, |one| one.state.as_str()))
            .bind(column(all, |one| one.reason))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
