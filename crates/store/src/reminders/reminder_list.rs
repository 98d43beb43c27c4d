//! Reads reminders for pages and the API.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, like_escape::contains_pattern, row::row};
use domain::{
    AccountId, ReminderId, Timestamp,
    reminders::{BELL_TEXT, LocalTimeInZone, Plan, Recipient, ReminderState, ReminderView, Repeats},
};
use uuid::Uuid;

row! {
    /// A reminder with everything a list shows. Words and JSON as stored in SQL, times in
    /// milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReminderRow {
        /// Id.
        pub id: Uuid,
        /// What it says.
        pub text: String,
        /// Its creator.
        pub owner_id: Uuid,
        /// Name of its creator.
        pub owner: String,
        /// Whom it reaches.
        pub recipient_kind: String,
        /// The account or channel.
        pub recipient_id: Option<Uuid>,
        /// Its name.
        pub recipient_name: String,
        /// The mail address.
        pub address: Option<String>,
        /// State, with that of its task.
        pub state: String,
        /// Version.
        pub version: i32,
        /// When it is or was due.
        pub due_at: i64,
        /// Local time as entered.
        pub local_time: Option<String>,
        /// Time zone of the local time.
        pub time_zone: Option<String>,
        /// How it repeats, as JSON.
        pub repeats: Option<String>,
        /// What it is about.
        pub about_id: Option<Uuid>,
        /// Kind of that: `article` or `meeting`.
        pub about_kind: Option<String>,
        /// Its title.
        pub about_title: Option<String>,
        /// From where on the moment counts.
        pub anchor: Option<String>,
        /// Minutes after that; negative: before.
        pub offset_minutes: Option<i32>,
        /// 1: a user chose another moment.
        pub is_snoozed: i32,
        /// Why it is in its state.
        pub reason: Option<String>,
        /// Its task.
        pub task_id: Option<Uuid>,
        /// When it was sent.
        pub sent_at: Option<i64>,
        /// Verb of the last change.
        pub undo_verb: Option<String>,
        /// The plan before the last change, as JSON.
        pub undo_before: Option<String>,
        /// When it was created.
        pub created_at: i64,
    }
}

impl ReminderRow {
    /// Its creator.
    #[must_use]
    pub const fn owner(&self) -> AccountId {
        AccountId(self.owner_id)
    }

    /// State and moment.
    pub fn plan(&self) -> Result<Plan, StoreError> {
        let local = self.local_time.clone().zip(self.time_zone.clone());
        Ok(Plan {
            state: self.state.parse().map_err(|_| self.corrupt())?,
            due_at: self.due_at.into(),
            local: local.map(|(local, zone)| LocalTimeInZone { local, zone }),
            is_snoozed: self.is_snoozed == 1,
            reason: self.reason.clone(),
            repeats: self.repeats()?,
        })
    }

    /// How it repeats; `None`: it is not the coming occurrence of a series.
    pub fn repeats(&self) -> Result<Option<Repeats>, StoreError> {
        let repeats = self.repeats.as_deref().map(serde_json::from_str).transpose();
        repeats.map_err(|_| self.corrupt())
    }

    /// Whom it reaches.
    pub fn recipient(&self) -> Result<Recipient, StoreError> {
        Ok(match (self.recipient_kind.as_str(), self.recipient_id, &self.address) {
            ("account", Some(id), _) => Recipient::Account(AccountId(id)),
            ("channel", Some(id), _) => Recipient::Channel(id.into()),
            ("mail", _, Some(address)) => Recipient::Mail(address.clone()),
            ("attendees", ..) if self.text == BELL_TEXT => Recipient::Bell,
            ("attendees", ..) => Recipient::Attendees,
            ("sms", ..) => Recipient::Sms,
            _ => return Err(self.corrupt()),
        })
    }

