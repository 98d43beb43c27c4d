//! Articles: reading, saving, comparing.

use super::editor::details::DetailFields;
#[cfg(feature = "ssr")]
use super::editor::merge_edit;
#[cfg(feature = "ssr")]
use crate::articles::form_paths::{create_scheduled, editor_path};
#[cfg(feature = "ssr")]
use crate::server_fns::result_url::schedule_path;
#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused, time_of_form::TimeOfForm};
#[cfg(feature = "ssr")]
use crate::ui::time::time_fns::time_presets;
use domain::TimePresets;
#[cfg(feature = "ssr")]
use domain::{
    Actor, DomainError, Services,
    accounts::group::Group,
    article::{ArticleEdit, NewArticle},
    articles::details::DetailsEdit,
    review::workflow::{Reviewer, Workflow},
};
use domain::{
    ArticleId, LocalizedTime,
    article::{Article, DiffLine, Drift, Preview, Revision, RevisionRow},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// An article as loaded by the editor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenedArticle {
    /// The article.
    pub article: Article,
    /// The rendered text.
    pub preview: Preview,
    /// Time presets, in the user's time zone.
    pub presets: TimePresets,
}

/// Response after a save: everything but the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedDraft {
    /// Which article.
    pub id: ArticleId,
    /// Number of the saved revision.
    pub revision: i32,
    /// Number of words.
    pub words: u32,
    /// Changes that are not in the scheduled revision.
    pub drift: Option<Drift>,
    /// When it was saved.
    pub at: LocalizedTime,
}

/// An article with its text and preview.
#[server(name = OpenArticle, prefix = "/fn", endpoint = "article", output = JsonOutput)]
pub async fn open_article(id: String) -> Result<OpenedArticle, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let id: ArticleId = id.parse().map_err(|_| DomainError::no_such("article"))?;
            let check = services.reviews.check(&actor, id).await?;
            let (reviewers, groups) = reviewers(&services, &actor).await?;
            let article = Article { check, reviewers, groups, ..services.articles.find(&actor, id).await? };
            let preview = services.articles.preview(&actor, &article.body).await?;
            let presets = time_presets(String::new()).await.map_err(|Refused(refusal)| refusal)?;
            Ok(OpenedArticle { article, preview, presets })
        }
        .await,
    )
}

/// An article without its text, for the panel beside an open editor.
#[server(name = ArticleState, prefix = "/fn", endpoint = "article_state", output = JsonOutput)]
pub async fn article_state(id: ArticleId) -> Result<Article, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let check = services.reviews.check(&actor, id).await?;
            let article = services.articles.find(&actor, id).await?;
            let (reviewers, groups) = reviewers(&services, &actor).await?;
            Ok(Article { body: String::new(), check, reviewers, groups, ..article })
        }
        .await,
    )
}

/// Who may be asked for a review, and the groups; empty while texts are not reviewed.
#[cfg(feature = "ssr")]
async fn reviewers(services: &Services, actor: &Actor) -> Result<(Vec<Reviewer>, Vec<Group>), DomainError> {
    match services.reviews.settings(actor).await?.workflow {
        Workflow::None => Ok((Vec::new(), Vec::new())),
        _ => Ok((services.reviews.reviewers(actor).await?, services.groups.list(actor).await?)),
    }
}

/// Value of `then`: the new article is scheduled for the time in the form.
pub const SCHEDULE_AT: &str = "schedule_at";

/// Creates a draft from a form; redirects to its editor, or to its preview or schedule by `then`.
/// With [`SCHEDULE_AT`] it is scheduled for the given local time.
#[server(name = CreateArticle, prefix = "/fn", endpoint = "create_article", output = JsonOutput)]
pub async fn create_article(
    title: String,
    body: String,
    then: Option<String>,
    #[server(flatten)] time: TimeOfForm,
    details: Option<DetailFields>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let details = details_edit(details)?;
            let new =
                NewArticle { title, body: ssr::normalize_newlines(&body), details, ..NewArticle::default() };
            // A button that offers an alternative to a skipped time has no other value.
            if then.as_deref() == Some(SCHEDULE_AT) || time.which.contains('T') {
                let when = ssr::time_of_form(&services, &actor, &time).await?;
                ssr::redirect(&create_scheduled(&services, &actor, new, when).await?);
                return Ok(());
            }
            let article = services.articles.create(&actor, new).await?;
            ssr::redirect(&editor_path(article.row.id, then.as_deref()));
            Ok(())
        }
        .await,
    )
}

/// Creates a draft from the open editor.
#[server(name = CreateDraft, prefix = "/fn", endpoint = "create_draft", output = JsonOutput)]
pub async fn create_draft(
    title: String,
    body: String,
    details: Option<DetailFields>,
) -> Result<SavedDraft, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let new = NewArticle { title, body, details: details_edit(details)?, ..NewArticle::default() };
            let article = services.articles.create(&actor, new).await?;
            saved_draft(&services, &actor, &article).await
        }
        .await,
    )
}

