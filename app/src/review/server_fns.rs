//! Reviews: the list, one text, decisions and links.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{
    review::state::published_value,
    server_fns::{result_url::with_done, ssr},
};
use domain::{
    AccountId, ArticleId, GroupId, LocalizedTime,
    review::{
        Field, ReviewedText,
        workflow::{LinkedReview, Review, Workflow, checklist::CheckedLinks},
    },
};
#[cfg(feature = "ssr")]
use domain::{
    Actor, DomainError, Services,
    article::ArticleEdit,
    articles::details::DetailsEdit,
    error::ValidationError,
    review::{FoundTerm, comment::NewComment},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The reviews that wait, and the workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitingReviews {
    /// The reviews.
    pub reviews: Vec<Review>,
    /// The workflow.
    pub workflow: Workflow,
}

/// The reviews that wait for a reviewer.
#[server(name = ListReviews, prefix = "/fn", endpoint = "reviews", output = JsonOutput)]
pub async fn list_reviews() -> Result<WaitingReviews, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let workflow = services.reviews.settings(&actor).await?.workflow;
            Ok(WaitingReviews { reviews: services.reviews.list(&actor).await?, workflow })
        }
        .await,
    )
}

/// A review with its text.
#[server(name = FindReview, prefix = "/fn", endpoint = "review", output = JsonOutput)]
pub async fn find_review(article: String) -> Result<ReviewedText, Refused> {
    ssr::respond(
        async {
            let id: ArticleId = article.parse().map_err(|_| DomainError::no_such("article"))?;
            ssr::services()?.reviews.text(&ssr::actor()?, id).await
        }
        .await,
    )
}

/// Opens the links of an article.
#[server(name = CheckLinks, prefix = "/fn", endpoint = "check_links", output = JsonOutput)]
pub async fn check_links(article: String) -> Result<CheckedLinks, Refused> {
    ssr::respond(
        async {
            let id: ArticleId = article.parse().map_err(|_| DomainError::no_such("article"))?;
            ssr::services()?.reviews.check_links(&ssr::actor()?, id).await
        }
        .await,
    )
}

/// Replaces a hit of a word list in the current text of an article, as a new revision. The hit is at this
/// place of a field, in characters, and `by` replaces it.
#[server(name = ReplaceTerm, prefix = "/fn", endpoint = "replace_term", output = JsonOutput)]
pub async fn replace_term(
    id: ArticleId,
    seen: i32,
    field: Field,
    start: usize,
    #[server(default)] by: String,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let hits = services.reviews.check(&actor, id).await?.hits;
            let article = services.articles.find(&actor, id).await?;
            let source = match field {
                Field::Title => &article.row.title,
                Field::Summary => &article.details.summary,
                Field::Text => &article.body,
            };
            let is_it = |hit: &&FoundTerm| {
                (hit.field, hit.start) == (field, start) && hit.replacement.as_ref() == Some(&by)
            };
            let replaced = hits.iter().find(is_it).and_then(|hit| hit.replace_in(source));
            // The list was changed in the meantime.
            let replaced = Some(replaced.ok_or(DomainError::Changed)?);
            let edit = ArticleEdit { seen_revision: seen, ..ArticleEdit::default() };
            let edit = match field {
                Field::Title => ArticleEdit { title: replaced, ..edit },
                Field::Text => ArticleEdit { body: replaced, ..edit },
                Field::Summary => {
                    let details = DetailsEdit { summary: replaced, ..DetailsEdit::default() };
                    ArticleEdit { details, ..edit }
                }
            };
            services.articles.save(&actor, id, edit).await?;
            ssr::redirect(&with_done(&from, "replace"));
            Ok(())
        }
        .await,
    )
}

/// Submits the current revision of an article, and asks these reviewers and groups; none: any.
#[server(name = SubmitForReview, prefix = "/fn", endpoint = "submit_for_review", output = JsonOutput)]
pub async fn submit_for_review(
    id: ArticleId,
    seen: i32,
    #[server(default)] reviewers: Vec<AccountId>,
    #[server(default)] groups: Vec<GroupId>,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let asked = asked(&services, &actor, id, (reviewers, groups)).await?;
            services.reviews.submit(&actor, id, seen, Some(asked)).await?;
            ssr::redirect(&with_done(&from, "submit"));
            Ok(())
        }
        .await,
    )
}

/// Returns these reviewers and those of the groups, without the owner of the article.
#[cfg(feature = "ssr")]
async fn asked(
    services: &Services,
    actor: &Actor,
    id: ArticleId,
    (mut reviewers, groups): (Vec<AccountId>, Vec<GroupId>),
) -> Result<Vec<AccountId>, DomainError> {
    if !groups.is_empty() {
        let owner = services.articles.find(actor, id).await?.row.owner_id;
        reviewers.extend(services.groups.reviewers_of(actor, groups, Some(owner)).await?);
    }
    Ok(reviewers)
}

/// Changes who is asked for a text that waits for a reviewer; none: any.
#[server(name = AskReviewers, prefix = "/fn", endpoint = "ask_reviewers", output = JsonOutput)]
pub async fn ask_reviewers(
    id: ArticleId,
    seen: i32,
    #[server(default)] reviewers: Vec<AccountId>,
    #[server(default)] groups: Vec<GroupId>,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let asked = asked(&services, &actor, id, (reviewers, groups)).await?;
            services.reviews.submit(&actor, id, seen, Some(asked)).await?;
            ssr::redirect(&with_done(&from, "ask_reviewers"));
            Ok(())
        }
        .await,
    )
}

