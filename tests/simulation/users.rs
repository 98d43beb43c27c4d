//! Actions of users through the real services. The answers are compared with the model.

use crate::simulation::{
    cluster::Cluster,
    database::{ARTICLES, OWNER, article, hex, revision},
    model::{Model, Task},
};
use domain::{
    AccountId, Actor, ArticleId, DomainError, Kind, Role, State, TaskId, Timestamp, Version,
    account::Language,
    services::Tasks as _,
    task::{Change, NewTask, TaskRow},
};
use presstime::server::tasks::TaskService;
use uuid::Uuid;

/// Maximum time between scheduling and the due time, in milliseconds.
const MAX_LEAD_MS: i64 = 4_000;

type Row = (Uuid, String, Uuid, Option<Uuid>, i64, i32, String);

fn actor() -> Actor {
    Actor {
        account: AccountId(OWNER),
        role: Role::Creator,
        zone: "UTC".to_owned(),
        language: Language::En,
        idempotency: None,
        session: None,
    }
}

/// Performs a random action of a user.
pub async fn act(cluster: &mut Cluster<'_>, texts: &mut [i32; ARTICLES]) -> Result<(), String> {
    learn_missed(cluster).await;
    learn_failed(cluster).await;
    let service = TaskService::new(cluster.app_state.clone());
    let what = cluster.shared.rng.below(100);
    let index = cluster.shared.rng.below(ARTICLES);
    match what {
        0..35 => schedule(cluster, &service, index, texts).await?,
        35..40 => edit(cluster, index, texts).await,
        40..46 => publish_now(cluster, &service, index, texts).await?,
        46..53 => set_approval(cluster).await,
        53..60 if cluster.has_deliveries => cancel_delivery(cluster).await,
        _ => change(cluster, &service, texts).await?,
    }
    // A separate task writes the hints: let it run now.
    tokio::task::yield_now().await;
    Ok(())
}

async fn schedule(
    cluster: &mut Cluster<'_>,
    service: &TaskService,
    index: usize,
    texts: &[i32],
) -> Result<(), String> {
    let kind = if cluster.shared.rng.chance(75) { Kind::ArticlePublish } else { Kind::ArticleUnpublish };
    let due = cluster.shared.now().plus(cluster.shared.rng.millis(MAX_LEAD_MS));
    let new = NewTask { kind, target_id: article(index), when: due.into(), priority: None, revision: None };
    let answer = service.schedule(&actor(), new).await;
    cluster.shared.print_step(|| format!("schedule {kind:?} of {index} for {due}: {}", brief(&answer)));
    match answer {
        Ok(row) => {
            let revision = (kind == Kind::ArticlePublish).then(|| revision(index, texts[index]));
            check_state(cluster, &row, "scheduled")?;
            cluster.model.tasks.push(known(&row, revision));
            Ok(())
        }
        Err(_) if kind == Kind::ArticleUnpublish || cluster.model.waiting(kind, article(index)).is_some() => {
            Ok(())
        }
        Err(refusal) => Err(format!("scheduling was refused although no task is scheduled: {refusal}")),
    }
}

