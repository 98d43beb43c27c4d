//! Writes the deliveries that report reviews, and tasks that did not do what was planned, in the
//! transaction of the change. What is reported follows from the events of that transaction.

use super::outbox::{self, NewDelivery, Subscriber, subscribers};
use crate::{Conn, StoreError, Tx, event::NewEvent, json_rows::encode, row::row};
use domain::{
    AccountId, DeliveryId, Kind, Timestamp, Version, attention::AttentionCause, channel::ChannelEvent,
    review::workflow::ReviewState,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Reason of the events of a review that its deadline decides.
const DEADLINE: &str = "deadline";

/// Something to report to the channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What happened.
    event: ChannelEvent,
    /// The article or meeting under review, or the task.
    entity: Uuid,
    /// State afterwards, of the review or the task.
    state: String,
    /// Version of the event: of a task or meeting.
    version: i32,
    /// The account that acted; `None`: the engine.
    by: Option<AccountId>,
    detail: Detail,
}

/// What reports need of the detail of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Detail {
    state: Option<String>,
    reason: Option<String>,
    /// Name of the person whose link decided.
    link_name: Option<String>,
    kind: Option<String>,
    target_id: Option<Uuid>,
    due_at: Option<Timestamp>,
    is_released: bool,
}

/// Returns what is reported of these events.
#[must_use]
pub fn of_events(events: &[NewEvent]) -> Vec<Report> {
    let mut reports: Vec<Report> = events.iter().flat_map(of_event).collect();
    // A held article is reported once: with its own task, if it has one.
    let held = |report: &Report| report.event == ChannelEvent::ArticleHeld;
    let with_tasks: HashSet<Uuid> =
        reports.iter().filter(|report| held(report)).filter_map(|report| report.detail.target_id).collect();
    reports.retain(|report| {
        !held(report) || report.detail.target_id.is_some() || !with_tasks.contains(&report.entity)
    });
    reports
}

