//! Writes reminders. Lock the target of a reminder before it is changed.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
};
use domain::{
    AccountId, ReminderId, TaskId, Timestamp,
    reminders::{Plan, Recipient},
};
use uuid::Uuid;

/// A reminder before it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReminderRow {
    /// Id.
    pub id: ReminderId,
    /// What it says.
    pub text: String,
    /// Its creator.
    pub owner: AccountId,
    /// Whom it reaches.
    pub recipient: Recipient,
    /// State and moment.
    pub plan: Plan,
    /// The article or meeting, the word of the anchor, and the minutes after it, negative before it;
    /// `None`: it is about none.
    pub about: Option<(Uuid, &'static str, i32)>,
    /// The task that sends it; `None`: it is not scheduled.
    pub task: Option<TaskId>,
}

/// Stores new reminders.
pub async fn insert(conn: Conn<'_>, new: &[NewReminderRow], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        _ if new.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into reminder (id, text, owner_id, recipient_kind, recipient_id, address, state, due_at,
                                       local_time, time_zone, about_id, anchor, minutes_before, reason, task_id,
                                       minutes_after, repeats, created_at)
                 select unhex(value ->> '$[0][0]'), value ->> '$[0][1]', unhex(value ->> '$[0][2]'),
                        value ->> '$[0][3]', unhex(value ->> '$[0][4]'), value ->> '$[1][0]', value ->> '$[1][1]',
                        value ->> '$[1][2]', value ->> '$[1][3]', value ->> '$[1][4]', unhex(value ->> '$[2][0]'),
                        value ->> '$[2][1]', value ->> '$[2][2]', value ->> '$[3][0]', unhex(value ->> '$[3][1]'),
                        value ->> '$[3][2]', value ->> '$[3][3]', $2
                   from jsonb_each($1)",
            )
            .bind(encode(new.iter().map(packed))?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => insert_postgres(c, new, at).await?,
    }
    Ok(())
}

fn packed(one: &NewReminderRow) -> impl serde::Serialize + '_ {
    let NewReminderRow { id, text, owner, recipient, plan, about, task } = one;
    (
        (id.0.simple(), text, owner.0.simple(), recipient.stored_kind(), recipient.id().map(Uuid::simple)),
        (recipient.address(), plan.state.as_str(), plan.due_at.millis(), local(plan), zone(plan)),
        (about.map(|about| about.0.simple()), about.map(|about| about.1), before(one)),
        (&plan.reason, task.map(|task| task.0.simple()), after(one), repeats(plan)),
    )
}

/// Minutes before what it is about; `None`: it is about none.
fn before(row: &NewReminderRow) -> Option<i32> {
    row.about.map(|(_, _, offset)| (-offset).max(0))
}

/// Minutes after what it is about.
fn after(row: &NewReminderRow) -> i32 {
    row.about.map_or(0, |(_, _, offset)| offset.max(0))
}

fn local(plan: &Plan) -> Option<&str> {
    plan.local.as_ref().map(|local| local.local.as_str())
}

fn zone(plan: &Plan) -> Option<&str> {
    plan.local.as_ref().map(|local| local.zone.as_str())
}

/// How it repeats, as JSON.
fn repeats(plan: &Plan) -> Option<String> {
    plan.repeats.as_ref().and_then(|repeats| serde_json::to_string(repeats).ok())
}

async fn insert_postgres(
    c: &mut crate::PgConn,
    new: &[NewReminderRow],
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into reminder (id, text, owner_id, recipient_kind, recipient_id, address, state, due_at, local_time,
                               time_zone, about_id, anchor, minutes_before, reason, task_id, minutes_after,
                               repeats, created_at)
         select id, text, owner_id, recipient_kind, recipient_id, address, state, due_at, local_time, time_zone,
                about_id, anchor, minutes_before, reason, task_id, minutes_after, repeats, $18
           from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[],
                       $8::bigint[], $9::text[], $10::text[], $11::uuid[], $12::text[], $13::integer[], $14::text[],
                       $15::uuid[], $16::integer[], $17::text[])
                as new (id, text, owner_id, recipient_kind, recipient_id, address, state, due_at, local_time,
                        time_zone, about_id, anchor, minutes_before, reason, task_id, minutes_after, repeats)",
    )
    .bind(column(new, |one| one.id.0))
    .bind(column(new, |one| one.text.as_str()))
    .bind(column(new, |one| one.owner.0))
    .bind(column(new, |one| one.recipient.stored_kind()))
    .bind(column(new, |one| one.recipient.id()))
    .bind(column(new, |one| one.recipient.address()))
    .bind(column(new, |one| one.plan.state.as_str()))
    .bind(column(new, |one| one.plan.due_at.millis()))
    .bind(column(new, |one| local(&one.plan)))
    .bind(column(new, |one| zone(&one.plan)))
    .bind(column(new, |one| one.about.map(|about| about.0)))
    .bind(column(new, |one| one.about.map(|about| about.1)))
    .bind(column(new, before))
    .bind(column(new, |one| one.plan.reason.as_deref()))
    .bind(column(new, |one| one.task.map(|task| task.0)))
    .bind(column(new, after))
    .bind(column(new, |one| repeats(&one.plan)))
    .bind(at.millis())
    .execute(c)
    .await?;
    Ok(())
}

/// A new plan of a reminder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanUpdate {
    /// The reminder.
    pub id: ReminderId,
    /// The version that is changed.
    pub version: i32,
    /// State and moment.
    pub plan: Plan,
    /// The task that sends it; `None`: unchanged.
    pub task: Option<TaskId>,
    /// Verb of the change and the plan before it, as JSON; `None`: it cannot be undone.
    pub undo: Option<(&'static str, String)>,
}

