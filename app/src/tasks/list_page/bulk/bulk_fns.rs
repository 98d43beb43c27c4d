//! Preview, change and undo of many.

use super::{
    list::BulkList,
    slot_change::{SlotChange, SlotPreview},
};
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{
    server_fns::{result_url::with_done, ssr},
    tasks::list_page::bulk::{bulk_texts::BulkTexts, result_value, slots},
};
#[cfg(feature = "ssr")]
use domain::{
    Actor, BatchId, DomainError, Services,
    articles::bulk::{ArticlesOutcome, NextTasks},
    bulk_change::{BulkChange, BulkSelection, MAX_LISTED},
};
use domain::{articles::bulk::CHANGES, bulk_change::BulkOutcome};
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos_router::location::Url;
use serde::{Deserialize, Serialize};

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
    /// Whether the list of meetings shows those that have started.
    #[serde(default)]
    pub past: String,
    /// Id of the series whose meetings the list shows one by one.
    #[serde(default)]
    pub series: String,
    /// See [`BulkList::of`].
    #[serde(default)]
    pub list: String,
    /// Word of the change, as the form of the list offers it.
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
    /// Of the changes of articles: name of the person, or the tag. Of those of meetings: the reason.
    #[serde(default)]
    pub to: String,
    /// `approve`: what the preview said.
    #[serde(default)]
    pub seen: String,
}

impl BulkFields {
    /// What is changed: articles themselves only by the changes that are theirs.
    #[must_use]
    pub fn of(&self) -> BulkList {
        match BulkList::of(&self.list) {
            BulkList::Articles if !CHANGES.contains(&self.change.as_str()) => BulkList::Tasks,
            list => list,
        }
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
                    with_done(&fields.list_url(), &result_value::value(&outcome, &fields.change))
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

/// Changes the next tasks of articles. Articles without one stay as they are.
#[cfg(feature = "ssr")]
async fn change_next(
    services: &Services,
    actor: &Actor,
    next: NextTasks,
    (change, is_dry_run): (BulkChange, bool),
) -> Result<BulkOutcome, DomainError> {
    let NextTasks { tasks, without } = next;
    let mut outcome = if tasks.is_empty() && !without.is_empty() {
        BulkOutcome::default()
    } else {
        services.tasks.bulk_change(actor, BulkSelection::Tasks(tasks), change, is_dry_run).await?
    };
    outcome.matched += without.len() as u64;
    outcome.refused.extend(without);
    Ok(outcome)
}

#[cfg(feature = "ssr")]
impl BulkFields {
    /// Changes what is selected, or says what that would do.
    async fn run(
        &self,
        services: &Services,
        actor: &Actor,
        is_dry_run: bool,
    ) -> Result<ArticlesOutcome, DomainError> {
        let texts = BulkTexts(actor.language);
        let outcome = match self.of() {
            BulkList::Articles => {
                let change = self.wanted_of_articles();
                return services.articles.change_many(actor, self.articles()?, change, is_dry_run).await;
            }
            BulkList::Meetings => {
                let change = self.wanted_of_meetings(texts)?;
                let selection = self.meetings(services).await?;
                services.meetings.change_many(actor, selection, change, is_dry_run).await?
            }
            BulkList::Reminders => {
                let change = self.wanted_of_reminders(texts)?;
                services.reminders.change_many(actor, self.reminders()?, change, is_dry_run).await?
            }
            BulkList::Tasks => {
                let change = self.wanted_of_tasks(texts)?;
                match BulkList::of(&self.list) {
                    BulkList::Articles => {
                        let next = services.articles.next_tasks(actor, self.articles()?).await?;
                        change_next(services, actor, next, (change, is_dry_run)).await?
                    }
                    _ => services.tasks.bulk_change(actor, self.tasks()?, change, is_dry_run).await?,
                }
            }
        };
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

    /// URL of the list, with its filters.
    fn list_url(&self) -> String {
        let state = Some(&self.state).filter(|state| !state.is_empty());
        let q = Some(&self.q).filter(|q| !q.is_empty());
        let tag = Some(&self.tag).filter(|tag| !tag.is_empty());
        let mine = Some(&self.mine).filter(|mine| !mine.is_empty());
        let past = Some(&self.past).filter(|past| !past.is_empty());
        let series = Some(&self.series).filter(|series| !series.is_empty());
        let fields =
            [("state", state), ("q", q), ("tag", tag), ("mine", mine), ("past", past), ("series", series)];
        let fields =
            fields.iter().filter_map(|(name, value)| Some(format!("{name}={}", Url::escape((*value)?))));
        let path = BulkList::of(&self.list).path();
        format!("{path}?{}", fields.collect::<Vec<_>>().join("&"))
    }
}
