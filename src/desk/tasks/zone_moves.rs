//! Newer time-zone data: what waits in wall-clock time keeps it, and moves to its new instant; what moved is listed in Attention.

use super::past::Detail;
use crate::{
    desk::{Lens, broken, hint},
    parts::Parts,
    zone::{self, Meaning, Zone},
};
use app::words::zone_move::sentence;
use domain::{
    Actor, Hint, Refusal, State, TaskId, Timestamp, Version,
    task::{AttentionGroup, TaskRow, reason},
};
use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};
use store::{
    Conn, StoreError, Who, board,
    bulk::{self, Becomes, Wish},
    event::{self, NewEvent},
    setting,
    zone_move::{self, Cause, Listed, Waiting, ZoneMove},
};
use uuid::Uuid;

/// Items read, and changed in one transaction, at a time.
const BATCH: i64 = 500;
/// How often all that waits is looked through: an item that somebody holds is left to the next time.
const PASSES: usize = 10;
/// Between two looks, while somebody holds an item.
const HELD_PAUSE: Duration = Duration::from_millis(200);

/// Resolves again what waits in wall-clock time, if this program's data is newer than that of the last start; notes its release.
/// How many items moved. Any number of nodes may do it at once: each item is moved by one of them.
pub async fn keep_local_times(parts: &Parts) -> Result<u64, StoreError> {
    let own = zone::data_version();
    let last = setting::find(parts.store.read(Who::Engine).await?.conn(), zone_move::DATA).await?;
    if last.as_deref() == Some(own) {
        return Ok(0);
    }
    let mut moved = 0;
    match &last {
        Some(last) if zone::is_newer(last, own) => {
            tracing::warn!(
                "this program's time-zone data {own} is older than {last} of the last start; nothing is moved"
            );
        }
        _ => {
            let passed = passes(parts).await?;
            moved = passed.moved;
            if moved > 0 {
                tracing::info!("time-zone data {own}: {moved} items moved to keep their local time");
            }
            if passed.left > 0 {
                tracing::warn!(
                    "{} items were held by others; the next start looks at them again",
                    passed.left
                );
                return Ok(moved);
            }
        }
    }
    let mut tx = parts.store.begin(Who::Engine).await?;
    setting::put(tx.conn(), zone_move::DATA, own).await?;
    tx.commit().await?;
    Ok(moved)
}

/// Looks through all that waits until nothing is left.
async fn passes(parts: &Parts) -> Result<Pass, StoreError> {
    let mut all = Pass::default();
    for _ in 0..PASSES {
        let Pass { moved, left } = pass(parts).await?;
        all = Pass { moved: all.moved + moved, left };
        if left == 0 {
            break;
        }
        tokio::time::sleep(HELD_PAUSE).await;
    }
    Ok(all)
}

/// What looking through all that waits did.
#[derive(Default)]
struct Pass {
    moved: u64,
    /// Items that somebody else changed or held.
    left: u64,
}

async fn pass(parts: &Parts) -> Result<Pass, StoreError> {
    let (mut after, mut pass) = (None, Pass::default());
    loop {
        let rows = zone_move::waiting(parts.store.read(Who::Engine).await?.conn(), after, BATCH).await?;
        let moves: Vec<(&Waiting, ZoneMove)> =
            rows.iter().filter_map(|row| Some((row, decide(row)?))).collect();
        if !moves.is_empty() {
            let moved = apply(parts, &moves).await?;
            let wished = moves.iter().filter(|(_, one)| is_moved(one)).count() as u64;
            pass.moved += moved;
            pass.left += wished - moved;
        }
        match rows.last() {
            Some(last) if i64::try_from(rows.len()).is_ok_and(|count| count == BATCH) => {
                after = Some((last.due_at, last.id));
            }
            _ => return Ok(pass),
        }
    }
}

/// What the rules of today make of an item; `None`: what they made of it before.
fn decide(row: &Waiting) -> Option<ZoneMove> {
    let was_due_at = Timestamp::from_millis(row.due_at);
    let zone = Zone::named(&row.zone).ok()?;
    let cause = match zone.meaning_of(&row.local)? {
        Meaning::Once(at) if at == was_due_at => return None,
        Meaning::Once(_) => Cause::Moved,
        Meaning::Never { jump } if jump == was_due_at => return None,
        Meaning::Never { .. } => Cause::Skipped,
        Meaning::Twice { .. } => Cause::Doubled,
    };
    let due_at = zone::instant_again(Some(&row.local), Some(&row.zone), was_due_at);
    let (local, zone) = (row.local.clone(), zone.name().to_owned());
    Some(ZoneMove { task: TaskId(row.id), cause, local, zone, was_due_at, due_at })
}

fn is_moved(one: &ZoneMove) -> bool {
    one.due_at != one.was_due_at
}

