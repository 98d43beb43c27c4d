//! Imports a table of articles with their times: all in one transaction. What does not depend on the
//! rest of the desk is checked before it begins.

pub mod api;
mod content;
mod decode;
pub mod form;
mod resolve;
mod row;
mod table;
mod time;
mod upload;
mod write;

pub use decode::{decode, decode_as};
pub use row::file_names;

use crate::{
    app_state::AppState,
    articles::review::workflow::follow_articles,
    services::{Presenter, internal_error, run_blocking},
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
    zone::Zone,
};
use domain::{
    Actor, ArticleId, BatchId, DomainError, Timestamp,
    account::Language,
    articles::plan::{MAX_TABLE_BYTES, RowProblem, TableImport, TableReport, TableRow, TableTime},
    base::local_time::shortest_text,
    error::ValidationError,
    meetings::OnProblem,
    series::ZoneRules as _,
    task::TaskRow,
};
use futures::future::BoxFuture;
use row::{Row, Table};
use std::collections::HashMap;
use store::{PoolRole, batch, dashboard, slot_plan, target};
use time::{Clock, PlannedTime};
use uuid::Uuid;

/// Imports a table, or only says what an import would do.
pub async fn import(
    parts: &AppState,
    actor: &Actor,
    import: TableImport,
) -> Result<TableReport, DomainError> {
    if import.table.len() > MAX_TABLE_BYTES {
        let max = u32::try_from(MAX_TABLE_BYTES).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("table", ValidationError::TooLarge { max }));
    }
    let zone = match import.zone.as_deref().map(str::trim).filter(|zone| !zone.is_empty()) {
        Some(name) => Zone::named(name)?,
        None => Zone::stored(&actor.zone),
    };
    let clock = Clock { now: parts.clock.now(), zone, is_month_first: actor.language == Language::Zh };
    let (table, files) = (import.table, import.files.into_iter().collect());
    let Table { rows, ignored } = run_blocking(move || row::read(&table, &files, clock)).await??;
    let (mut rows, is_reviewed) = content::check(parts, content::render(actor.into(), rows).await?).await?;
    if import.is_dry_run {
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let presenter = Presenter::of(lease.conn(), actor, clock.now).await?;
        resolve::place(lease.conn(), &mut rows, clock.now).await?;
        return Ok(report(&presenter, &rows, ignored));
    }
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let request = Uuid::now_v7();
    if let Some(first) = find_idempotent_result(&mut unit, request).await? {
        return repeated(unit, &rows, ignored, first).await;
    }
    if resolve::wants_slot(&rows) {
        slot_plan::lock(unit.tx.conn()).await.map_err(internal_error)?;
    }
    resolve::place(unit.tx.conn(), &mut rows, clock.now).await?;
    let mut report = report(&unit.presenter, &rows, ignored);
    if report.articles() == 0 || (report.refused > 0 && import.on_problem == OnProblem::Refuse) {
        return Ok(report);
    }
    let tasks = write::write(unit, rows, request).await?;
    report.is_written = true;
    report.batch = (!tasks.is_empty()).then_some(BatchId(request));
    for (place, row) in report.rows.iter_mut().enumerate().filter(|(_, row)| row.problem.is_none()) {
        row.article = Some(write::article_id(request, place));
    }
    if is_reviewed {
        submit_texts(parts, actor, &tasks).await;
    }
    Ok(report)
}

/// Submits the texts of scheduled articles for review. Boxed: the compiler cannot prove that the future
/// is `Send` inside the one of the import.
fn submit_texts<'a>(parts: &'a AppState, actor: &'a Actor, tasks: &'a [TaskRow]) -> BoxFuture<'a, ()> {
    Box::pin(async move {
        let articles: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        follow_articles(parts, actor, &articles).await;
    })
}

/// Says what becomes of each row.
fn report(presenter: &Presenter<'_>, rows: &[Row], ignored: Vec<String>) -> TableReport {
    let row = |row: &Row| {
        let wanted = row.wanted.as_ref();
        TableRow {
            line: row.line,
            title: row.title.clone(),
            slug: wanted.map_or_else(|_| String::new(), |wanted| wanted.slug.clone()),
            article: None,
            due: wanted.ok().and_then(|wanted| match wanted.due {
                PlannedTime::At(_, at) => Some(table_time(presenter, at, wanted.zone)),
                PlannedTime::Draft | PlannedTime::Slot => None,
            }),
            warnings: wanted.map_or_else(|_| Vec::new(), |wanted| wanted.warnings.clone()),
            problem: wanted.err().cloned(),
        }
    };
    TableReport::of(rows.iter().map(row).collect(), ignored)
}

fn table_time(presenter: &Presenter<'_>, at: Timestamp, zone: Zone) -> TableTime {
    let local = zone.local_at(at).map(shortest_text).unwrap_or_default();
    TableTime { at: presenter.moment(at), local, zone: zone.name().to_owned() }
}

/// The report of a request that was executed before: its articles as they are now.
async fn repeated(
    mut unit: UnitOfWork<'_>,
    rows: &[Row],
    ignored: Vec<String>,
    first: Uuid,
) -> Result<TableReport, DomainError> {
    let ids: Vec<Uuid> = (0..rows.len()).map(|place| write::article_id(first, place).0).collect();
    let targets = target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let targets: HashMap<Uuid, target::Target> =
        targets.into_iter().map(|target| (target.id, target)).collect();
    let tasks = batch::tasks(unit.tx.conn(), BatchId(first)).await.map_err(internal_error)?;
    let tasks = dashboard::find_many(unit.tx.conn(), &tasks).await.map_err(internal_error)?;
    let has_tasks = !tasks.is_empty();
    let tasks: HashMap<Uuid, _> = tasks.into_iter().map(|task| (task.target_id, task)).collect();
    let row = |(row, id): (&Row, &Uuid)| {
        let time = tasks.get(id).map(|task| {
            let zone = task.time_zone.as_deref().unwrap_or(&unit.presenter.actor.zone);
            table_time(&unit.presenter, task.due_at.into(), Zone::stored(zone))
        });
        let target = targets.get(id);
        let refused = || row.wanted.as_ref().err().cloned().unwrap_or(RowProblem::from(DomainError::Changed));
        TableRow {
            line: row.line,
            title: target.map_or_else(|| row.title.clone(), |target| target.title.clone()),
            slug: target.and_then(|target| target.path.clone()).unwrap_or_default(),
            article: target.map(|target| ArticleId(target.id)),
            due: time.filter(|_| target.is_some()),
            warnings: Vec::new(),
            problem: if target.is_some() { None } else { Some(refused()) },
        }
    };
    let all = rows.iter().zip(&ids).map(row).collect();
    let batch = has_tasks.then_some(BatchId(first));
    Ok(TableReport { is_written: true, batch, ..TableReport::of(all, ignored) })
}
