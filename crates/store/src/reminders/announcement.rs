//! Reads the event log and the schedule for notifications, and takes those that are mailed.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, meetings::meeting::meeting_state, row::row};
use domain::{AccountId, Timestamp, reminders::NotificationChoices};
use uuid::Uuid;

row! {
    /// Up to where notifications were written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Position {
        /// The last event.
        pub seq: i64,
        /// Tasks that unpublish up to this moment were announced, milliseconds.
        pub expires_until: i64,
    }
}

row! {
    /// A task of which its owner is notified.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Announced {
        /// The task.
        pub task_id: Uuid,
        /// Its kind.
        pub kind: String,
        /// Its state after the event.
        pub state: String,
        /// Why it failed or missed its time: a code. `None`: it did neither.
        pub reason: Option<String>,
        /// When it was or will be done, milliseconds.
        pub at: i64,
        /// What it acts on.
        pub target_id: Uuid,
        /// Title of what it acts on.
        pub title: String,
        /// Owner of what it acts on.
        pub owner_id: Uuid,
        /// Account that let it be done at once; `None`: it was done at its time.
        pub done_by: Option<Uuid>,
    }
}

row! {
    /// A change of the state of a meeting.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ChangedMeeting {
        /// The meeting.
        pub id: Uuid,
        /// Title.
        pub title: String,
        /// Organizer.
        pub organizer_id: Uuid,
        /// State before the change; `None`: it is new.
        pub from_state: Option<String>,
        /// State after the change.
        pub state: String,
        /// State now.
        pub current: String,
        /// Version after the change.
        pub version: Option<i32>,
        /// Account that changed it; `None`: the engine.
        pub actor_id: Option<Uuid>,
        /// Its name.
        pub actor: String,
        /// Details of the change, a JSON object.
        pub detail: String,
        /// Its series.
        pub series_id: Option<Uuid>,
        /// When it starts, milliseconds.
        pub starts_at: i64,
        /// Why it was rejected or cancelled.
        pub reason: String,
    }
}

impl ChangedMeeting {
    /// Whether an account changed it that is not its organizer.
    #[must_use]
    pub fn is_by_other(&self) -> bool {
        self.actor_id.is_some_and(|actor| actor != self.organizer_id)
    }

    /// Returns when it started before the change; `None`: at the same time.
    #[must_use]
    pub fn was_starts_at(&self) -> Option<Timestamp> {
        let detail: serde_json::Value = serde_json::from_str(&self.detail).ok()?;
        detail.get("was_starts_at")?.as_str()?.parse().ok()
    }
}

row! {
    /// An account that is notified.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Recipient {
        /// Id.
        pub id: Uuid,
        /// Name.
        pub name: String,
        /// Language.
        pub language: String,
        /// IANA name of the time zone.
        pub time_zone: String,
        /// What it has chosen, a JSON object; `None`: nothing.
        pub notification_choices: Option<String>,
    }
}

row! {
    /// A notification that is mailed now.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DueMail {
        /// The notification.
        pub id: Uuid,
        /// Its account.
        pub account_id: Uuid,
        /// What it says.
        pub text: String,
        /// Path of the page it is about.
        pub link: String,
        /// Whether its change can be reverted from the list: 0 or 1.
        pub has_undo: i32,
        /// Address of the account; `None`: the account was deleted or is disabled.
        pub email: Option<String>,
        /// Language of the account.
        pub language: Option<String>,
    }
}

/// Returns up to where notifications were written; `None`: no node has looked yet.
pub async fn position(conn: Conn<'_>) -> Result<Option<Position>, StoreError> {
    Ok(
        with_conn!(conn, c => sqlx::query_as("select seq, expires_until from announcement_position where id = 1")
        .fetch_optional(c).await)?,
    )
}

/// Stores the first position, unless there is one.
pub async fn begin(conn: Conn<'_>, first: Position) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into announcement_position (id, seq, expires_until) values (1, $1, $2) on conflict do nothing")
        .bind(first.seq).bind(first.expires_until).execute(c).await.map(drop))?;
    Ok(())
}