fn of_event(one: &NewEvent) -> Vec<Report> {
    let detail = || serde_json::from_str::<Detail>(&one.detail).unwrap_or_default();
    match (one.entity, one.verb, one.to_state) {
        (
            "article",
            "submit" | "approve" | "undo_approval" | "send_back" | "review_expire" | "review_hold",
            _,
        ) => of_review(one, &detail()),
        ("meeting", _, Some(state @ "expired")) => {
            vec![report(one, ChannelEvent::ApprovalExpired, state, &detail())]
        }
        ("task", _, Some("failed" | "missed")) => of_ended_task(one, &detail()),
        ("task", "retry", Some("scheduled")) => {
            let detail = detail();
            let state = ReviewState::Approved.as_str();
            let report =
                detail.is_released.then(|| report(one, ChannelEvent::ArticleReleased, state, &detail));
            report.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn of_review(one: &NewEvent, detail: &Detail) -> Vec<Report> {
    let is_deadline = detail.reason.as_deref() == Some(DEADLINE);
    let submitted = detail.state.as_deref().unwrap_or_default();
    let is_approved = submitted == ReviewState::Approved.as_str();
    let (events, state): (Vec<ChannelEvent>, &str) = match one.verb {
        "submit" if is_approved => {
            (vec![ChannelEvent::ArticleSubmitted, ChannelEvent::ArticleApproved], submitted)
        }
        "submit" | "undo_approval" => (vec![ChannelEvent::ArticleSubmitted], submitted),
        "approve" if is_deadline => (
            vec![ChannelEvent::ApprovalExpired, ChannelEvent::ArticleApproved],
            ReviewState::Approved.as_str(),
        ),
        "approve" => (vec![ChannelEvent::ArticleApproved], ReviewState::Approved.as_str()),
        "send_back" => (vec![ChannelEvent::ArticleSentBack], ReviewState::SentBack.as_str()),
        "review_expire" => (vec![ChannelEvent::ApprovalExpired], ReviewState::Expired.as_str()),
        _ if is_deadline => (vec![ChannelEvent::ApprovalExpired], ReviewState::Held.as_str()),
        _ => (vec![ChannelEvent::ArticleHeld], ReviewState::Held.as_str()),
    };
    events.into_iter().map(|event| report(one, event, state, detail)).collect()
}

fn of_ended_task(one: &NewEvent, detail: &Detail) -> Vec<Report> {
    let state = one.to_state.unwrap_or_default();
    let event = if state == "missed" { ChannelEvent::TaskMissed } else { ChannelEvent::TaskFailed };
    let is_publication = detail.kind.as_deref() == Some(Kind::ArticlePublish.as_str());
    let is_held = is_publication && detail.reason.as_deref().and_then(AttentionCause::of_review).is_some();
    let held = report(one, ChannelEvent::ArticleHeld, ReviewState::Held.as_str(), detail);
    std::iter::once(report(one, event, state, detail)).chain(is_held.then_some(held)).collect()
}

fn report(one: &NewEvent, event: ChannelEvent, state: &str, detail: &Detail) -> Report {
    Report {
        event,
        entity: one.entity_id,
        state: state.to_owned(),
        version: one.version.unwrap_or_default(),
        by: one.actor,
        detail: detail.clone(),
    }
}

/// Reports what follows from these events; returns the number of deliveries.
pub async fn report_events(tx: &mut Tx, events: &[NewEvent], at: Timestamp) -> Result<u64, StoreError> {
    enqueue(tx, &of_events(events), at).await
}

/// Stores one delivery per report and subscribed channel; returns how many. Without reports this is no
/// query, without a channel that subscribes one.
pub async fn enqueue(tx: &mut Tx, reports: &[Report], at: Timestamp) -> Result<u64, StoreError> {
    if reports.is_empty() {
        return Ok(0);
    }
    let subscribers = subscribers(tx.conn()).await?;
    let wanted: Vec<&Report> =
        reports.iter().filter(|report| subscribers.iter().any(|one| one.follows(report.event))).collect();
    if wanted.is_empty() {
        return Ok(0);
    }
    let facts = Facts::load(tx, &wanted).await?;
    let mut new = Vec::new();
    for report in wanted {
        let Some((title, data)) = facts.describe(report) else { continue };
        let body = json!({"type": report.event, "timestamp": at, "data": data}).to_string();
        let followers = subscribers.iter().filter(|one| one.follows(report.event));
        new.extend(followers.map(|one| delivery(report, one, (&title, &body))));
    }
    outbox::insert(tx.conn(), &new, at).await?;
    Ok(new.len() as u64)
}

fn delivery(report: &Report, to: &Subscriber, (title, body): (&str, &str)) -> NewDelivery {
    NewDelivery {
        id: DeliveryId::generate(),
        // Deliveries of a task are those of its execution.
        task: None,
        version: Version(report.version),
        channel_id: to.id,
        channel: to.name.clone(),
        event: report.event,
        title: title.to_owned(),
        body: body.to_owned(),
        message: None,
        is_held: false,
        max_attempts: to.max_attempts(),
    }
}

row! {
    /// An article with the text that is reviewed, or with its current one.
    struct ArticleFacts {
        id: Uuid,
        title: String,
        revision: i32,
        owner: String,
        deadline_at: Option<i64>,
        due_at: Option<i64>,
    }
}

row! {
    struct TargetFacts {
        id: Uuid,
        kind: String,
        title: String,
    }
}

/// A task that an approval released: id, target, due time.
type ReleasedRow = (Uuid, Uuid, i64);

/// What reports say beside their events.
struct Facts {
    articles: HashMap<Uuid, ArticleFacts>,
    targets: HashMap<Uuid, TargetFacts>,
    released: HashMap<Uuid, (Uuid, i64)>,
    names: HashMap<Uuid, String>,
}

/// Selects rows whose key is among some ids.
macro_rules! fetch_by_ids {
    ($conn:expr, $ids:expr, $sql:literal) => {
        match $conn {
            Conn::Sqlite(c) => {
                sqlx::query_as(concat!($sql, " in (select unhex(value) from jsonb_each($1))"))
                    .bind(encode($ids.iter().map(Uuid::as_simple))?)
                    .fetch_all(c)
                    .await?
            }
            Conn::Postgres(c) => sqlx::query_as(concat!($sql, " = any($1)")).bind(&$ids).fetch_all(c).await?,
        }
    };
}

impl Facts {
    async fn load(tx: &mut Tx, reports: &[&Report]) -> Result<Self, StoreError> {
        let of = |event: ChannelEvent| reports.iter().filter(move |report| report.event == event);
        let ids: Vec<Uuid> = of(ChannelEvent::ArticleReleased).map(|report| report.entity).collect();
        let released: Vec<ReleasedRow> = fetch_by_ids!(
            tx.conn(),
            ids,
            "select id, target_id, due_at from task where kind = 'article.publish' and id"
        );
        let mut ids: Vec<Uuid> = reports.iter().map(|report| report.entity).collect();
        ids.extend(reports.iter().filter_map(|report| report.detail.target_id));
        ids.extend(released.iter().map(|(_, article, _)| *article));
        let articles: Vec<ArticleFacts> = fetch_by_ids!(
            tx.conn(),
            ids,
            "select a.id, coalesce(vr.title, r.title) as title, coalesce(vr.number, r.number) as revision, o.name as owner,
                    v.deadline_at,
                    (select min(t.due_at) from task t
                      where t.target_id = a.id and t.kind = 'article.publish' and t.state || '' = 'scheduled') as due_at
               from article a
               join account o on o.id = a.owner_id
               join revision r on r.id = a.revision_id
               left join review v on v.article_id = a.id
               left join revision vr on vr.id = v.revision_id
              where a.id"
        );
        let targets: Vec<TargetFacts> =
            fetch_by_ids!(tx.conn(), ids, "select id, kind, title from target where id");
        let by: Vec<Uuid> = reports.iter().filter_map(|report| Some(report.by?.0)).collect();
        let names: Vec<(Uuid, String)> =
            fetch_by_ids!(tx.conn(), by, "select id, name from account where id");
        Ok(Self {
            articles: articles.into_iter().map(|row| (row.id, row)).collect(),
            targets: targets.into_iter().map(|row| (row.id, row)).collect(),
            released: released.into_iter().map(|(task, article, due_at)| (task, (article, due_at))).collect(),
            names: names.into_iter().collect(),
        })
    }

    /// Returns the title and the data of a report; `None`: its subject does not exist.
    fn describe(&self, report: &Report) -> Option<(String, Value)> {
        match report.event {
            ChannelEvent::TaskFailed | ChannelEvent::TaskMissed => Some(self.task(report)),
            // Of the article's own task, or in a release.
            ChannelEvent::ArticleHeld => match report.detail.target_id {
                Some(article) => self.article(report, article, (Some(report.entity), report.detail.due_at)),
                None => self.article(report, report.entity, (None, None)),
            },
            ChannelEvent::ArticleReleased => {
                let (article, due_at) = *self.released.get(&report.entity)?;
                let due_at = Timestamp::from_millis(due_at);
                self.article(report, article, (Some(report.entity), Some(due_at)))
            }
            _ => self.article(report, report.entity, (None, None)).or_else(|| self.meeting(report)),
        }
    }

    fn article(
        &self,
        report: &Report,
        article: Uuid,
        (task, due_at): (Option<Uuid>, Option<Timestamp>),
    ) -> Option<(String, Value)> {
        let facts = self.articles.get(&article)?;
        let moment = |at: Option<i64>| at.map(Timestamp::from_millis);
        // The submitter of a text that needs no reviewer does not approve it.
        let is_automatic = report.event == ChannelEvent::ArticleApproved && report.detail.state.is_some();
        let data = json!({
            "article_id": article,
            "revision": facts.revision,
            "title": facts.title,
            "path": format!("/articles/{article}"),
            "owner": facts.owner,
            "state": report.state,
            "by": if is_automatic { None } else { self.by(report) },
            "reason": report.detail.reason.as_deref().unwrap_or_default(),
            "deadline_at": moment(facts.deadline_at),
            "due_at": due_at.or_else(|| moment(facts.due_at)),
            "task_id": task,
        });
        Some((facts.title.clone(), data))
    }

    fn meeting(&self, report: &Report) -> Option<(String, Value)> {
        let facts = self.targets.get(&report.entity)?;
        let data = json!({
            "meeting_id": report.entity,
            "title": facts.title,
            "path": format!("/meetings/{}", report.entity),
            "state": report.state,
            "by": self.by(report),
            "reason": report.detail.reason.as_deref().unwrap_or_default(),
        });
        Some((facts.title.clone(), data))
    }

    fn task(&self, report: &Report) -> (String, Value) {
        let Detail { kind, target_id, due_at, reason, .. } = &report.detail;
        let target = target_id.and_then(|id| self.targets.get(&id));
        let data = json!({
            "task_id": report.entity,
            "version": report.version,
            "kind": kind,
            "state": report.state,
            "reason": reason.as_deref().unwrap_or_default(),
            "due_at": due_at,
            "target_id": target_id,
            "target_kind": target.map(|target| &target.kind),
            "title": target.map(|target| &target.title),
            "path": format!("/tasks/{}", report.entity),
        });
        let title = target.map(|target| target.title.clone());
        (title.or_else(|| kind.clone()).unwrap_or_default(), data)
    }

    /// Name of who acted.
    fn by(&self, report: &Report) -> Option<String> {
        let account = || self.names.get(&report.by?.0).cloned();
        report.detail.link_name.clone().or_else(account)
    }
}