/// Approves a text. `next`: opens the next one that waits.
#[server(name = ApproveText, prefix = "/fn", endpoint = "approve_text", output = JsonOutput)]
pub async fn approve_text(
    id: ArticleId,
    seen: i32,
    hash: String,
    #[server(default)] next: bool,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let before = services.reviews.find(&actor, id).await?;
            services.reviews.approve(&actor, id, (seen, hash)).await?;
            let done = match before.is_some_and(|review| review.publishes_at_once()) {
                true => published_value(id),
                false => "approve".to_owned(),
            };
            let page = if next { next_page(&services, &actor).await? } else { from };
            ssr::redirect(&with_done(&page, &done));
            Ok(())
        }
        .await,
    )
}

/// Undoes an approval.
#[server(name = UndoApproval, prefix = "/fn", endpoint = "undo_approval", output = JsonOutput)]
pub async fn undo_approval(id: ArticleId, seen: i32, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.reviews.undo_approval(&ssr::actor()?, id, seen).await?;
            ssr::redirect(&with_done(&from, "undo_approval"));
            Ok(())
        }
        .await,
    )
}

/// The page of the next review that the user may decide, else the list.
#[cfg(feature = "ssr")]
async fn next_page(services: &Services, actor: &Actor) -> Result<String, DomainError> {
    let waiting = services.reviews.list(actor).await?;
    let next = waiting.into_iter().find(|review| review.may_decide && review.may_approve());
    Ok(next.map_or_else(|| "/review".to_owned(), |review| format!("/review/{}", review.article_id)))
}

/// Sends a text back.
#[server(name = SendTextBack, prefix = "/fn", endpoint = "send_text_back", output = JsonOutput)]
pub async fn send_text_back(
    id: ArticleId,
    seen: i32,
    #[server(default)] reason: String,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let reason = ssr::normalize_newlines(&reason);
            ssr::services()?.reviews.send_back(&ssr::actor()?, id, seen, reason).await?;
            ssr::redirect(&with_done(&from, "send_back"));
            Ok(())
        }
        .await,
    )
}

/// Comments on a paragraph of a revision.
#[server(name = AddComment, prefix = "/fn", endpoint = "add_comment", output = JsonOutput)]
pub async fn add_comment(
    article: ArticleId,
    revision: i32,
    paragraph: u32,
    #[server(default)] text: String,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let new = NewComment { revision, paragraph, text: ssr::normalize_newlines(&text) };
            ssr::services()?.reviews.comment(&ssr::actor()?, article, new).await?;
            ssr::redirect(&with_done(&from, "comment"));
            Ok(())
        }
        .await,
    )
}

/// Resolves a comment, or opens it again.
#[server(name = SettleComment, prefix = "/fn", endpoint = "settle_comment", output = JsonOutput)]
pub async fn settle_comment(id: String, #[server(default)] act: String, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let id = id.parse().map_err(|_| DomainError::no_such("comment"))?;
            ssr::services()?.reviews.resolve_comment(&ssr::actor()?, id, act != "reopen").await?;
            ssr::redirect(&from);
            Ok(())
        }
        .await,
    )
}

/// A link that was just created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewReviewLink {
    /// Name of the person.
    pub name: String,
    /// Its address.
    pub url: String,
    /// When it expires.
    pub expires: LocalizedTime,
}

/// Creates a link for a person without an account.
#[server(name = CreateReviewLink, prefix = "/fn", endpoint = "create_review_link", output = JsonOutput)]
pub async fn create_review_link(
    id: ArticleId,
    #[server(default)] name: String,
) -> Result<NewReviewLink, Refused> {
    ssr::respond(
        async {
            let name = name.trim().to_owned();
            let link = ssr::services()?.reviews.create_link(&ssr::actor()?, id, name.clone()).await?;
            let url = format!("{}/review/link/{}", ssr::caller()?.public_url, link.secret);
            let created = NewReviewLink { name, url, expires: link.expires };
            ssr::show_once("review-link", &created, &format!("/review/{id}"));
            Ok(created)
        }
        .await,
    )
}

/// The link that was just created; it is shown once.
#[server(name = TakeReviewLink, prefix = "/fn", endpoint = "new_review_link", output = JsonOutput)]
pub async fn new_review_link() -> Result<Option<NewReviewLink>, Refused> {
    ssr::respond(ssr::actor().map(|_| ssr::take_shown_once("review-link")))
}

/// What a link shows. Needs no session.
#[server(name = LinkedText, prefix = "/fn", endpoint = "linked_text", output = JsonOutput)]
pub async fn linked_text(secret: String) -> Result<LinkedReview, Refused> {
    ssr::respond(async { ssr::services()?.reviews.link(&secret).await }.await)
}

/// Decides with a link: `decision` is `approve` or `send_back`. Needs no session.
#[server(name = DecideByLink, prefix = "/fn", endpoint = "decide_by_link", output = JsonOutput)]
pub async fn decide_by_link(
    secret: String,
    #[server(default)] decision: String,
    #[server(default)] reason: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let send_back = match decision.as_str() {
                "approve" => None,
                "send_back" => Some(ssr::normalize_newlines(&reason)),
                _ => {
                    let words = "approve, send_back".to_owned();
                    return Err(DomainError::invalid("decision", ValidationError::NotOneOf { words }));
                }
            };
            ssr::services()?.reviews.decide_by_link(&secret, send_back).await?;
            ssr::redirect("/review/link/done");
            Ok(())
        }
        .await,
    )
}
