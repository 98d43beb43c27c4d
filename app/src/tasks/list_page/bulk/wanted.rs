//! What a form asks for: the selected rows, and the change of them.

use super::bulk_fns::BulkFields;
use crate::tasks::list_page::bulk::bulk_texts::BulkTexts;
use domain::{
    DomainError, Services, State,
    article::ArticleQuery,
    articles::bulk::{ArticleChange, ArticleSelection, NewOwner},
    bulk_change::{BulkChange, BulkSelection},
    error::ValidationError,
    meetings::{MeetingQuery, MeetingScope, MeetingSelection, MeetingsChange},
    reminders::{ReminderQuery, ReminderSelection, ReminderView, RemindersChange},
    task::TaskQuery,
};
use std::str::FromStr;

/// Value of the parameter `state`: all states.
const ALL_STATES: &str = "all";

impl BulkFields {
    /// The selected articles.
    pub(super) fn articles(&self) -> Result<ArticleSelection, DomainError> {
        if self.is_all() {
            return Ok(ArticleSelection::Matching(Box::new(ArticleQuery {
                filter: self.state.parse().ok(),
                q: Some(self.q.clone()),
                tag: Some(self.tag.clone()),
                is_mine: !self.mine.is_empty(),
                ..ArticleQuery::default()
            })));
        }
        Ok(ArticleSelection::Articles(self.selected("article")?))
    }

    /// The change of articles.
    pub(super) fn wanted_of_articles(&self) -> ArticleChange {
        let to = self.to.trim().to_owned();
        match self.change.as_str() {
            "assign" => ArticleChange::Assign { to: NewOwner::Named(to) },
            "add_tag" => ArticleChange::AddTag { tag: to },
            "remove_tag" => ArticleChange::RemoveTag { tag: to },
            "submit" => ArticleChange::Submit,
            _ => ArticleChange::Approve { seen: Some(self.seen.clone()).filter(|seen| !seen.is_empty()) },
        }
    }

    /// The selected tasks.
    pub(super) fn tasks(&self) -> Result<BulkSelection, DomainError> {
        Ok(match self.is_all() {
            true => BulkSelection::Matching(Box::new(self.query())),
            false => BulkSelection::Tasks(self.selected("task")?),
        })
    }

    /// The selected meetings.
    pub(super) async fn meetings(&self, services: &Services) -> Result<MeetingSelection, DomainError> {
        if !self.is_all() {
            return Ok(MeetingSelection::Meetings(self.selected("meeting")?));
        }
        let now = services.engine.status().await.now;
        let (is_past, series_id) = (!self.past.is_empty(), self.series.parse().ok());
        Ok(MeetingSelection::Matching(Box::new(MeetingQuery {
            scope: Some(self.state.parse().unwrap_or(MeetingScope::Mine)),
            from: (!is_past).then_some(now),
            to: is_past.then_some(now),
            series_id,
            is_one_per_series: !is_past && series_id.is_none(),
            q: Some(self.q.clone()),
            ..MeetingQuery::default()
        })))
    }

    /// The selected reminders.
    pub(super) fn reminders(&self) -> Result<ReminderSelection, DomainError> {
        Ok(match self.is_all() {
            true => ReminderSelection::Matching(Box::new(ReminderQuery {
                view: Some(self.state.parse().unwrap_or(ReminderView::Today)),
                q: Some(self.q.clone()),
                ..ReminderQuery::default()
            })),
            false => ReminderSelection::Reminders(self.selected("reminder")?),
        })
    }

    /// Whether all that match are selected, not those with a box.
    fn is_all(&self) -> bool {
        self.all == "1"
    }

    /// The selected rows. `what`: what they are.
    fn selected<Id: FromStr>(&self, what: &str) -> Result<Vec<Id>, DomainError> {
        let ids = self.ids.split(',').filter(|id| !id.is_empty());
        ids.map(|id| id.parse().map_err(|_| DomainError::no_such(what))).collect()
    }

    /// The query that the URL of the list means.
    fn query(&self) -> TaskQuery {
        let state = match self.state.as_str() {
            ALL_STATES => None,
            word => Some(word.parse().unwrap_or(State::Scheduled)),
        };
        let q = Some(self.q.trim().to_owned()).filter(|q| !q.is_empty());
        TaskQuery { state, q, ..TaskQuery::default() }
    }

    /// The change of tasks.
    pub(super) fn wanted_of_tasks(&self, texts: BulkTexts) -> Result<BulkChange, DomainError> {
        Ok(match self.change.as_str() {
            "shift" => {
                let (days, minutes) = self.amount(texts)?;
                BulkChange::Shift { days, minutes }
            }
            "move_to_day" => BulkChange::MoveToDay { day: self.day.clone() },
            "to_slots" => BulkChange::ToSlots,
            "cancel" => BulkChange::Cancel,
            "retry" => BulkChange::Retry,
            "run_now" => BulkChange::RunNow,
            _ => return Err(unknown_change(&BulkChange::WORDS)),
        })
    }

    /// The change of meetings.
    pub(super) fn wanted_of_meetings(&self, texts: BulkTexts) -> Result<MeetingsChange, DomainError> {
        let reason = self.to.trim().to_owned();
        Ok(match self.change.as_str() {
            "shift" => {
                let (days, minutes) = self.amount(texts)?;
                MeetingsChange::Shift { days, minutes }
            }
            "cancel" => MeetingsChange::Cancel { reason },
            "approve" => MeetingsChange::Approve,
            "reject" => MeetingsChange::Reject { reason },
            _ => return Err(unknown_change(&MeetingsChange::WORDS)),
        })
    }

    /// The change of reminders.
    pub(super) fn wanted_of_reminders(&self, texts: BulkTexts) -> Result<RemindersChange, DomainError> {
        Ok(match self.change.as_str() {
            "shift" => {
                let (days, minutes) = self.amount(texts)?;
                RemindersChange::Shift { days, minutes }
            }
            "done" => RemindersChange::Done,
            "cancel" => RemindersChange::Cancel,
            _ => return Err(unknown_change(&RemindersChange::WORDS)),
        })
    }

    /// Days and minutes of a shift.
    fn amount(&self, texts: BulkTexts) -> Result<(i32, i32), DomainError> {
        let unknown = || {
            let why = texts.unknown().to_owned();
            DomainError::invalid("amount", ValidationError::Unreadable { why })
        };
        let amount: i32 = self.amount.trim().parse().map_err(|_| unknown())?;
        Ok(match self.unit.as_str() {
            "hours" => (0, amount.checked_mul(60).ok_or_else(unknown)?),
            "minutes" => (0, amount),
            _ => (amount, 0),
        })
    }
}

fn unknown_change(words: &[&str]) -> DomainError {
    DomainError::invalid("change", ValidationError::NotOneOf { words: words.join(", ") })
}