/// Moves them by compare-and-set and lists them, in one transaction. How many moved.
async fn apply(parts: &Parts, moves: &[(&Waiting, ZoneMove)]) -> Result<u64, StoreError> {
    let now = parts.clock.now();
    let wishes: Vec<Wish> =
        moves.iter().filter(|(_, one)| is_moved(one)).map(|(row, one)| wish(row, one, now)).collect();
    let mut tx = parts.store.begin(Who::Engine).await?;
    let moved: HashSet<TaskId> =
        if wishes.is_empty() { HashSet::new() } else { bulk::change_all(tx.conn(), &wishes).await? };
    let is_done = |one: &ZoneMove| !is_moved(one) || moved.contains(&one.task);
    let listed: Vec<ZoneMove> =
        moves.iter().map(|(_, one)| one).filter(|one| is_done(one)).cloned().collect();
    zone_move::list(tx.conn(), &listed, zone::data_version(), now).await?;
    tx.commit().await?;
    let of_moved = moves.iter().filter(|(_, one)| moved.contains(&one.task));
    hint::tell(parts, of_moved.filter_map(|(row, one)| hint_of(row, one)).collect());
    Ok(moved.len() as u64)
}

fn wish(row: &Waiting, one: &ZoneMove, now: Timestamp) -> Wish {
    let detail = Detail {
        due_at: Some(one.due_at),
        was_due_at: Some(one.was_due_at),
        was_local: Some(row.local.clone()),
        was_zone: Some(row.zone.clone()),
        ..Detail::default()
    };
    let scheduled = Some(State::Scheduled.as_str());
    Wish {
        id: one.task,
        seen: Version(row.version),
        becomes: Becomes::Scheduled,
        due_at: one.due_at,
        local: Some(row.local.clone()),
        zone: Some(row.zone.clone()),
        event: NewEvent {
            from_state: scheduled,
            to_state: scheduled,
            version: Some(row.version + 1),
            detail: detail.text(),
            ..NewEvent::plain(now, None, "task", row.id, "adjust_zone")
        },
    }
}

fn hint_of(row: &Waiting, one: &ZoneMove) -> Option<Hint> {
    let bucket = u16::try_from(row.bucket).unwrap_or_default();
    let version = Version(row.version + 1);
    Some(Hint { task: one.task, version, due_at: one.due_at, lane: row.lane.parse().ok()?, bucket })
}

/// What newer data moved and nobody has dismissed, each with its old and its new instant; `None`: nothing.
pub async fn group(
    mut conn: Conn<'_>,
    lens: &Lens<'_>,
    owner: Option<domain::PersonId>,
    limit: i64,
) -> Result<Option<AttentionGroup>, Refusal> {
    let listed = zone_move::listed(conn.again(), owner, limit).await.map_err(broken)?;
    let Some(first) = listed.first() else { return Ok(None) };
    let (total, theirs) = (first.total.unsigned_abs(), first.theirs.unsigned_abs());
    let ids: Vec<Uuid> = listed.iter().map(|one| one.task_id).collect();
    let lines = board::these(conn, &ids).await.map_err(broken)?;
    let mut rows: HashMap<Uuid, TaskRow> = lens.tasks(lines).into_iter().map(|row| (row.id.0, row)).collect();
    let row = |one: Listed| {
        let reason = Some(told(lens, &one));
        Some(TaskRow { reason, ..rows.remove(&one.task_id)? })
    };
    let tasks = listed.into_iter().filter_map(row).collect();
    Ok(Some(AttentionGroup {
        state: State::Scheduled,
        reason: reason::ZONE_DATA.to_owned(),
        total,
        theirs,
        tasks,
    }))
}

fn told(lens: &Lens<'_>, one: &Listed) -> String {
    let utc = |at: i64| Timestamp::from_millis(at).utc().format("%Y-%m-%d %H:%M").to_string();
    let instants = [utc(one.was_due_at), utc(one.due_at)];
    sentence(lens.actor.language, &one.cause, (&one.local, &one.zone), instants)
}

/// Takes off the list what was there when the actor looked and they may change. How many.
pub async fn dismiss(parts: &Parts, actor: &Actor, seen_at: Timestamp) -> Result<u64, Refusal> {
    let owner = (!actor.is_admin()).then_some(actor.person);
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    let tasks = zone_move::dismiss(tx.conn(), owner, seen_at).await.map_err(broken)?;
    let now = parts.clock.now();
    let event = |task: &Uuid| NewEvent::plain(now, Some(actor.person), "task", *task, "dismiss");
    let events: Vec<NewEvent> = tasks.iter().map(event).collect();
    event::append(tx.conn(), &events).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    parts.committed.notify_waiters();
    Ok(tasks.len() as u64)
}
