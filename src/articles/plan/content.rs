//! Renders the texts of a table, and checks them as if each was scheduled by itself: the checklist of
//! the desk, and its word lists where texts are reviewed.

use super::{
    row::{Row, Wanted},
    time::PlannedTime,
};
use crate::{
    app_state::AppState,
    articles::review::{
        checklist,
        content::blocked,
        lists::{self, Lists, find_terms_in_time},
    },
    services::{internal_error, rendering, run_blocking},
    text::{
        checklist::{Checked, missing_items},
        render::{self, Budget, POOL, RENDER_TIMEOUT, Share},
    },
};
use domain::{
    DomainError,
    articles::plan::{RowProblem, RowWarning},
    review::{
        WordsToCheck,
        workflow::{ReviewProblem, ReviewSettings, ReviewState, Workflow, checklist::CheckMode},
    },
};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use std::{collections::HashSet, sync::Arc};
use store::{PoolRole, review_settings};
use tokio_util::sync::CancellationToken;

/// Number of texts that a thread renders before others have their turn.
const CHUNK: usize = 50;
/// Number of threads that render at the same time.
const MAX_THREADS: usize = 2;

/// Renders all texts in this share of the pool; a row whose text exceeds a limit is refused.
pub async fn render(share: Share, rows: Vec<Row>) -> Result<Vec<Row>, DomainError> {
    let (mut chunks, mut rows) = (Vec::new(), rows.into_iter());
    loop {
        let chunk: Vec<Row> = rows.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            break;
        }
        chunks.push(POOL.run_in(share, move |_| chunk.into_iter().map(rendered).collect::<Vec<Row>>()));
    }
    let done: Vec<Vec<Row>> = stream::iter(chunks).buffered(MAX_THREADS).try_collect().await?;
    Ok(done.into_iter().flatten().collect())
}

fn rendered(row: Row) -> Row {
    let wanted = row.wanted.and_then(|wanted| {
        // The client may leave: what is stored is rendered to its end.
        let budget = Budget::new(RENDER_TIMEOUT, CancellationToken::new());
        let outcome = Arc::new(render::render(&wanted.body, &budget));
        if let Err(limit) = outcome.as_ref() {
            return Err(DomainError::invalid("body", (*limit).into()).into());
        }
        Ok(Wanted { rendering: Some(rendering::rendering(&wanted.title, &outcome)), ..wanted })
    });
    Row { wanted, ..row }
}

/// Checks what is scheduled: refuses a text that lacks what the desk requires, or contains what may not
/// be published. Returns whether texts are reviewed, too.
pub async fn check(parts: &AppState, rows: Vec<Row>) -> Result<(Vec<Row>, bool), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let settings = review_settings::find(lease.conn()).await.map_err(internal_error)?;
    let is_reviewed = settings.workflow != Workflow::None;
    let lists = match is_reviewed {
        true => Some(lists::current(lease.conn()).await.map_err(internal_error)?),
        false => None,
    };
    let list = settings.checklist.required_links();
    let bodies = rows.iter().filter_map(|row| Some(row.wanted.as_ref().ok()?.body.as_str()));
    let answered = checklist::answered(lease.conn(), list, bodies, parts.clock.now()).await;
    let answered = answered.map_err(internal_error)?;
    drop(lease);
    if !is_reviewed && settings.checklist.with(CheckMode::Require).next().is_none() {
        return Ok((rows, false));
    }
    let checked = run_blocking(move || {
        let check = |row: Row| Row {
            wanted: row.wanted.and_then(|wanted| checked(wanted, &settings, &answered, lists.as_deref())),
            ..row
        };
        rows.into_iter().map(check).collect()
    });
    Ok((checked.await?, is_reviewed))
}

fn checked(
    mut wanted: Wanted,
    settings: &ReviewSettings,
    answered: &HashSet<String>,
    lists: Option<&Lists>,
) -> Result<Wanted, RowProblem> {
    if wanted.due == PlannedTime::Draft {
        return Ok(wanted);
    }
    let has_summary = !wanted.details.summary.is_empty();
    let text = Checked { title: &wanted.title, has_summary, body: &wanted.body, answered };
    let items = missing_items(&settings.checklist, text);
    if !items.is_empty() {
        return Err(DomainError::from(ReviewProblem::Checklist { items }).into());
    }
    let Some(lists) = lists else { return Ok(wanted) };
    let words = WordsToCheck {
        title: wanted.title.clone(),
        summary: wanted.details.words(),
        text: wanted.body.clone(),
    };
    let budget = Budget::new(RENDER_TIMEOUT, CancellationToken::new());
    let found = find_terms_in_time(lists, &words, &budget)
        .map_err(|limit| RowProblem::from(DomainError::invalid("body", limit.into())))?;
    if let Some(problem) = blocked(&found) {
        return Err(DomainError::from(problem).into());
    }
    if settings.workflow.submitted(found.verdict) != ReviewState::Approved {
        wanted.warnings.push(RowWarning::NeedsApproval);
    }
    Ok(wanted)
}