/// Moves the position. False: it is not `from` any more, so another node has written what is between.
pub async fn advance(conn: Conn<'_>, from: Position, to: Position) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update announcement_position set seq = $3, expires_until = $4 where id = 1 and seq = $1 and expires_until = $2")
        .bind(from.seq).bind(from.expires_until).bind(to.seq).bind(to.expires_until).execute(c).await?.rows_affected());
    Ok(changed == 1)
}

/// Returns the last of at most `limit` events after `seq` before which none is missing. On PostgreSQL a missing number
/// may still appear: it counts as missing until the event after it is older than `settled`.
pub async fn complete_until(
    conn: Conn<'_>,
    seq: i64,
    limit: i64,
    settled: Timestamp,
) -> Result<i64, StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            let last: Option<i64> = sqlx::query_scalar(
                "select max(seq) from (select seq from event where seq > $1 order by seq limit $2)",
            )
            .bind(seq)
            .bind(limit)
            .fetch_one(c)
            .await?;
            Ok(last.unwrap_or(seq))
        }
        Conn::Postgres(c) => {
            let rows: Vec<(i64, i64)> =
                sqlx::query_as("select seq, at from event where seq > $1 order by seq limit $2")
                    .bind(seq)
                    .bind(limit)
                    .fetch_all(c)
                    .await?;
            Ok(complete(seq, &rows, settled))
        }
    }
}

fn complete(after: i64, rows: &[(i64, i64)], settled: Timestamp) -> i64 {
    let mut last = after;
    for &(seq, at) in rows {
        if seq != last + 1 && at > settled.millis() {
            break;
        }
        last = seq;
    }
    last
}

macro_rules! outcomes {
    ($is_of_kind:literal) => {
        concat!(
            "select e.entity_id as task_id, t.kind, e.to_state as state, t.reason, e.at, g.id as target_id, g.title, g.owner_id,
                    coalesce(e.actor_id,
                             (select case when p.verb = 'publish_now'
                                            or p.verb = 'schedule' and p.detail like '%\"is_at_once\":true%'
                                          then p.actor_id end
                                from event p
                               where p.entity_id = e.entity_id and p.seq < e.seq and p.actor_id is not null
                               order by p.seq desc limit 1)) as done_by
               from event e
               join task t on t.id = e.entity_id
               join target g on g.id = t.target_id
              where e.seq > $1
                and e.seq <= $2
                and e.entity = 'task'
                and (e.to_state in ('failed', 'missed') or e.to_state = 'executed' and ",
            $is_of_kind,
            ")
                and e.from_state is distinct from e.to_state
                and not (e.to_state in ('failed', 'missed')
                         and exists (select 1 from review v
                                      where v.article_id = t.target_id and v.announced_at is not null))
              order by e.seq"
        )
    };
}

/// Returns the tasks that failed or missed their time by the events after `seq` up to `until`, and those of `kinds` that
/// were executed. A text that is held for the review is left out when the review has notified its owner.
pub async fn outcomes(
    conn: Conn<'_>,
    (seq, until): (i64, i64),
    kinds: &[&str],
) -> Result<Vec<Announced>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(outcomes!("t.kind in (select value from jsonb_each($3))"))
                .bind(seq)
                .bind(until)
                .bind(encode(kinds.iter())?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(outcomes!("t.kind = any($3)"))
                .bind(seq)
                .bind(until)
                .bind(kinds)
                .fetch_all(c)
                .await?
        }
    })
}

/// Returns the changes that made a meeting a request, confirmed or ended it before its time, by the events after `seq` up
/// to `until`, in their order.
pub async fn changed_meetings(
    conn: Conn<'_>,
    (seq, until): (i64, i64),
) -> Result<Vec<ChangedMeeting>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        concat!("select m.id, g.title, g.owner_id as organizer_id, e.from_state, e.version, e.actor, e.detail, m.series_id,
                e.to_state as state, ", meeting_state!(),
                " as current, e.actor_id, m.starts_at, m.reason
           from event e
           join meeting m on m.id = e.entity_id
           join target g on g.id = m.id
          where e.seq > $1
            and e.seq <= $2
            and e.entity = 'meeting'
            and e.from_state is distinct from e.to_state
            and e.to_state in ('requested', 'confirmed', 'rejected', 'expired', 'cancelled', 'released')
          order by e.seq"))
        .bind(seq).bind(until).fetch_all(c).await)?)
}