    /// Verb of the last change and the plan before it; `None`: it cannot be undone.
    #[must_use]
    pub fn undo(&self) -> Option<(&str, Plan)> {
        let plan = serde_json::from_str(self.undo_before.as_deref()?).ok()?;
        Some((self.undo_verb.as_deref()?, plan))
    }

    fn corrupt(&self) -> StoreError {
        StoreError::Corrupt(format!("reminder {} cannot be read", self.id))
    }
}

/// The state of a reminder: while it is scheduled, its task may have been cancelled or have failed; a
/// failed task may have been scheduled again.
macro_rules! state_sql {
    () => {
        "case when r.state = 'scheduled' and t.state = 'cancelled' then 'cancelled'
              when r.state = 'scheduled' and t.state in ('failed', 'missed') then 'failed'
              when r.state = 'failed' and t.state = 'scheduled' then 'scheduled'
              else r.state end"
    };
}

/// When a reminder is due: newer time-zone data moves its task.
macro_rules! due_sql {
    () => {
        "case when r.state = 'scheduled' and t.state = 'scheduled' then t.due_at else r.due_at end"
    };
}

/// Selects [`ReminderRow`]s; `$rest` is a condition and an order.
macro_rules! reminders {
    ($rest:expr) => {
        concat!(
            "select r.id, r.text, r.owner_id, coalesce(o.name, '') as owner, r.recipient_kind, r.recipient_id,
                    coalesce(p.name, c.name, r.address, '') as recipient_name, r.address, ",
            state_sql!(),
            " as state, r.version, ",
            due_sql!(),
            " as due_at, r.local_time, r.time_zone, r.repeats, r.about_id, g.kind as about_kind, g.title as about_title, r.anchor,
                    r.minutes_after - r.minutes_before as offset_minutes,
                    r.is_snoozed, case when r.state = 'scheduled' then t.reason else r.reason end as reason, r.task_id,
                    r.sent_at, r.undo_verb, r.undo_before, r.created_at
               from reminder r
               left join task t on t.id = r.task_id
               left join account o on o.id = r.owner_id
               left join account p on p.id = r.recipient_id and r.recipient_kind = 'account'
               left join channel c on c.id = r.recipient_id and r.recipient_kind = 'channel'
               left join target g on g.id = r.about_id
              where ",
            $rest
        )
    };
}

/// Filter of the list: reminders that an account created or that are for it, without those that
/// meetings send to their attendees.
#[derive(Debug, Clone, Copy)]
pub struct ReminderFilter<'a> {
    /// The account.
    pub account: AccountId,
    /// Part of the list.
    pub view: Option<ReminderView>,
    /// Only in this state.
    pub state: Option<ReminderState>,
    /// Only with this text.
    pub q: Option<&'a str>,
    /// First moment of the next day, which ends *today*.
    pub tomorrow: Timestamp,
    /// Only due from this moment on, milliseconds.
    pub from: i64,
    /// Only due before this moment.
    pub to: i64,
    /// Whether the latest comes first.
    pub is_descending: bool,
    /// Only beyond this due time and id, in the order of the list.
    pub start: Option<(i64, Uuid)>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Whether a reminder of `x` belongs to a part of the list. $tomorrow: first moment of the next day.
macro_rules! in_view {
    (today, $tomorrow:literal) => {
        concat!("(x.state in ('sent', 'failed') or (x.state = 'scheduled' and x.due_at < ", $tomorrow, "))")
    };
    (coming, $tomorrow:literal) => {
        concat!("(x.state = 'scheduled' and x.due_at >= ", $tomorrow, ")")
    };
    (done, $tomorrow:literal) => {
        "x.state in ('done', 'cancelled', 'skipped')"
    };
}

/// The reminders that the account $1 created or gets.
macro_rules! own {
    () => {
        "(r.owner_id = $1 or r.recipient_id = $1) and r.recipient_kind in ('account', 'mail', 'channel')"
    };
}

