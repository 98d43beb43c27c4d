//! Settings of the review as the API reads and returns them.

use crate::http::api::{extract::word, hours::HoursBody, numbers::optional_integer};
use domain::{
    AccountId, DomainError,
    error::ValidationError,
    meetings::OpeningHours,
    review::workflow::{
        Deadline, DeadlineCount, DeadlineDecision, ReviewSettings, WaitingArticles, WaitingChoice, Workflow,
        checklist::{CheckItem, CheckMode, Checklist},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Settings of the review.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewSettingsBody {
    /// `none`, `automatic`, `one_reviewer` or `two_reviewers`.
    workflow: &'static str,
    /// When a review is decided by itself, and how.
    deadline: ReviewDeadlineBody,
    /// The working hours of the desk, in its time zone; empty: all hours.
    working_hours: Vec<HoursBody>,
    /// What a text should have before it is scheduled.
    checklist: ChecklistBody,
    /// Whether reviewers may approve their own articles.
    allow_own: bool,
    /// Whether the word lists also apply to meetings, reminders and messages: terms that block or need an
    /// approval are refused there.
    other_texts: bool,
    /// Whether a scheduled article keeps its revision when a newer one is saved. `false`: it takes the saved
    /// one, unless texts are reviewed (`workflow` is not `none`).
    pins_always: bool,
    /// Increases with each change.
    version: i32,
    /// The articles that wait for an approval.
    waiting: WaitingArticlesBody,
}

/// Numbers of articles that wait for an approval, and that waited until this change.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingArticlesBody {
    /// Those that wait: a reviewer can approve them or send them back.
    kept: u64,
    /// Those that this change approved: published at their time or, if that has passed, at once.
    published: u64,
    /// Those that this change made drafts again; their publications are cancelled.
    drafts: u64,
}

/// The checklist: for each item `off`, `warn` (the author sees it) or `require` (a text that lacks it
/// cannot be scheduled).
#[derive(Debug, Serialize, ToSchema)]
pub struct ChecklistBody {
    /// It has a title.
    title: &'static str,
    /// It has a summary.
    summary: &'static str,
    /// Every picture has a description.
    alt_texts: &'static str,
    /// No "TK" is left, the mark of a missing piece.
    marks: &'static str,
    /// No level of the headings is skipped.
    headings: &'static str,
    /// Each of the first 50 links answered within the last 7 days, when the links were checked.
    links: &'static str,
    /// Every link to an article or a file of this desk leads to one that is not in the trash.
    own_links: &'static str,
}

impl From<Checklist> for ChecklistBody {
    fn from(list: Checklist) -> Self {
        let Checklist { title, summary, alt_texts, marks, headings, links, own_links } = list;
        Self {
            title: title.as_str(),
            summary: summary.as_str(),
            alt_texts: alt_texts.as_str(),
            marks: marks.as_str(),
            headings: headings.as_str(),
            links: links.as_str(),
            own_links: own_links.as_str(),
        }
    }
}

/// When a review is decided by itself, and how.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewDeadlineBody {
    /// Minutes after the submission; null: does not count.
    after_submit: Option<i32>,
    /// What these minutes count: `clock` (all) or `working_hours`.
    count: &'static str,
    /// Minutes before the planned publication; null: does not count.
    before_publish: Option<i32>,
    /// `send_back`, `approve`, `hold` or `escalate`.
    decision: &'static str,
    /// For `escalate`: id of the account that must decide then.
    #[schema(value_type = Option<String>, format = Uuid)]
    escalate_to: Option<Uuid>,
}

impl ReviewSettingsBody {
    /// Returns the settings as the API shows them.
    pub fn of(settings: ReviewSettings, waiting: WaitingArticles) -> Self {
        let deadline = settings.deadline;
        Self {
            workflow: settings.workflow.as_str(),
            deadline: ReviewDeadlineBody {
                after_submit: deadline.after_submit,
                count: deadline.count.as_str(),
                before_publish: deadline.before_publish,
                decision: deadline.decision.as_str(),
                escalate_to: deadline.escalate_to.map(|to| to.0),
            },
            working_hours: settings.working_hours.into_iter().map(HoursBody::from).collect(),
            checklist: settings.checklist.into(),
            allow_own: settings.allow_own,
            other_texts: settings.other_texts,
            pins_always: settings.pins_always,
            version: settings.version.0,
            waiting: WaitingArticlesBody {
                kept: waiting.kept,
                published: waiting.published,
                drafts: waiting.drafts,
            },
        }
    }
}