/// Returns the scheduled tasks of a kind that are due after `from` and not after `until`, at most `limit`.
pub async fn due_between(
    conn: Conn<'_>,
    kind: &str,
    (from, until): (i64, i64),
    limit: i64,
) -> Result<Vec<Announced>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.id as task_id, t.kind, t.state, t.reason, t.due_at as at, g.id as target_id, g.title, g.owner_id,
                (select actor_id from event where seq is null) as done_by
           from task t
           join target g on g.id = t.target_id
          where t.state = 'scheduled' and t.due_at > $1 and t.due_at <= $2 and t.kind = $3
          order by t.due_at, t.id
          limit $4")
        .bind(from).bind(until).bind(kind).bind(limit).fetch_all(c).await)?)
}

/// Returns these accounts, without those that are disabled.
pub async fn recipients(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<Recipient>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, name, language, time_zone, notification_choices from account
                  where id in (select unhex(value) from jsonb_each($1)) and is_disabled = 0",
            )
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select id, name, language, time_zone, notification_choices from account where id = any($1) and is_disabled = 0",
            )
            .bind(ids)
            .fetch_all(c)
            .await?
        }
    })
}

/// Returns the notifications whose mail is due, at most `limit`, by account.
pub async fn due_mails(conn: Conn<'_>, now: Timestamp, limit: i64) -> Result<Vec<DueMail>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select n.id, n.account_id, n.text, n.link, case when n.undo_kind is null then 0 else 1 end as has_undo, p.email,
                p.language
           from notification n
           left join account p on p.id = n.account_id and p.is_disabled = 0
          where n.mail_at <= $1
          order by n.account_id, n.id
          limit $2")
        .bind(now.millis()).bind(limit).fetch_all(c).await)?)
}

/// Marks notifications as mailed. False: not all of them still wait for it, so another node mails them. `is_shown`: they
/// are not mailed but shown in the list.
pub async fn take_mails(conn: Conn<'_>, ids: &[Uuid], is_shown: bool) -> Result<bool, StoreError> {
    macro_rules! take {
        ($which:literal) => {
            concat!(
                "update notification set mail_at = null, in_bell = case when $2 = 1 then 1 else in_bell end
                  where mail_at is not null and id ",
                $which
            )
        };
    }
    let changed = match conn {
        Conn::Sqlite(c) => sqlx::query(take!("in (select unhex(value) from jsonb_each($1))"))
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .bind(i32::from(is_shown))
            .execute(c)
            .await?
            .rows_affected(),
        Conn::Postgres(c) => sqlx::query(take!("= any($1)"))
            .bind(ids)
            .bind(i32::from(is_shown))
            .execute(c)
            .await?
            .rows_affected(),
    };
    Ok(usize::try_from(changed) == Ok(ids.len()))
}

/// Returns what an account has chosen.
pub async fn choices(conn: Conn<'_>, account: AccountId) -> Result<NotificationChoices, StoreError> {
    let stored: Option<Option<String>> = with_conn!(conn, c => sqlx::query_scalar(
        "select notification_choices from account where id = $1").bind(account.0).fetch_optional(c).await)?;
    Ok(NotificationChoices::stored(stored.flatten().as_deref()))
}

/// Stores what an account has chosen.
pub async fn choose(
    conn: Conn<'_>,
    account: AccountId,
    choices: &NotificationChoices,
) -> Result<(), StoreError> {
    let text = serde_json::to_string(choices).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    with_conn!(conn, c => sqlx::query("update account set notification_choices = $2 where id = $1")
        .bind(account.0).bind(text).execute(c).await.map(drop))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::complete;
    use domain::Timestamp;

    #[test]
    fn a_missing_number_is_awaited_until_the_next_event_is_old() {
        let settled = Timestamp::from_millis(100);
        assert_eq!(complete(4, &[], settled), 4);
        assert_eq!(complete(4, &[(5, 90), (6, 150)], settled), 6);
        assert_eq!(complete(4, &[(5, 90), (7, 150), (8, 151)], settled), 5);
        assert_eq!(complete(4, &[(5, 90), (7, 99), (8, 151)], settled), 8);
    }
}
