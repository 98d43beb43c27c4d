//! Reads and changes the settings of the review.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{
    review::settings::waiting::saved_value,
    server_fns::{result_url::with_done, ssr},
};
#[cfg(feature = "ssr")]
use domain::{
    AccountId, DomainError, Version,
    base::when::clock_text,
    error::ValidationError,
    meetings::OpeningHours,
    review::workflow::{Deadline, DeadlineCount, DeadlineDecision, WaitingChoice},
};
use domain::{
    account::Account,
    review::workflow::{ReviewSettings, Workflow, checklist::Checklist},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The settings of the review, and who may be chosen for an escalation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewSettingsPage {
    /// The settings.
    pub settings: ReviewSettings,
    /// Reviewers and admins.
    pub reviewers: Vec<Account>,
    /// Number of articles that wait for an approval.
    pub waiting: u64,
}

/// The settings of the review. For admins.
#[server(name = FindReviewSettings, prefix = "/fn", endpoint = "review_settings", output = JsonOutput)]
pub async fn find_review_settings() -> Result<ReviewSettingsPage, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let settings = services.reviews.settings(&actor).await?;
            let mut reviewers = services.accounts.list(&actor).await?;
            reviewers.retain(|one| !one.is_disabled && one.role >= domain::Role::Reviewer);
            let waiting = services.reviews.waiting_count().await?;
            Ok(ReviewSettingsPage { settings, reviewers, waiting })
        }
        .await,
    )
}

/// The form of the settings, as typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedReviewSettings {
    /// The workflow.
    pub workflow: Workflow,
    /// What becomes of articles that wait; empty: they wait on.
    #[serde(default)]
    pub waiting: String,
    /// Minutes; empty: does not count.
    #[serde(default)]
    pub after_submit: String,
    /// What these minutes count.
    #[serde(default)]
    pub count: String,
    /// Begin of the working hours; empty with `closes`: all hours.
    #[serde(default)]
    pub opens: String,
    /// End of the working hours.
    #[serde(default)]
    pub closes: String,
    /// Days of the working hours; empty: every day.
    #[serde(default)]
    pub weekdays: Vec<String>,
    /// Whether the working hours stay as they are, because the form cannot show them.
    #[serde(default)]
    pub keeps_hours: bool,
    /// Minutes; empty: does not count.
    #[serde(default)]
    pub before_publish: String,
    /// What happens at the deadline.
    pub decision: String,
    /// Id of an account; empty: none.
    #[serde(default)]
    pub escalate_to: String,
    /// The checklist; absent: it stays.
    #[serde(default)]
    pub checklist: Option<Checklist>,
    /// `on` or missing.
    #[serde(default)]
    pub allow_own: Option<String>,
    /// `on` or missing.
    #[serde(default)]
    pub other_texts: Option<String>,
    /// `on` or missing.
    #[serde(default)]
    pub pins_always: Option<String>,
}

/// Changes the settings of the review.
#[server(name = SaveReviewSettings, prefix = "/fn", endpoint = "save_review_settings", output = JsonOutput)]
pub async fn save_review_settings(
    seen: i32,
    #[server(flatten)] typed: TypedReviewSettings,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let seen = Version(seen);
            let reviews = &ssr::services()?.reviews;
            let before = reviews.settings(&ssr::actor()?).await?;
            let choice = choice(&typed.waiting)?;
            let settings = settings_of(typed, before, seen)?;
            let changed = reviews.change_settings(&ssr::actor()?, settings, choice, Some(seen)).await?;
            ssr::redirect(&with_done("/settings/review", &saved_value(changed.waiting)));
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn choice(typed: &str) -> Result<WaitingChoice, DomainError> {
    if typed.is_empty() {
        return Ok(WaitingChoice::Keep);
    }
    let words = WaitingChoice::NAMES.join(", ");
    typed.parse().map_err(|_| DomainError::invalid("waiting", ValidationError::NotOneOf { words }))
}

#[cfg(feature = "ssr")]
fn settings_of(
    typed: TypedReviewSettings,
    before: ReviewSettings,
    version: Version,
) -> Result<ReviewSettings, DomainError> {
    let decision: DeadlineDecision = typed.decision.parse().map_err(|_| {
        let words = DeadlineDecision::NAMES.join(", ");
        DomainError::invalid("decision", ValidationError::NotOneOf { words })
    })?;
    let escalate_to = match typed.escalate_to.trim() {
        "" => None,
        id => Some(
            id.parse::<AccountId>()
                .map_err(|_| DomainError::invalid("escalate_to", ValidationError::Unknown))?,
        ),
    };
    let count = match typed.count.as_str() {
        "" => DeadlineCount::Clock,
        word => word.parse().map_err(|_| {
            let words = DeadlineCount::NAMES.join(", ");
            DomainError::invalid("count", ValidationError::NotOneOf { words })
        })?,
    };
    let working_hours = match (typed.keeps_hours, typed.opens.trim(), typed.closes.trim()) {
        (true, ..) => before.working_hours,
        (false, from, to) => OpeningHours::typed(typed.weekdays.clone(), &clock_text(from), &clock_text(to)),
    };
    Ok(ReviewSettings {
        workflow: typed.workflow,
        working_hours,
        deadline: Deadline {
            after_submit: minutes("after_submit", &typed.after_submit)?,
            count,
            before_publish: minutes("before_publish", &typed.before_publish)?,
            decision,
            escalate_to,
        },
        checklist: typed.checklist.unwrap_or(before.checklist),
        allow_own: typed.allow_own.is_some(),
        other_texts: typed.other_texts.is_some(),
        pins_always: typed.pins_always.is_some(),
        version,
    })
}

#[cfg(feature = "ssr")]
fn minutes(field: &str, typed: &str) -> Result<Option<i32>, DomainError> {
    use domain::review::workflow::MAX_DEADLINE_MINUTES;
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let problem = || {
        let problem = ValidationError::NotBetween { min: 1, max: MAX_DEADLINE_MINUTES };
        DomainError::invalid(field, problem)
    };
    typed.parse().map(Some).map_err(|_| problem())
}
