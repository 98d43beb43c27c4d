//! `/articles/bulk-change`: one change of many articles.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{AuthJson, word},
        },
    },
    tasks::api::bulk_change::{BulkItemBody, BulkRefusalBody},
};
use axum::{Json, extract::State};
use domain::{
    ArticleId, DomainError,
    article::{ArticleFilter, ArticleQuery},
    articles::bulk::{ArticleChange, ArticleSelection, ArticlesOutcome, CHANGES, NewOwner},
    error::ValidationError,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Articles, `ids` or a `filter`, and a change of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticlesChangeBody {
    /// Ids of 1 to 1,000 articles.
    ids: Option<Vec<String>>,
    /// All articles that match; at most 1,000.
    filter: Option<ArticlesFilter>,
    /// The change.
    change: ArticlesChangeFields,
    /// Whether nothing is changed; the response says what would be.
    #[serde(default)]
    dry_run: bool,
}

/// Which articles.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticlesFilter {
    /// `draft`, `scheduled`, `published` or `trash`; absent: all outside of the trash.
    state: Option<String>,
    /// Only with these words; at most 200 characters. It may have filters, like `owner:me`.
    #[schema(max_length = 200)]
    q: Option<String>,
    /// Only with this tag.
    tag: Option<String>,
}

/// A change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticlesChangeFields {
    /// `assign` (to the account `to`), `add_tag`, `remove_tag` (`tag`), `submit` (the current
    /// texts, for review) or `approve`.
    #[serde(rename = "type")]
    what: String,
    /// `assign`: id or name of an account, or `me`. It owns the articles and their open tasks from then on.
    to: Option<String>,
    /// `add_tag`, `remove_tag`: name of the tag. Each changed article gets a revision.
    tag: Option<String>,
    /// `approve`: `seen` of the dry run. If a submitted text has changed since, nothing is approved.
    seen: Option<String>,
}

/// What was changed, or would be.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticlesOutcomeBody {
    /// Undoes it within 7 days: `POST /batches/{id}/undo`; null: nothing was changed, or it was
    /// submitted or approved.
    #[schema(value_type = Option<String>, format = Uuid)]
    batch_id: Option<Uuid>,
    /// Number of articles that it was about.
    matched: u64,
    /// Number of articles that were changed, or would be. Those that are as wanted already are neither
    /// changed nor refused.
    changed: u64,
    /// Dry run: the articles that would be changed; at most 100.
    items: Vec<BulkItemBody>,
    /// The articles that stay as they are, and why.
    refused: Vec<BulkRefusalBody>,
    /// `approve`: names the texts that it is about; null: another change.
    seen: Option<String>,
}

impl From<ArticlesOutcome> for ArticlesOutcomeBody {
    fn from(ArticlesOutcome { outcome, seen }: ArticlesOutcome) -> Self {
        Self {
            batch_id: outcome.batch.map(|batch| batch.0),
            matched: outcome.matched,
            changed: outcome.changed,
            items: outcome.items.into_iter().map(BulkItemBody::from).collect(),
            refused: outcome.refused.into_iter().map(BulkRefusalBody::from).collect(),
            seen,
        }
    }
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Sentence { why: why.to_owned() })
}

impl TryFrom<ArticlesChangeFields> for ArticleChange {
    type Error = DomainError;
    fn try_from(fields: ArticlesChangeFields) -> Result<Self, DomainError> {
        let ArticlesChangeFields { what, to, tag, seen } = fields;
        if what != "assign" && to.is_some() {
            return Err(unreadable("to", "to belongs to assign"));
        }
        if what != "approve" && seen.is_some() {
            return Err(unreadable("seen", "seen belongs to approve"));
        }
        if !matches!(what.as_str(), "add_tag" | "remove_tag") && tag.is_some() {
            return Err(unreadable("tag", "tag belongs to add_tag and remove_tag"));
        }
        let tag = tag.unwrap_or_default();
        Ok(match what.as_str() {
            "assign" => {
                let to = to.unwrap_or_default();
                let to = to.parse().map(NewOwner::Account).unwrap_or(NewOwner::Named(to));
                Self::Assign { to }
            }
            "add_tag" => Self::AddTag { tag },
            "remove_tag" => Self::RemoveTag { tag },
            "submit" => Self::Submit,
            "approve" => Self::Approve { seen },
            _ => {
                let words = CHANGES.join(", ");
                return Err(DomainError::invalid("type", ValidationError::NotOneOf { words }));
            }
        })
    }
}

fn selection(
    ids: Option<Vec<String>>,
    filter: Option<ArticlesFilter>,
) -> Result<ArticleSelection, DomainError> {
    match (ids, filter) {
        (Some(ids), None) => {
            let read = |text: &String| {
                text.parse::<ArticleId>().map_err(|_| unreadable("ids", "ids must be the ids of articles"))
            };
            Ok(ArticleSelection::Articles(ids.iter().map(read).collect::<Result<_, _>>()?))
        }
        (None, Some(filter)) => Ok(ArticleSelection::Matching(Box::new(ArticleQuery {
            filter: filter.state.map(|state| word("state", &state, ArticleFilter::NAMES)).transpose()?,
            q: filter.q,
            tag: filter.tag,
            ..ArticleQuery::default()
        }))),
        _ => Err(unreadable("ids", "send either ids or filter")),
    }
}

/// Changes up to 1,000 articles, each that can be changed; the response lists the others. Submissions and
/// approvals cannot be undone.
#[utoipa::path(post, path = "/articles/bulk-change", tag = "articles", request_body = ArticlesChangeBody, responses(
    (status = 200, description = "What was changed, or would be", body = ArticlesOutcomeBody),
    (status = 409, description = "A text to approve has changed since it was seen, or the first request with this Idempotency-Key has not ended", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<ArticlesChangeBody>,
) -> Result<Json<ArticlesOutcomeBody>, ApiError> {
    let selection = selection(body.ids, body.filter)?;
    let wanted = body.change.try_into()?;
    Ok(Json(web.services.articles.change_many(&actor, selection, wanted, body.dry_run).await?.into()))
}