/// Stores new plans; returns how many reminders still had the version.
pub async fn update_plans(conn: Conn<'_>, all: &[PlanUpdate]) -> Result<u64, StoreError> {
    Ok(match conn {
        _ if all.is_empty() => 0,
        Conn::Sqlite(c) => {
            let rows = all.iter().map(|one| {
                let plan = &one.plan;
                (
                    one.id.0.simple(),
                    one.version,
                    plan.state.as_str(),
                    plan.due_at.millis(),
                    local(plan),
                    zone(plan),
                    i32::from(plan.is_snoozed),
                    &plan.reason,
                    one.task.map(|task| task.0.simple()),
                    one.undo.as_ref().map(|undo| undo.0),
                    one.undo.as_ref().map(|undo| &undo.1),
                    repeats(plan),
                )
            });
            sqlx::query(
                "update reminder
                    set state = e.value ->> 2, due_at = e.value ->> 3, local_time = e.value ->> 4,
                        time_zone = e.value ->> 5, is_snoozed = e.value ->> 6, reason = e.value ->> 7,
                        task_id = coalesce(unhex(e.value ->> 8), task_id), undo_verb = e.value ->> 9,
                        undo_before = e.value ->> 10, repeats = e.value ->> 11, version = version + 1
                   from jsonb_each($1) e
                  where reminder.id = unhex(e.value ->> 0) and reminder.version = e.value ->> 1",
            )
            .bind(encode(rows)?)
            .execute(c)
            .await?
            .rows_affected()
        }
        Conn::Postgres(c) => update_postgres(c, all).await?,
    })
}

async fn update_postgres(c: &mut crate::PgConn, all: &[PlanUpdate]) -> Result<u64, StoreError> {
    let done = sqlx::query(
            "update reminder r
                set state = e.state, due_at = e.due_at, local_time = e.local_time, time_zone = e.time_zone,
                    is_snoozed = e.is_snoozed, reason = e.reason, task_id = coalesce(e.task_id, r.task_id),
                    undo_verb = e.undo_verb, undo_before = e.undo_before, repeats = e.repeats, version = r.version + 1
               from unnest($1::uuid[], $2::integer[], $3::text[], $4::bigint[], $5::text[], $6::text[],
                           $7::integer[], $8::text[], $9::uuid[], $10::text[], $11::text[], $12::text[])
                    as e (id, version, state, due_at, local_time, time_zone, is_snoozed, reason, task_id, undo_verb,
                          undo_before, repeats)
              where r.id = e.id and r.version = e.version",
        )
        .bind(column(all, |one| one.id.0))
        .bind(column(all, |one| one.version))
        .bind(column(all, |one| one.plan.state.as_str()))
        .bind(column(all, |one| one.plan.due_at.millis()))
        .bind(column(all, |one| local(&one.plan)))
        .bind(column(all, |one| zone(&one.plan)))
        .bind(column(all, |one| i32::from(one.plan.is_snoozed)))
        .bind(column(all, |one| one.plan.reason.as_deref()))
        .bind(column(all, |one| one.task.map(|task| task.0)))
        .bind(column(all, |one| one.undo.as_ref().map(|undo| undo.0)))
        .bind(column(all, |one| one.undo.as_ref().map(|undo| undo.1.as_str())))
        .bind(column(all, |one| repeats(&one.plan)))
        .execute(c)
        .await?;
    Ok(done.rows_affected())
}

/// Replaces text and recipient of a reminder. Its version stays: its plan is written next.
pub async fn set_content(
    conn: Conn<'_>,
    id: ReminderId,
    text: &str,
    recipient: &Recipient,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update reminder set text = $2, recipient_kind = $3, recipient_id = $4, address = $5 where id = $1")
        .bind(id.0).bind(text).bind(recipient.stored_kind()).bind(recipient.id()).bind(recipient.address())
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Returns the ids of the reminders about these articles or meetings.
pub async fn ids_about(conn: Conn<'_>, about: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    Ok(match conn {
        _ if about.is_empty() => Vec::new(),
        Conn::Sqlite(c) => sqlx::query_scalar(
            "select id from reminder where about_id in (select unhex(value) from jsonb_each($1)) order by id",
        )
        .bind(encode(about.iter().map(Uuid::as_simple))?)
        .fetch_all(c)
        .await?,
        Conn::Postgres(c) => {
            sqlx::query_scalar("select id from reminder where about_id = any($1) order by id")
                .bind(about)
                .fetch_all(c)
                .await?
        }
    })
}

/// Cancels the scheduled tasks of these reminders, and dismisses those that failed. Returns each with
/// its new version.
pub async fn cancel_tasks(conn: Conn<'_>, reminders: &[Uuid]) -> Result<Vec<(Uuid, i32)>, StoreError> {
    Ok(match conn {
        _ if reminders.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update task set state = 'cancelled', version = version + 1, not_before = null
                  where +state in ('scheduled', 'failed', 'missed')
                    and target_id in (select unhex(value) from jsonb_each($1))
                 returning id, version",
            )
            .bind(encode(reminders.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update task set state = 'cancelled', version = version + 1, not_before = null
                  where state || '' in ('scheduled', 'failed', 'missed') and target_id = any($1)
                 returning id, version",
            )
            .bind(reminders)
            .fetch_all(c)
            .await?
        }
    })
}
