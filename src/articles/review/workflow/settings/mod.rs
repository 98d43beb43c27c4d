//! Settings of the review.

pub mod body;
pub mod waiting;

use crate::{
    app_state::AppState,
    services::{internal_error, write_error},
    tasks::unit_of_work::UnitOfWork,
};
use domain::{
    AccountId, Actor, DomainError, FieldProblems, Role, Version,
    error::ValidationError,
    meetings::{MAX_OPENING_HOURS, OpeningHours},
    review::workflow::{
        ChangedReviewSettings, DeadlineCount, DeadlineDecision, MAX_DEADLINE_MINUTES, ReviewProblem,
        ReviewSettings, WaitingArticles, WaitingChoice,
    },
};
use serde_json::json;
use store::{PoolRole, account, review_settings};
use uuid::Uuid;

pub async fn find(parts: &AppState) -> Result<ReviewSettings, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    review_settings::find(lease.conn()).await.map_err(internal_error)
}

pub async fn change(
    parts: &AppState,
    actor: &Actor,
    (settings, choice): (ReviewSettings, WaitingChoice),
    seen: Option<Version>,
) -> Result<ChangedReviewSettings, DomainError> {
    if !actor.is_admin() {
        return Err(DomainError::NotAllowed);
    }
    check_values(&settings)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let before = review_settings::find(unit.tx.conn()).await.map_err(internal_error)?;
    if seen.is_some_and(|seen| seen != before.version) {
        return Err(DomainError::Changed);
    }
    check_reviewer(&mut unit, &settings).await?;
    let settings = ReviewSettings { version: Version(before.version.0 + 1), ..settings };
    let failed = write_error(parts);
    review_settings::put(unit.tx.conn(), &settings).await.map_err(&failed)?;
    let changed = waiting::apply(&mut unit, settings.workflow, choice).await?;
    let detail = json!({"review": settings, "was": before, "waiting": changed}).to_string();
    unit.record_event("settings", Uuid::nil(), "change", None, Some(settings.version.0), detail);
    unit.commit().await?;
    let is_stricter = settings.workflow.reviewers() > 0 && before.workflow.reviewers() == 0;
    let more = match is_stricter {
        true => waiting::submit_scheduled(parts, actor, (settings.workflow, choice)).await?,
        false => WaitingArticles::default(),
    };
    let (published, drafts) = (changed.published + more.published, changed.drafts + more.drafts);
    let kept = waiting::count(parts).await?;
    Ok(ChangedReviewSettings { settings, waiting: WaitingArticles { kept, published, drafts } })
}

fn check_values(settings: &ReviewSettings) -> Result<(), DomainError> {
    let mut problems = FieldProblems::default();
    for (field, minutes) in [
        ("after_submit", settings.deadline.after_submit),
        ("before_publish", settings.deadline.before_publish),
    ] {
        let is_fine = minutes.is_none_or(|minutes| (1..=MAX_DEADLINE_MINUTES).contains(&minutes));
        let problem = ValidationError::NotBetween { min: 1, max: MAX_DEADLINE_MINUTES };
        problems.take(if is_fine { Ok(()) } else { Err(DomainError::invalid(field, problem)) })?;
    }
    problems.take(check_hours(settings))?;
    problems.finish()
}

/// Refuses working hours that are no times, and a deadline in working hours that does not know them.
fn check_hours(settings: &ReviewSettings) -> Result<(), DomainError> {
    let hours = &settings.working_hours;
    let problem = if hours.len() > MAX_OPENING_HOURS {
        ValidationError::TooMany { max: u32::try_from(MAX_OPENING_HOURS).unwrap_or(u32::MAX) }
    } else if !hours.iter().all(OpeningHours::is_valid) {
        ValidationError::NotOpeningHours
    } else if hours.is_empty() && settings.deadline.count == DeadlineCount::WorkingHours {
        ValidationError::Empty
    } else {
        return Ok(());
    };
    Err(DomainError::invalid("working_hours", problem))
}

/// Refuses an escalation to an account that may not review.
async fn check_reviewer(unit: &mut UnitOfWork<'_>, settings: &ReviewSettings) -> Result<(), DomainError> {
    let escalates = settings.deadline.decision == DeadlineDecision::Escalate;
    let Some(to) = settings.deadline.escalate_to else {
        return if escalates { Err(ReviewProblem::NoReviewer.into()) } else { Ok(()) };
    };
    if may_review(unit, to).await? { Ok(()) } else { Err(ReviewProblem::NoReviewer.into()) }
}

async fn may_review(unit: &mut UnitOfWork<'_>, id: AccountId) -> Result<bool, DomainError> {
    let found = account::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    Ok(found.is_some_and(|one| one.is_disabled == 0 && one.role != Role::Creator.as_str()))
}
