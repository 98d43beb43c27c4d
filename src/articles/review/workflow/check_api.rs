//! What the checklist and the word lists find in an article.

use super::body::ReviewHitBody;
use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, id},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::review::workflow::checklist::{CheckedItem, CheckedLink, Finding, LinkProblem, TextCheck};
use serde::Serialize;
use utoipa::ToSchema;

/// What the checklist and the word lists find in the current text of an article.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextCheckBody {
    /// The items of the checklist that are switched on.
    items: Vec<CheckedItemBody>,
    /// What the word lists find, at most 1,000 hits.
    hits: Vec<ReviewHitBody>,
}

/// An item of the checklist.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckedItemBody {
    /// `title`, `summary`, `alt_texts`, `marks`, `headings`, `links` or `own_links`.
    item: &'static str,
    /// `warn` or `require`.
    mode: &'static str,
    /// Whether the text fulfils it.
    is_done: bool,
    /// Where it does not, at most 20 places.
    findings: Vec<FindingBody>,
}

/// A place in a text.
#[derive(Debug, Serialize, ToSchema)]
pub struct FindingBody {
    /// Line of the Markdown, from 1; 0: it is not in the Markdown.
    line: u32,
    /// Begin in the Markdown, in characters.
    start: usize,
    /// End in the Markdown, in characters.
    end: usize,
    /// What is there, shortened.
    quote: String,
}

impl From<Finding> for FindingBody {
    fn from(finding: Finding) -> Self {
        let Finding { line, start, end, quote } = finding;
        Self { line, start, end, quote }
    }
}

impl From<CheckedItem> for CheckedItemBody {
    fn from(checked: CheckedItem) -> Self {
        Self {
            item: checked.item.as_str(),
            mode: checked.mode.as_str(),
            is_done: checked.findings.is_empty(),
            findings: checked.findings.into_iter().map(FindingBody::from).collect(),
        }
    }
}

impl From<TextCheck> for TextCheckBody {
    fn from(check: TextCheck) -> Self {
        Self {
            items: check.items.into_iter().map(CheckedItemBody::from).collect(),
            hits: check.hits.into_iter().map(ReviewHitBody::from).collect(),
        }
    }
}

/// The links of a text.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckedLinksBody {
    /// The links to web pages, each once, at most 50, by their place in the text.
    links: Vec<CheckedLinkBody>,
    /// Number of further links.
    more: u32,
}

/// A link of a text.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckedLinkBody {
    /// Line of the Markdown, from 1.
    line: u32,
    /// Its address, without the part after `#`.
    url: String,
    /// Whether it answers.
    is_ok: bool,
    /// Why it does not: `status` (a status of 400 or more, which says that there is no such page),
    /// `no_connection`, `timed_out` (after 5 seconds), `forbidden` (the egress rules) or `redirects`
    /// (more than 3).
    problem: Option<&'static str>,
    /// The HTTP status, if that is the problem.
    status: Option<u16>,
}

impl From<CheckedLink> for CheckedLinkBody {
    fn from(link: CheckedLink) -> Self {
        let status = match link.problem {
            Some(LinkProblem::Status { status }) => Some(status),
            _ => None,
        };
        let problem = link.problem.map(LinkProblem::as_str);
        Self { line: link.line, url: link.url, is_ok: problem.is_none(), problem, status }
    }
}

/// Opens the links of the current text of an article, ten at once, each for at most 5 seconds.
#[utoipa::path(post, path = "/articles/{id}/check-links", tag = "review",
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "The links", body = CheckedLinksBody),
    (status = 403, description = "For the owner, reviewers and admins", body = ErrorBody),
    (status = 404, description = "No such article", body = ErrorBody)))]
pub async fn check_links(
    State(web): State<Web>,
    Path(article): Path<String>,
    Auth(actor): Auth,
) -> Result<Json<CheckedLinksBody>, ApiError> {
    let article = id(&article, "article")?;
    let found = web.services.reviews.check_links(&actor, article).await?;
    let links = found.links.into_iter().map(CheckedLinkBody::from).collect();
    Ok(Json(CheckedLinksBody { links, more: found.more }))
}

/// Checks the current text of an article against the checklist of the desk and the word lists.
#[utoipa::path(get, path = "/articles/{id}/checklist", tag = "review",
    params(("id" = String, Path, description = "Id of the article")), responses(
    (status = 200, description = "What they find", body = TextCheckBody),
    (status = 404, description = "No such article", body = ErrorBody)))]
pub async fn check(
    State(web): State<Web>,
    Path(article): Path<String>,
    Auth(actor): Auth,
) -> Result<Json<TextCheckBody>, ApiError> {
    let article = id(&article, "article")?;
    Ok(Json(web.services.reviews.check(&actor, article).await?.into()))
}
