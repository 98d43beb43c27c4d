//! What people do in a world, through the real desk; what they are told is held against the model.

use crate::{
    base::{ARTICLES, PERSON, article, hex, revision},
    model::{Model, Task},
    world::World,
};
use domain::{
    Actor, ArticleId, Kind, PersonId, Refusal, Role, State, TaskId, Timestamp, Version,
    desk::Tasks as _,
    person::Language,
    task::{Change, NewTask, TaskRow},
};
use presstime::desk::tasks::TaskDesk;
use uuid::Uuid;

/// How far ahead people plan, milliseconds.
const AHEAD_MS: i64 = 4_000;

type Row = (Uuid, String, Uuid, Option<Uuid>, i64, i32, String);

fn actor() -> Actor {
    Actor {
        person: PersonId(PERSON),
        role: Role::Creator,
        zone: "UTC".to_owned(),
        language: Language::En,
        idempotency: None,
        session: None,
    }
}

/// Somebody does something.
pub async fn act(world: &mut World<'_>, texts: &mut [i32; ARTICLES]) -> Result<(), String> {
    learn_what_was_missed(world).await;
    learn_what_was_held(world).await;
    let desk = TaskDesk::new(world.parts.clone());
    let what = world.shared.dice.below(100);
    let place = world.shared.dice.below(ARTICLES);
    match what {
        0..35 => schedule(world, &desk, place, texts).await?,
        35..40 => edit(world, place, texts).await,
        40..46 => at_once(world, &desk, place, texts).await?,
        46..53 => set_approval(world).await,
        53..60 if world.has_post => cancel_delivery(world).await,
        _ => change(world, &desk, texts).await?,
    }
    // Hints are given by a task of their own: it has its turn now.
    tokio::task::yield_now().await;
    Ok(())
}

async fn schedule(world: &mut World<'_>, desk: &TaskDesk, place: usize, texts: &[i32]) -> Result<(), String> {
    let kind = if world.shared.dice.chance(75) { Kind::ArticlePublish } else { Kind::ArticleUnpublish };
    let due = world.shared.now().plus(world.shared.dice.millis(AHEAD_MS));
    let new = NewTask { kind, target_id: article(place), when: due.into(), lane: None };
    let answer = desk.schedule(&actor(), new).await;
    world.shared.tell(|| format!("schedule {kind:?} of {place} for {due}: {}", brief(&answer)));
    match answer {
        Ok(row) => {
            let revision = (kind == Kind::ArticlePublish).then(|| revision(place, texts[place]));
            told(world, &row, "scheduled")?;
            world.model.tasks.push(known(&row, revision));
            Ok(())
        }
        Err(_) if kind == Kind::ArticleUnpublish || world.model.waiting(kind, article(place)).is_some() => {
            Ok(())
        }
        Err(refusal) => Err(format!("nothing waits and yet: {refusal}")),
    }
}

fn brief(answer: &Result<TaskRow, Refusal>) -> String {
    match answer {
        Ok(row) => format!("{} {} version {} due {}", row.id, row.state.as_str(), row.version.0, row.due.at),
        Err(refusal) => refusal.to_string(),
    }
}

fn known(row: &TaskRow, revision: Option<Uuid>) -> Task {
    Task {
        id: row.id,
        kind: row.kind,
        article: row.target_id,
        due: row.due.at,
        version: row.version.0,
        revision,
        approved: true,
        state: row.state,
        before: (row.due.at, revision),
    }
}

fn told(world: &World<'_>, row: &TaskRow, state: &str) -> Result<(), String> {
    world.shared.trace(i64::from(row.version.0) + 10_000);
    if row.state.as_str() == state { Ok(()) } else { Err(format!("not {state}: {row:?}")) }
}