/// Changes to the settings. Fields that are absent stay.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewSettingsEditBody {
    /// `none`, `automatic` (the content review), `one_reviewer` (the content review and a reviewer) or
    /// `two_reviewers` (one after the other).
    workflow: Option<String>,
    /// What becomes of the articles that wait for an approval: `keep` (the default: reviewers can still
    /// approve them, whatever the workflow is), `publish` (they are approved: published at their time or,
    /// if that has passed, at once) or `draft` (they are drafts again, and their publications are
    /// cancelled).
    waiting: Option<String>,
    /// Replaces the whole deadline.
    deadline: Option<ReviewDeadlineEditBody>,
    /// The working hours of the desk, in its time zone; an empty list: all hours.
    #[schema(max_items = 50)]
    working_hours: Option<Vec<HoursBody>>,
    /// Changes to the checklist. Items that are absent stay.
    checklist: Option<ChecklistEditBody>,
    /// Whether reviewers may approve their own articles.
    allow_own: Option<bool>,
    /// Whether the word lists also apply to meetings, reminders, messages and what rules send.
    other_texts: Option<bool>,
    /// Whether a scheduled article keeps its revision when a newer one is saved.
    pins_always: Option<bool>,
    /// `version` that the caller saw; a different current one is a conflict.
    #[serde(default, deserialize_with = "optional_integer")]
    pub seen_version: Option<i32>,
}

/// Changes to the checklist: for each item `off`, `warn` or `require`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChecklistEditBody {
    /// It has a title.
    title: Option<String>,
    /// It has a summary.
    summary: Option<String>,
    /// Every picture has a description.
    alt_texts: Option<String>,
    /// No "TK" is left, the mark of a missing piece.
    marks: Option<String>,
    /// No level of the headings is skipped.
    headings: Option<String>,
    /// Each of the first 50 links answered within the last 7 days.
    links: Option<String>,
    /// Every link to an article or a file of this desk leads to one that is not in the trash.
    own_links: Option<String>,
}

impl ChecklistEditBody {
    fn apply(self, mut list: Checklist) -> Result<Checklist, DomainError> {
        let typed = [
            (CheckItem::Title, self.title),
            (CheckItem::Summary, self.summary),
            (CheckItem::AltTexts, self.alt_texts),
            (CheckItem::Marks, self.marks),
            (CheckItem::Headings, self.headings),
            (CheckItem::Links, self.links),
            (CheckItem::OwnLinks, self.own_links),
        ];
        for (item, text) in typed {
            if let Some(text) = text {
                list.set(item, word(&format!("checklist.{item}"), &text, CheckMode::NAMES)?);
            }
        }
        Ok(list)
    }
}

/// A new deadline.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewDeadlineEditBody {
    /// Minutes after the submission.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 129600)]
    after_submit: Option<i32>,
    /// What these minutes count: `clock` (all, the default) or `working_hours`.
    count: Option<String>,
    /// Minutes before the planned publication.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 129600)]
    before_publish: Option<i32>,
    /// `send_back`, `approve`, `hold` (the default) or `escalate`.
    decision: Option<String>,
    /// For `escalate`: id of a reviewer or an admin.
    #[serde(default)]
    #[schema(format = Uuid)]
    escalate_to: Option<String>,
}

impl ReviewSettingsEditBody {
    /// Returns what becomes of the articles that wait.
    pub fn waiting(&self) -> Result<WaitingChoice, DomainError> {
        let choice = self.waiting.as_deref().map(|text| word("waiting", text, WaitingChoice::NAMES));
        Ok(choice.transpose()?.unwrap_or(WaitingChoice::Keep))
    }

    /// Applies the changes to the current settings.
    pub fn apply(self, before: ReviewSettings) -> Result<ReviewSettings, DomainError> {
        let workflow = self.workflow.map(|text| word("workflow", &text, Workflow::NAMES)).transpose()?;
        Ok(ReviewSettings {
            workflow: workflow.unwrap_or(before.workflow),
            deadline: self.deadline.map_or(Ok(before.deadline), ReviewDeadlineEditBody::read)?,
            working_hours: self
                .working_hours
                .map_or(before.working_hours, |hours| hours.into_iter().map(OpeningHours::from).collect()),
            checklist: self.checklist.unwrap_or_default().apply(before.checklist)?,
            allow_own: self.allow_own.unwrap_or(before.allow_own),
            other_texts: self.other_texts.unwrap_or(before.other_texts),
            pins_always: self.pins_always.unwrap_or(before.pins_always),
            version: before.version,
        })
    }
}

impl ReviewDeadlineEditBody {
    fn read(self) -> Result<Deadline, DomainError> {
        let decision = self
            .decision
            .map(|text| word("decision", &text, DeadlineDecision::NAMES))
            .transpose()?
            .unwrap_or(DeadlineDecision::Hold);
        let count = self.count.map(|text| word("count", &text, DeadlineCount::NAMES)).transpose()?;
        let account = |text: String| {
            let unknown = |_| DomainError::invalid("escalate_to", ValidationError::Unknown);
            text.parse::<AccountId>().map_err(unknown)
        };
        let escalate_to = self.escalate_to.map(account).transpose()?;
        Ok(Deadline {
            after_submit: self.after_submit,
            count: count.unwrap_or(DeadlineCount::Clock),
            before_publish: self.before_publish,
            decision,
            escalate_to,
        })
    }
}