macro_rules! page {
    ($bounds:literal, $order:literal) => {
        concat!(
            "select * from (",
            reminders!(own!()),
            ") as x
              where ($2 is null or ($2 = 'today' and ",
            in_view!(today, "$3"),
            ") or ($2 = 'coming' and ",
            in_view!(coming, "$3"),
            ") or ($2 = 'done' and ",
            in_view!(done, "$3"),
            "))
                and ($4 is null or x.state = $4)
                and ($8 is null or lower(x.text) like $8 escape '!' or lower(x.recipient_name) like $8 escape '!'
                     or lower(x.about_title) like $8 escape '!')
                and x.due_at >= $9 and x.due_at < $10 and ",
            $bounds,
            " order by ",
            $order,
            " limit $7"
        )
    };
}

/// Returns a page of the list, by due time.
pub async fn page(conn: Conn<'_>, filter: ReminderFilter<'_>) -> Result<Vec<ReminderRow>, StoreError> {
    let (sql, first) = match filter.is_descending {
        false => (page!("(x.due_at, x.id) > ($5, $6)", "x.due_at, x.id"), (i64::MIN, Uuid::nil())),
        true => (page!("(x.due_at, x.id) < ($5, $6)", "x.due_at desc, x.id desc"), (i64::MAX, Uuid::max())),
    };
    let (at, id) = filter.start.unwrap_or(first);
    let pattern = filter.q.map(|q| contains_pattern(&q.to_lowercase()));
    Ok(with_conn!(conn, c => sqlx::query_as(sql)
        .bind(filter.account.0).bind(filter.view.map(ReminderView::as_str)).bind(filter.tomorrow.millis())
        .bind(filter.state.map(ReminderState::as_str)).bind(at).bind(id).bind(filter.limit)
        .bind(pattern).bind(filter.from).bind(filter.to).fetch_all(c).await)?)
}

/// Returns the numbers of reminders of today, of later days, and of those that are done.
pub async fn counts(
    conn: Conn<'_>,
    account: AccountId,
    tomorrow: Timestamp,
) -> Result<(i64, i64, i64), StoreError> {
    const SQL: &str = concat!(
        "select coalesce(sum(case when ",
        in_view!(today, "$2"),
        " then 1 else 0 end), 0), coalesce(sum(case when ",
        in_view!(coming, "$2"),
        " then 1 else 0 end), 0), coalesce(sum(case when ",
        in_view!(done, "$2"),
        " then 1 else 0 end), 0)
           from (select ",
        state_sql!(),
        " as state, ",
        due_sql!(),
        " as due_at from reminder r left join task t on t.id = r.task_id where ",
        own!(),
        ") as x"
    );
    Ok(with_conn!(conn, c => sqlx::query_as(SQL)
        .bind(account.0).bind(tomorrow.millis()).fetch_one(c).await)?)
}

/// Returns one reminder; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: ReminderId) -> Result<Option<ReminderRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(reminders!("r.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns these reminders, by due time.
pub async fn find_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<ReminderRow>, StoreError> {
    Ok(match conn {
        _ if ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(reminders!(
                "r.id in (select unhex(value) from jsonb_each($1)) order by due_at, r.id"
            ))
            .bind(encode(ids.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(reminders!("r.id = any($1) order by due_at, r.id")).bind(ids).fetch_all(c).await?
        }
    })
}

/// Returns the reminders about an article or a meeting, by due time.
pub async fn about(conn: Conn<'_>, id: Uuid) -> Result<Vec<ReminderRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(reminders!("r.about_id = $1 order by due_at, r.id"))
        .bind(id).fetch_all(c).await)?)
}

/// Returns the number of scheduled reminders of an account, up to `limit`.
pub async fn open_count(conn: Conn<'_>, owner: AccountId, limit: i64) -> Result<i64, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from (select 1 from reminder where owner_id = $1 and state = 'scheduled' limit $2) as part")
        .bind(owner.0).bind(limit).fetch_one(c).await)?)
}