async fn edit(world: &mut World<'_>, place: usize, texts: &mut [i32]) {
    texts[place] += 1;
    let (number, id) = (texts[place], hex(article(place)));
    let (new, person) = (hex(revision(place, number)), hex(PERSON));
    world
        .base
        .run(&format!(
            "insert into revision (id, article_id, number, title, body, words, author_id, saved_at)
             values (x'{new}', x'{id}', {number}, 'A title', 'Text {number}', 2, x'{person}', 0);
             update article set revision_id = x'{new}', revision = {number}, state = 'draft' where id = x'{id}';"
        ))
        .await;
}

async fn at_once(world: &mut World<'_>, desk: &TaskDesk, place: usize, texts: &[i32]) -> Result<(), String> {
    let target = article(place);
    let waiting = world.model.waiting(Kind::ArticlePublish, target).map(|task| task.id);
    let revision = Some(revision(place, texts[place]));
    let answer = desk.publish_at_once(&actor(), ArticleId(target)).await;
    world.shared.tell(|| format!("publish {place} at once: {}", brief(&answer)));
    match answer {
        Ok(row) if Some(row.id) == waiting && world.model.is_known(row.id, row.version.0) => Ok(()),
        Ok(row) if Some(row.id) == waiting => world.model.changed(row.id, row.version.0, |task| {
            task.approved |= task.revision != revision;
            (task.due, task.revision) = (row.due.at, revision);
        }),
        // A second click is answered with what the first one did.
        Ok(row) if world.model.tasks.iter().any(|task| task.id == row.id) => Ok(()),
        Ok(row) => {
            world.model.tasks.push(known(&row, revision));
            Ok(())
        }
        Err(refusal) => Err(format!("at once: {refusal}")),
    }
}

/// Approval is withdrawn or given: no verb of the desk yet, so it is written as a person's transaction would.
async fn set_approval(world: &mut World<'_>) {
    let Some(place) = pick(world) else { return };
    let task = &mut world.model.tasks[place];
    if task.state != State::Scheduled {
        return;
    }
    let id = hex(task.id.0);
    world.shared.tell(|| format!("approval of {id}, which is {}", task.approved));
    if task.approved {
        (task.approved, task.version) = (false, task.version + 1);
        let set = "version = version + 1, approved_version = null";
        world.base.run(&format!("update task set {set} where id = x'{id}' and state = 'scheduled'")).await;
    } else {
        task.approved = true;
        let set = "approved_version = version";
        world.base.run(&format!("update task set {set} where id = x'{id}' and state = 'scheduled'")).await;
    }
}

/// The engine fails a task that would put an older text over a newer public one: from Attention people know.
pub async fn learn_what_was_held(world: &mut World<'_>) {
    let held: Vec<(Uuid,)> = world
        .base
        .rows(sqlx::query_as("select id from task where state = 'failed' and reason = 'older_text'"))
        .await;
    for task in world.model.tasks.iter_mut().filter(|task| held.contains(&(task.id.0,))) {
        if task.state == State::Scheduled && task.revision.is_some() {
            task.state = State::Failed;
        }
    }
}

/// The engine gives up what was not approved in time: from the page people know whether it has.
async fn learn_what_was_missed(world: &mut World<'_>) {
    let now = world.shared.now();
    if !world.model.tasks.iter().any(|task| Model::may_be_missed(task, now)) {
        return;
    }
    let missed: Vec<(Uuid,)> =
        world.base.rows(sqlx::query_as("select id from task where state = 'missed'")).await;
    for task in &mut world.model.tasks {
        if Model::may_be_missed(task, now) && missed.contains(&(task.id.0,)) {
            task.state = State::Missed;
        }
    }
}

async fn cancel_delivery(world: &mut World<'_>) {
    let ids: Vec<(Uuid,)> = world.base.rows(sqlx::query_as("select id from delivery order by id")).await;
    if !ids.is_empty() {
        let (id,) = ids[world.shared.dice.below(ids.len())];
        world.post.cancel(id).await;
    }
}

fn pick(world: &World<'_>) -> Option<usize> {
    let count = world.model.tasks.len();
    (count > 0).then(|| world.shared.dice.below(count))
}