/// Saves a revision from a form; redirects to the editor, or to its preview or schedule by `then`.
#[server(name = SaveArticle, prefix = "/fn", endpoint = "save_article", output = JsonOutput)]
pub async fn save_article(
    id: ArticleId,
    title: String,
    body: String,
    seen_revision: i32,
    then: Option<String>,
    details: Option<DetailFields>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let edit = ArticleEdit {
                title: Some(title),
                body: Some(ssr::normalize_newlines(&body)),
                seen_revision,
                is_autosave: false,
                details: details_edit(details)?,
            };
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let is_merged = merge_edit::save(&services, &actor, id, edit).await?;
            let path = editor_path(id, then.as_deref());
            ssr::redirect(&if is_merged { format!("/articles/{id}?done=merge") } else { path });
            Ok(())
        }
        .await,
    )
}

/// Saves a revision from the open editor.
#[server(name = SaveDraft, prefix = "/fn", endpoint = "save_draft", output = JsonOutput)]
pub async fn save_draft(
    id: ArticleId,
    title: String,
    body: String,
    seen_revision: i32,
    is_autosave: bool,
    details: Option<DetailFields>,
) -> Result<SavedDraft, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let details = details_edit(details)?;
            let edit =
                ArticleEdit { title: Some(title), body: Some(body), seen_revision, is_autosave, details };
            let article = services.articles.save(&actor, id, edit).await?;
            saved_draft(&services, &actor, &article).await
        }
        .await,
    )
}

/// Changes the slug.
#[server(name = RenameArticle, prefix = "/fn", endpoint = "rename_article", output = JsonOutput)]
pub async fn rename_article(id: ArticleId, slug: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.articles.rename(&ssr::actor()?, id, slug.trim().to_owned()).await?;
            ssr::redirect_back(&schedule_path(id, "rename", None));
            Ok(())
        }
        .await,
    )
}

/// All revisions, newest first.
#[server(name = ArticleRevisions, prefix = "/fn", endpoint = "revisions", output = JsonOutput)]
pub async fn article_revisions(id: ArticleId) -> Result<Vec<RevisionRow>, Refused> {
    ssr::respond(async { ssr::services()?.articles.revisions(&ssr::actor()?, id).await }.await)
}

/// A revision with its text.
#[server(name = FindRevision, prefix = "/fn", endpoint = "revision", output = JsonOutput)]
pub async fn find_revision(id: ArticleId, number: i32) -> Result<Revision, Refused> {
    ssr::respond(async { ssr::services()?.articles.revision(&ssr::actor()?, id, number).await }.await)
}

/// The difference between two revisions.
#[server(name = DiffRevisions, prefix = "/fn", endpoint = "diff", output = JsonOutput)]
pub async fn diff_revisions(id: ArticleId, from: i32, to: i32) -> Result<Vec<DiffLine>, Refused> {
    ssr::respond(async { ssr::services()?.articles.diff(&ssr::actor()?, id, from, to).await }.await)
}

/// Saves the text of an old revision as a new one.
#[server(name = RestoreRevision, prefix = "/fn", endpoint = "restore_revision", output = JsonOutput)]
pub async fn restore_revision(id: ArticleId, number: i32, seen_revision: i32) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.articles.restore(&ssr::actor()?, id, number, seen_revision).await?;
            ssr::redirect(&format!("/articles/{id}?done=restore"));
            Ok(())
        }
        .await,
    )
}

/// Moves an article to the trash; redirects to the list, which offers undo.
#[server(name = DeleteArticle, prefix = "/fn", endpoint = "delete_article", output = JsonOutput)]
pub async fn delete_article(id: ArticleId, seen_revision: i32) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.articles.delete(&ssr::actor()?, id, Some(seen_revision)).await?;
            ssr::redirect(&format!("/articles?deleted={id}"));
            Ok(())
        }
        .await,
    )
}

/// Restores an article from the trash; redirects to the editor.
#[server(name = UndeleteArticle, prefix = "/fn", endpoint = "undelete_article", output = JsonOutput)]
pub async fn undelete_article(id: ArticleId) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.articles.undelete(&ssr::actor()?, id).await?;
            ssr::redirect(&format!("/articles/{id}?done=undelete"));
            Ok(())
        }
        .await,
    )
}

/// Renders Markdown as on the public site.
#[server(name = PreviewText, prefix = "/fn", endpoint = "preview", output = JsonOutput)]
pub async fn preview_text(markdown: String) -> Result<Preview, Refused> {
    ssr::respond(async { ssr::services()?.articles.preview(&ssr::actor()?, &markdown).await }.await)
}

/// Returns the change of the details in a form; a form without them changes none.
#[cfg(feature = "ssr")]
fn details_edit(fields: Option<DetailFields>) -> Result<DetailsEdit, DomainError> {
    fields.map_or_else(|| Ok(DetailsEdit::default()), |fields| fields.edit())
}

/// Returns the response for the open editor after a save.
#[cfg(feature = "ssr")]
async fn saved_draft(
    services: &Services,
    actor: &Actor,
    article: &Article,
) -> Result<SavedDraft, DomainError> {
    let words = services.articles.preview(actor, &article.body).await?.words;
    Ok(SavedDraft {
        id: article.row.id,
        revision: article.row.revision,
        words,
        drift: article.drift,
        at: article.row.changed,
    })
}
