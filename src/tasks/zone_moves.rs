//! New time-zone data: scheduled tasks keep their wall-clock time and move to its new instant.
//! Moved tasks are listed on the Attention page.

use crate::{
    app_state::AppState,
    kinds::{self, Moved, task_kind::MovedBy, undo_plan::ChangeDetail},
    services::{Presenter, hints, internal_error},
    zone::{self, Meaning, Zone},
};
use domain::{
    Actor, DomainError, Hint, KindClass, State, TaskId, Timestamp, Version,
    task::{AttentionGroup, TaskRow, reason},
};
use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};
use store::{
    Conn, PoolRole, StoreError,
    bulk::{self, Transition, TransitionRequest},
    dashboard,
    event::{self, NewEvent},
    setting,
    zone_move::{self, Cause, LocalTimeTask, ZoneMove, ZoneMoveRow},
};
use texts::tasks::zone_move::sentence;
use uuid::Uuid;

/// Maximum number of tasks read and changed in one transaction.
const BATCH_SIZE: i64 = 500;
/// Maximum number of passes over all scheduled tasks. A task that is locked is left to the next
/// pass.
const MAX_PASSES: usize = 10;
/// Delay between two passes while a task is locked.
const LOCKED_RETRY_DELAY: Duration = Duration::from_millis(200);

/// Resolves scheduled wall-clock times again if this build's time-zone data is newer than that of
/// the last start, and stores its version. Returns the number of moved tasks. Nodes may do it
/// concurrently; each task is moved once.
pub async fn keep_local_times(parts: &AppState) -> Result<u64, StoreError> {
    let own = zone::data_version();
    let last =
        setting::find(parts.store.read(PoolRole::Engine).await?.conn(), zone_move::RELEASE_SETTING).await?;
    if last.as_deref() == Some(own) {
        return Ok(0);
    }
    let mut moved = 0;
    match &last {
        Some(last) if zone::is_newer(last, own) => {
            tracing::warn!(
                "the time-zone data {own} is older than {last} of the last start; no task is moved"
            );
        }
        _ => {
            let passed = passes(parts).await?;
            moved = passed.moved;
            if moved > 0 {
                tracing::info!("new time-zone data {own}: {moved} tasks were moved to keep their local time");
            }
            if passed.left > 0 {
                tracing::warn!(
                    "{} tasks were locked and not moved; the next start retries them",
                    passed.left
                );
                return Ok(moved);
            }
        }
    }
    let mut tx = parts.store.begin(PoolRole::Engine).await?;
    setting::put(tx.conn(), zone_move::RELEASE_SETTING, own).await?;
    tx.commit().await?;
    Ok(moved)
}

/// Repeats passes over all scheduled tasks until none is left.
async fn passes(parts: &AppState) -> Result<Pass, StoreError> {
    let mut all = Pass::default();
    for _ in 0..MAX_PASSES {
        let Pass { moved, left } = pass(parts).await?;
        all = Pass { moved: all.moved + moved, left };
        if left == 0 {
            break;
        }
        tokio::time::sleep(LOCKED_RETRY_DELAY).await;
    }
    Ok(all)
}

/// Result of one pass.
#[derive(Default)]
struct Pass {
    moved: u64,
    /// Tasks that were locked or changed concurrently.
    left: u64,
}

async fn pass(parts: &AppState) -> Result<Pass, StoreError> {
    let (mut after, mut pass) = (None, Pass::default());
    loop {
        let rows =
            zone_move::local_time_tasks(parts.store.read(PoolRole::Engine).await?.conn(), after, BATCH_SIZE)
                .await?;
        let moves: Vec<(&LocalTimeTask, ZoneMove)> =
            rows.iter().filter_map(|row| Some((row, decide(row)?))).collect();
        if !moves.is_empty() {
            let moved = apply(parts, &moves).await?;
            let requested = moves.iter().filter(|(_, one)| is_moved(one)).count() as u64;
            pass.moved += moved;
            pass.left += requested - moved;
        }
        match rows.last() {
            Some(last) if i64::try_from(rows.len()).is_ok_and(|count| count == BATCH_SIZE) => {
                after = Some((last.due_at, last.id));
            }
            _ => return Ok(pass),
        }
    }
}

/// Resolves a task by the current rules; `None`: the instant is unchanged.
fn decide(row: &LocalTimeTask) -> Option<ZoneMove> {
    let was_due_at = Timestamp::from_millis(row.due_at);
    let zone = Zone::named(&row.time_zone).ok()?;
    let cause = match zone.meaning_of(&row.local_time)? {
        Meaning::Once(at) if at == was_due_at => return None,
        Meaning::Once(_) => Cause::Moved,
        Meaning::Never { jump } if jump == was_due_at => return None,
        Meaning::Never { .. } => Cause::Skipped,
        Meaning::Twice { .. } => Cause::Doubled,
    };
    let due_at = zone::instant_again(Some(&row.local_time), Some(&row.time_zone), was_due_at);
    let (local, zone) = (row.local_time.clone(), zone.name().to_owned());
    Some(ZoneMove {
        task: TaskId(row.id),
        cause,
        local_time: local,
        time_zone: zone,
        previous_due_at: was_due_at,
        due_at,
    })
}

fn is_moved(one: &ZoneMove) -> bool {
    one.due_at != one.previous_due_at
}

