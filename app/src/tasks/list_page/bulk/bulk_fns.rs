//! Preview, change and undo of many tasks.

use super::slot_change::{SlotChange, SlotPreview};
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{
    server_fns::{result_url::with_done, ssr},
    tasks::list_page::bulk::{result_value, slots, texts::BulkTexts},
};
#[cfg(feature = "ssr")]
use domain::{
    Actor, ArticleId, BatchId, DomainError, Services, State, TaskId,
    article::ArticleQuery,
    articles::bulk::{ArticleChange, ArticleSelection, ArticlesOutcome, NewOwner},
    bulk_change::{BulkChange, BulkSelection, MAX_LISTED},
    error::ValidationError,
    task::TaskQuery,
};
use domain::{articles::bulk::CHANGES, bulk_change::BulkOutcome};
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos_router::location::Url;
use serde::{Deserialize, Serialize};

/// Value of the parameter `state`: all states.
#[cfg(feature = "ssr")]
const ALL_STATES: &str = "all";

/// The list of articles.
pub const ARTICLES: &str = "articles";

/// The form as submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkFields {
    /// Ids of tasks, separated by commas.
    #[serde(default)]
    pub ids: String,
    /// `1`: all that match instead.
    #[serde(default)]
    pub all: String,
    /// State in the URL of the list.
    #[serde(default)]
    pub state: String,
    /// Search in the URL of the list.
    #[serde(default)]
    pub q: String,
    /// Tag in the URL of the list of articles.
    #[serde(default)]
    pub tag: String,
    /// Whether the list of articles shows only those of the user.
    #[serde(default)]
    pub mine: String,
    /// `articles`: the list of articles, else that of tasks.
    #[serde(default)]
    pub list: String,
    /// See [`BulkChange::WORDS`].
    #[serde(default)]
    pub change: String,
    /// Number of units.
    #[serde(default)]
    pub amount: String,
    /// `days`, `hours` or `minutes`.
    #[serde(default)]
    pub unit: String,
    /// `YYYY-MM-DD`.
    #[serde(default)]
    pub day: String,
    /// Of the changes of slots: the slot, an instant.
    #[serde(default)]
    pub at: String,
    /// `insert`: id of the article.
    #[serde(default)]
    pub article: String,
    /// Of the changes of articles: name of the person, or the tag.
    #[serde(default)]
    pub to: String,
    /// `approve`: what the preview said.
    #[serde(default)]
    pub seen: String,
}

impl BulkFields {
    /// Whether the articles themselves are changed, not their tasks.
    #[must_use]
    pub fn is_of_articles(&self) -> bool {
        self.list == ARTICLES && CHANGES.contains(&self.change.as_str())
    }

    /// What happens along the posting slots; `None`: it is a change of selected tasks.
    #[must_use]
    pub fn of_slots(&self) -> Option<SlotChange> {
        SlotChange::of(&self.change)
    }
}

/// Says what a change would do. At most 100 tasks that stay as they are are listed.
#[server(name = PreviewBulk, prefix = "/fn", endpoint = "preview_bulk", output = JsonOutput)]
pub async fn preview_bulk(fields: BulkFields) -> Result<BulkPreview, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let (ArticlesOutcome { mut outcome, seen }, slot) =
                match fields.preview_slots(&services, &actor).await? {
                    Some((outcome, slot)) => (ArticlesOutcome { outcome, seen: None }, Some(slot)),
                    None => (fields.run(&services, &actor, true).await?, None),
                };
            let refused = outcome.refused.len();
            outcome.refused.truncate(MAX_LISTED);
            Ok(BulkPreview { outcome, refused, slot, seen: seen.unwrap_or_default() })
        }
        .await,
    )
}

/// What a change would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BulkPreview {
    /// The outcome; the first refused tasks.
    pub outcome: BulkOutcome,
    /// Number of all refused tasks.
    pub refused: usize,
    /// The slot that it is about.
    pub slot: Option<SlotPreview>,
    /// Names the texts that an approval is about; empty: another change.
    pub seen: String,
}

/// Makes the change; redirects to the list, which offers the undo.
#[server(name = RunBulk, prefix = "/fn", endpoint = "run_bulk", output = JsonOutput)]
pub async fn run_bulk(#[server(flatten)] fields: BulkFields) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let to = match fields.run_slots(&services, &actor).await? {
                Some(to) => to,
                None => {
                    let outcome = fields.run(&services, &actor, false).await?.outcome;
                    with_done(&fields.list_url(), &result_value::value(&outcome))
                }
            };
            ssr::redirect(&to);
            Ok(())
        }
        .await,
    )
}