async fn change(world: &mut World<'_>, desk: &TaskDesk, texts: &[i32]) -> Result<(), String> {
    let Some(place) = pick(world) else { return Ok(()) };
    let task = world.model.tasks[place].clone();
    let is_stale = world.shared.dice.chance(10);
    let seen = Version(task.version - i32::from(is_stale));
    let due = world.shared.now().plus(world.shared.dice.millis(AHEAD_MS));
    let change = match world.shared.dice.below(6) {
        0 | 1 => Change::Reschedule { when: due.into() },
        2 => Change::Cancel,
        3 => Change::PublishNow,
        4 => Change::ReplaceRevision,
        _ => Change::Undo,
    };
    let answer = desk.change(&actor(), task.id, change.clone(), seen).await;
    world.shared.tell(|| format!("{change:?} of {task:?}: {}", brief(&answer)));
    match answer {
        Ok(_) if is_stale => Err(format!("S4: a change of an older version: {change:?} of {task:?}")),
        Ok(row) => accept(world, &task, &change, &row, texts).await,
        Err(refusal) => refused(&task, &change, is_stale, &refusal),
    }
}

/// A change was acknowledged: it had to be possible, and this is what people know now.
async fn accept(
    world: &mut World<'_>,
    task: &Task,
    change: &Change,
    row: &TaskRow,
    texts: &[i32],
) -> Result<(), String> {
    world.shared.trace(i64::from(row.version.0) + 20_000);
    if *change == Change::Undo {
        return undone(world, task, row).await;
    }
    if task.state != State::Scheduled
        && !(matches!(task.state, State::Missed | State::Failed) && *change == Change::Cancel)
    {
        return Err(format!("S7: {change:?} of {task:?} was acknowledged"));
    }
    let current =
        (0..ARTICLES).find(|place| article(*place) == task.article).map(|at| revision(at, texts[at]));
    if *change == Change::ReplaceRevision && task.revision == current {
        return Ok(());
    }
    world.model.changed(task.id, row.version.0, |task| {
        (task.due, task.state) = (row.due.at, row.state);
        if *change == Change::ReplaceRevision {
            (task.revision, task.approved) = (current, true);
        }
    })
}

async fn undone(world: &mut World<'_>, task: &Task, row: &TaskRow) -> Result<(), String> {
    if task.state == State::Executed {
        return adopt(world).await;
    }
    let (due, revision) = task.before;
    if row.state == State::Scheduled && row.due.at != due {
        return Err(format!("an undo led to {row:?} instead of {due}"));
    }
    world.model.changed(row.id, row.version.0, |task| {
        task.state = row.state;
        if row.state == State::Scheduled {
            (task.due, task.revision) = (due, revision);
        }
    })
}

/// Tasks that the desk made to take something back.
async fn adopt(world: &mut World<'_>) -> Result<(), String> {
    let rows: Vec<Row> = world
        .base
        .rows(sqlx::query_as(
            "select id, kind, target_id, revision_id, due_at, version, state from task order by id",
        ))
        .await;
    for (id, kind, article, revision, due, version, state) in rows {
        if world.model.tasks.iter().any(|task| task.id.0 == id) {
            continue;
        }
        let (due, state) = (Timestamp::from_millis(due), state.parse().map_err(|_| "a strange state")?);
        let kind = kind.parse().map_err(|_| "a strange kind")?;
        let (id, before) = (TaskId(id), (due, revision));
        let task = Task { id, kind, article, due, version, revision, approved: true, state, before };
        world.model.tasks.push(task);
    }
    Ok(())
}

/// A change was refused: something had to speak against it.
fn refused(task: &Task, change: &Change, is_stale: bool, refusal: &Refusal) -> Result<(), String> {
    let is_plain = matches!(change, Change::Reschedule { .. } | Change::Cancel | Change::PublishNow);
    let may_be_refused = is_stale || task.state != State::Scheduled || *refusal == Refusal::OlderText;
    if is_plain && !may_be_refused {
        return Err(format!("{change:?} of {task:?} was refused: {refusal}"));
    }
    Ok(())
}