/// Moves the tasks by compare-and-set and lists them, in one transaction. Returns the number of
/// moved tasks.
async fn apply(parts: &AppState, moves: &[(&LocalTimeTask, ZoneMove)]) -> Result<u64, StoreError> {
    let now = parts.clock.now();
    let requests: Vec<TransitionRequest> = moves
        .iter()
        .filter(|(_, one)| is_moved(one))
        .map(|(row, one)| transition_request(row, one, now))
        .collect();
    let mut tx = parts.store.begin(PoolRole::Engine).await?;
    let moved: HashSet<TaskId> =
        if requests.is_empty() { HashSet::new() } else { bulk::change_all(tx.conn(), &requests).await? };
    let is_done = |one: &ZoneMove| !is_moved(one) || moved.contains(&one.task);
    let listed: Vec<ZoneMove> =
        moves.iter().map(|(_, one)| one).filter(|one| is_done(one)).cloned().collect();
    zone_move::record_moves(tx.conn(), &listed, zone::data_version(), now).await?;
    let of_moved = moves.iter().filter(|(_, one)| moved.contains(&one.task));
    let mut noted = Moved::default();
    of_moved.clone().for_each(|(row, _)| noted.note(&row.kind, row.target_id));
    let by = MovedBy { account: None, at: now, buckets: parts.hints.buckets() };
    let mut published = kinds::store_followers(&mut tx, noted, by).await?;
    tx.commit().await?;
    published.extend(of_moved.filter_map(|(row, one)| hint_of(row, one)));
    hints::publish(parts, published);
    Ok(moved.len() as u64)
}

fn transition_request(row: &LocalTimeTask, one: &ZoneMove, now: Timestamp) -> TransitionRequest {
    let detail = ChangeDetail {
        due_at: Some(one.due_at),
        was_due_at: Some(one.previous_due_at),
        was_local: Some(row.local_time.clone()),
        was_zone: Some(row.time_zone.clone()),
        ..ChangeDetail::default()
    };
    let scheduled = Some(State::Scheduled.as_str());
    TransitionRequest {
        id: one.task,
        seen: Version(row.version),
        transition: Transition::Scheduled,
        due_at: one.due_at,
        local_time: Some(row.local_time.clone()),
        time_zone: Some(row.time_zone.clone()),
        reason: None,
        event: NewEvent {
            from_state: scheduled,
            to_state: scheduled,
            version: Some(row.version + 1),
            detail: detail.text(),
            ..NewEvent::simple(now, None, "task", row.id, "adjust_zone")
        },
    }
}

fn hint_of(row: &LocalTimeTask, one: &ZoneMove) -> Option<Hint> {
    let bucket = u16::try_from(row.bucket).unwrap_or_default();
    let version = Version(row.version + 1);
    let (priority, class) = (row.priority.parse().ok()?, KindClass::of(&row.kind));
    Some(Hint { task: one.task, version, due_at: one.due_at, priority, class, bucket })
}

/// Returns moved tasks that are not dismissed, with their old and new instants; `None`: there are
/// none.
pub async fn group(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    owner: Option<domain::AccountId>,
    limit: i64,
) -> Result<Option<AttentionGroup>, DomainError> {
    let listed = zone_move::list_moves(conn.reborrow(), owner, limit).await.map_err(internal_error)?;
    let Some(first) = listed.first() else { return Ok(None) };
    let (total, theirs) = (first.total.unsigned_abs(), first.theirs.unsigned_abs());
    let ids: Vec<Uuid> = listed.iter().map(|one| one.task_id).collect();
    let rows = dashboard::find_many(conn, &ids).await.map_err(internal_error)?;
    let mut rows: HashMap<Uuid, TaskRow> =
        presenter.tasks(rows).into_iter().map(|row| (row.id.0, row)).collect();
    let row = |one: ZoneMoveRow| {
        let reason = Some(reason_sentence(presenter, &one));
        Some(TaskRow { reason, ..rows.remove(&one.task_id)? })
    };
    let tasks = listed.into_iter().filter_map(row).collect();
    Ok(Some(AttentionGroup {
        state: State::Scheduled,
        reason: reason::ZONE_DATA.to_owned(),
        total,
        changeable: theirs,
        since: None,
        tasks,
    }))
}

fn reason_sentence(presenter: &Presenter<'_>, one: &ZoneMoveRow) -> String {
    let utc = |at: i64| Timestamp::from_millis(at).utc().format("%Y-%m-%dT%H:%M").to_string();
    let instants = [utc(one.previous_due_at), utc(one.due_at)];
    sentence(presenter.actor.language, &one.cause, (&one.local_time, &one.time_zone), instants)
}

/// Dismisses entries listed up to `seen_at` that the actor may change. Returns their number.
pub async fn dismiss(parts: &AppState, actor: &Actor, seen_at: Timestamp) -> Result<u64, DomainError> {
    let owner = (!actor.is_admin()).then_some(actor.account);
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let tasks = zone_move::dismiss(tx.conn(), owner, seen_at).await.map_err(internal_error)?;
    let now = parts.clock.now();
    let event = |task: &Uuid| NewEvent::simple(now, Some(actor.account), "task", *task, "dismiss");
    let events: Vec<NewEvent> = tasks.iter().map(event).collect();
    event::append(tx.conn(), &events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    Ok(tasks.len() as u64)
}