fn brief(answer: &Result<TaskRow, DomainError>) -> String {
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

fn check_state(cluster: &Cluster<'_>, row: &TaskRow, state: &str) -> Result<(), String> {
    cluster.shared.trace(i64::from(row.version.0) + 10_000);
    if row.state.as_str() == state { Ok(()) } else { Err(format!("not {state}: {row:?}")) }
}

async fn edit(cluster: &mut Cluster<'_>, index: usize, texts: &mut [i32]) {
    texts[index] += 1;
    let (number, id) = (texts[index], hex(article(index)));
    let (new, person) = (hex(revision(index, number)), hex(OWNER));
    cluster
        .database
        .run(&format!(
            "insert into revision (id, article_id, number, title, body, words, author_id, saved_at)
             values (x'{new}', x'{id}', {number}, 'A title', 'Text {number}', 2, x'{person}', 0);
             update article set revision_id = x'{new}', revision = {number}, state = 'draft' where id = x'{id}';"
        ))
        .await;
}

async fn publish_now(
    cluster: &mut Cluster<'_>,
    service: &TaskService,
    index: usize,
    texts: &[i32],
) -> Result<(), String> {
    let target = article(index);
    let waiting = cluster.model.waiting(Kind::ArticlePublish, target).map(|task| task.id);
    let revision = Some(revision(index, texts[index]));
    let answer = service.publish_now(&actor(), ArticleId(target)).await;
    cluster.shared.print_step(|| format!("publish {index} now: {}", brief(&answer)));
    match answer {
        Ok(row) if Some(row.id) == waiting && cluster.model.is_known(row.id, row.version.0) => Ok(()),
        Ok(row) if Some(row.id) == waiting => cluster.model.changed(row.id, row.version.0, |task| {
            task.approved |= task.revision != revision;
            (task.due, task.revision) = (row.due.at, revision);
        }),
        // A second click gets the result of the first one.
        Ok(row) if cluster.model.tasks.iter().any(|task| task.id == row.id) => Ok(()),
        Ok(row) => {
            cluster.model.tasks.push(known(&row, revision));
            Ok(())
        }
        Err(refusal) => Err(format!("publish now: {refusal}")),
    }
}

/// Withdraws or gives an approval. No service does so yet, so this writes what its transaction
/// would.
async fn set_approval(cluster: &mut Cluster<'_>) {
    let Some(index) = pick(cluster) else { return };
    let task = &mut cluster.model.tasks[index];
    if task.state != State::Scheduled {
        return;
    }
    let id = hex(task.id.0);
    cluster.shared.print_step(|| format!("approval of {id}, which is {}", task.approved));
    if task.approved {
        (task.approved, task.version) = (false, task.version + 1);
        let set = "version = version + 1, approved_version = null";
        cluster
            .database
            .run(&format!("update task set {set} where id = x'{id}' and state = 'scheduled'"))
            .await;
    } else {
        task.approved = true;
        let set = "approved_version = version";
        cluster
            .database
            .run(&format!("update task set {set} where id = x'{id}' and state = 'scheduled'"))
            .await;
    }
}

/// Learns which tasks failed because they would replace newer public text. Users see them under
/// Attention.
pub async fn learn_failed(cluster: &mut Cluster<'_>) {
    let failed: Vec<(Uuid,)> = cluster
        .database
        .rows(sqlx::query_as("select id from task where state = 'failed' and reason = 'older_text'"))
        .await;
    for task in cluster.model.tasks.iter_mut().filter(|task| failed.contains(&(task.id.0,))) {
        if task.state == State::Scheduled && task.revision.is_some() {
            task.state = State::Failed;
        }
    }
}

/// Learns which tasks were missed because they were not approved in time. Users see it on the page.
async fn learn_missed(cluster: &mut Cluster<'_>) {
    let now = cluster.shared.now();
    if !cluster.model.tasks.iter().any(|task| Model::may_be_missed(task, now)) {
        return;
    }
    let missed: Vec<(Uuid,)> =
        cluster.database.rows(sqlx::query_as("select id from task where state = 'missed'")).await;
    for task in &mut cluster.model.tasks {
        if Model::may_be_missed(task, now) && missed.contains(&(task.id.0,)) {
            task.state = State::Missed;
        }
    }
}

async fn cancel_delivery(cluster: &mut Cluster<'_>) {
    let ids: Vec<(Uuid,)> =
        cluster.database.rows(sqlx::query_as("select id from delivery order by id")).await;
    if !ids.is_empty() {
        let (id,) = ids[cluster.shared.rng.below(ids.len())];
        cluster.receiver.cancel(id).await;
    }
}

fn pick(cluster: &Cluster<'_>) -> Option<usize> {
    let count = cluster.model.tasks.len();
    (count > 0).then(|| cluster.shared.rng.below(count))
}

async fn change(cluster: &mut Cluster<'_>, service: &TaskService, texts: &[i32]) -> Result<(), String> {
    let Some(index) = pick(cluster) else { return Ok(()) };
    let task = cluster.model.tasks[index].clone();
    let is_stale = cluster.shared.rng.chance(10);
    let seen = Version(task.version - i32::from(is_stale));
    let due = cluster.shared.now().plus(cluster.shared.rng.millis(MAX_LEAD_MS));
    let change = match cluster.shared.rng.below(6) {
        0 | 1 => Change::Reschedule { when: due.into() },
        2 => Change::Cancel,
        3 => Change::PublishNow,
        4 => Change::ReplaceRevision,
        _ => Change::Undo,
    };
    let answer = service.change(&actor(), task.id, change.clone(), seen).await;
    cluster.shared.print_step(|| format!("{change:?} of {task:?}: {}", brief(&answer)));
    match answer {
        Ok(_) if is_stale => Err(format!("S4: a change of an older version: {change:?} of {task:?}")),
        Ok(row) => accept(cluster, &task, &change, &row, texts).await,
        Err(refusal) => refused(&task, &change, is_stale, &refusal),
    }
}

/// Checks that an acknowledged change was allowed, and records it in the model.
async fn accept(
    cluster: &mut Cluster<'_>,
    task: &Task,
    change: &Change,
    row: &TaskRow,
    texts: &[i32],
) -> Result<(), String> {
    cluster.shared.trace(i64::from(row.version.0) + 20_000);
    if *change == Change::Undo {
        return accept_undo(cluster, task, row).await;
    }
    let is_allowed = match task.state {
        State::Scheduled => true,
        // A text that the review holds takes another revision, too.
        State::Missed | State::Failed if *change == Change::ReplaceRevision => !task.approved,
        State::Missed | State::Failed => matches!(change, Change::Cancel | Change::Reschedule { .. }),
        State::Executed | State::Cancelled => false,
    };
    if !is_allowed {
        return Err(format!("S7: {change:?} of {task:?} was acknowledged"));
    }
    let current =
        (0..ARTICLES).find(|index| article(*index) == task.article).map(|at| revision(at, texts[at]));
    if *change == Change::ReplaceRevision && task.revision == current {
        return Ok(());
    }
    cluster.model.changed(task.id, row.version.0, |task| {
        // A failed or missed task is approved again.
        task.approved |= task.state != State::Scheduled && row.state == State::Scheduled;
        (task.due, task.state) = (row.due.at, row.state);
        if *change == Change::ReplaceRevision {
            task.revision = current;
            task.approved |= row.state == State::Scheduled;
        }
    })
}

async fn accept_undo(cluster: &mut Cluster<'_>, task: &Task, row: &TaskRow) -> Result<(), String> {
    if task.state == State::Executed {
        return add_new_tasks(cluster).await;
    }
    let (due, revision) = task.before;
    if row.state == State::Scheduled && row.due.at != due {
        return Err(format!("an undo led to {row:?} instead of {due}"));
    }
    cluster.model.changed(row.id, row.version.0, |task| {
        task.state = row.state;
        if row.state == State::Scheduled {
            (task.due, task.revision) = (due, revision);
        }
    })
}

/// Adds the tasks that an undo created to the model.
async fn add_new_tasks(cluster: &mut Cluster<'_>) -> Result<(), String> {
    let rows: Vec<Row> = cluster
        .database
        .rows(sqlx::query_as(
            "select id, kind, target_id, revision_id, due_at, version, state from task order by id",
        ))
        .await;
    for (id, kind, article, revision, due, version, state) in rows {
        if cluster.model.tasks.iter().any(|task| task.id.0 == id) {
            continue;
        }
        let (due, state) = (Timestamp::from_millis(due), state.parse().map_err(|_| "an unknown state")?);
        let kind = kind.parse().map_err(|_| "an unknown kind")?;
        let (id, before) = (TaskId(id), (due, revision));
        let task = Task { id, kind, article, due, version, revision, approved: true, state, before };
        cluster.model.tasks.push(task);
    }
    Ok(())
}

/// Checks that a refused change had a reason to be refused.
fn refused(task: &Task, change: &Change, is_stale: bool, refusal: &DomainError) -> Result<(), String> {
    let is_always_allowed = matches!(change, Change::Reschedule { .. } | Change::Cancel | Change::PublishNow);
    let may_be_refused = is_stale || task.state != State::Scheduled || *refusal == DomainError::OlderText;
    if is_always_allowed && !may_be_refused {
        return Err(format!("{change:?} of {task:?} was refused: {refusal}"));
    }
    Ok(())
}