/// Undoes a change of many tasks.
#[server(name = UndoBatch, prefix = "/fn", endpoint = "undo_batch", output = JsonOutput)]
pub async fn undo_batch(id: String, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let id: BatchId = id.parse().map_err(|_| DomainError::no_such("batch"))?;
            let outcome = services.tasks.undo_batch(&actor, id).await?;
            ssr::redirect(&with_done(&from, &result_value::undone_value(&outcome)));
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
impl BulkFields {
    /// Changes the selected tasks, or says what that would do.
    async fn run(
        &self,
        services: &Services,
        actor: &Actor,
        is_dry_run: bool,
    ) -> Result<ArticlesOutcome, DomainError> {
        if self.is_of_articles() {
            let change = self.wanted_of_articles();
            return services.articles.change_many(actor, self.articles()?, change, is_dry_run).await;
        }
        let selection = match self.list == ARTICLES {
            true => BulkSelection::Tasks(services.articles.next_tasks(actor, self.articles()?).await?),
            false => self.selection()?,
        };
        let change = self.wanted(BulkTexts(actor.language))?;
        let outcome = services.tasks.bulk_change(actor, selection, change, is_dry_run).await?;
        Ok(ArticlesOutcome { outcome, seen: None })
    }

    /// Says who would move where along the slots; `None`: it is no change of slots.
    async fn preview_slots(
        &self,
        services: &Services,
        actor: &Actor,
    ) -> Result<Option<(BulkOutcome, SlotPreview)>, DomainError> {
        match self.of_slots() {
            Some(change) => {
                slots::preview(services, actor, (change, &self.at, &self.article)).await.map(Some)
            }
            None => Ok(None),
        }
    }

    /// Moves along the slots; returns the page with the result.
    async fn run_slots(&self, services: &Services, actor: &Actor) -> Result<Option<String>, DomainError> {
        match self.of_slots() {
            Some(change) => slots::run(services, actor, (change, &self.at, &self.article)).await.map(Some),
            None => Ok(None),
        }
    }

    /// The selected articles.
    fn articles(&self) -> Result<ArticleSelection, DomainError> {
        if self.all == "1" {
            return Ok(ArticleSelection::Matching(Box::new(ArticleQuery {
                filter: self.state.parse().ok(),
                q: Some(self.q.clone()),
                tag: Some(self.tag.clone()),
                is_mine: !self.mine.is_empty(),
                ..ArticleQuery::default()
            })));
        }
        let ids = self.ids.split(',').filter(|id| !id.is_empty());
        let ids = ids.map(|id| id.parse().map_err(|_| DomainError::no_such("article")));
        Ok(ArticleSelection::Articles(ids.collect::<Result<Vec<ArticleId>, _>>()?))
    }

    fn wanted_of_articles(&self) -> ArticleChange {
        let to = self.to.trim().to_owned();
        match self.change.as_str() {
            "assign" => ArticleChange::Assign { to: NewOwner::Named(to) },
            "add_tag" => ArticleChange::AddTag { tag: to },
            "remove_tag" => ArticleChange::RemoveTag { tag: to },
            _ => ArticleChange::Approve { seen: Some(self.seen.clone()).filter(|seen| !seen.is_empty()) },
        }
    }

    fn selection(&self) -> Result<BulkSelection, DomainError> {
        if self.all == "1" {
            return Ok(BulkSelection::Matching(Box::new(self.query())));
        }
        let ids = self.ids.split(',').filter(|id| !id.is_empty());
        let ids = ids.map(|id| id.parse().map_err(|_| DomainError::no_such("task")));
        Ok(BulkSelection::Tasks(ids.collect::<Result<Vec<TaskId>, _>>()?))
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

    fn wanted(&self, texts: BulkTexts) -> Result<BulkChange, DomainError> {
        Ok(match self.change.as_str() {
            "shift" => {
                let unknown = || {
                    let why = texts.unknown().to_owned();
                    DomainError::invalid("amount", ValidationError::Unreadable { why })
                };
                let amount: i32 = self.amount.trim().parse().map_err(|_| unknown())?;
                match self.unit.as_str() {
                    "hours" => {
                        BulkChange::Shift { days: 0, minutes: amount.checked_mul(60).ok_or_else(unknown)? }
                    }
                    "minutes" => BulkChange::Shift { days: 0, minutes: amount },
                    _ => BulkChange::Shift { days: amount, minutes: 0 },
                }
            }
            "move_to_day" => BulkChange::MoveToDay { day: self.day.clone() },
            "to_slots" => BulkChange::ToSlots,
            "cancel" => BulkChange::Cancel,
            "retry" => BulkChange::Retry,
            "run_now" => BulkChange::RunNow,
            _ => {
                let words = BulkChange::WORDS.join(", ");
                return Err(DomainError::invalid("change", ValidationError::NotOneOf { words }));
            }
        })
    }

    /// URL of the list, with its filters.
    fn list_url(&self) -> String {
        let state = Some(&self.state).filter(|state| !state.is_empty());
        let q = Some(&self.q).filter(|q| !q.is_empty());
        let tag = Some(&self.tag).filter(|tag| !tag.is_empty());
        let mine = Some(&self.mine).filter(|mine| !mine.is_empty());
        let fields = [("state", state), ("q", q), ("tag", tag), ("mine", mine)];
        let fields =
            fields.iter().filter_map(|(name, value)| Some(format!("{name}={}", Url::escape((*value)?))));
        let path = if self.list == ARTICLES { "/articles" } else { "/tasks" };
        format!("{path}?{}", fields.collect::<Vec<_>>().join("&"))
    }
}
