//! Texts: reading, saving, comparing.

use super::{Refused, Told, schedule::Picks};
#[cfg(feature = "ssr")]
use super::{schedule::usual_times, ssr};
use domain::{
    ArticleId, Moment, Page,
    article::{Article, ArticleQuery, ArticleRow, DiffLine, Drift, Preview, Revision, RevisionRow},
};
#[cfg(feature = "ssr")]
use domain::{
    Refusal,
    article::{ArticleEdit, NewArticle},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// An article as the editor opens it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The article.
    pub article: Article,
    /// Its text as readers will see it.
    pub preview: Preview,
    /// Times people often want, in the asker's zone.
    pub picks: Picks,
}

/// What the editor needs to know after a text was saved: everything but the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Which article.
    pub id: ArticleId,
    /// The revision the text is in now.
    pub revision: i32,
    /// Words in it.
    pub words: u32,
    /// What the waiting publish does not hold yet.
    pub drift: Option<Drift>,
    /// When it was saved.
    pub at: Moment,
}

/// One page of the list, newest change first.
#[server(name = ListArticles, prefix = "/fn", endpoint = "articles", output = Told)]
pub async fn list_articles(query: ArticleQuery) -> Result<Page<ArticleRow>, Refused> {
    ssr::answer(async { ssr::desk()?.articles.list(&ssr::actor()?, query).await }.await)
}

/// One article with its text, and its text as readers will see it.
#[server(name = OpenArticle, prefix = "/fn", endpoint = "article", output = Told)]
pub async fn open_article(id: String) -> Result<Opened, Refused> {
    ssr::answer(
        async {
            let (desk, actor) = (ssr::desk()?, ssr::actor()?);
            let id: ArticleId = id.parse().map_err(|_| Refusal::no_such("article"))?;
            let article = desk.articles.find(&actor, id).await?;
            let preview = desk.articles.preview(&actor, &article.body).await?;
            let picks = usual_times(String::new()).await.map_err(|Refused(refusal)| refusal)?;
            Ok(Opened { article, preview, picks })
        }
        .await,
    )
}

/// One article with an empty text: for the panel beside an open editor, which keeps its own.
#[server(name = ArticleState, prefix = "/fn", endpoint = "article_state", output = Told)]
pub async fn article_state(id: ArticleId) -> Result<Article, Refused> {
    ssr::answer(
        async {
            let article = ssr::desk()?.articles.find(&ssr::actor()?, id).await?;
            Ok(Article { body: String::new(), ..article })
        }
        .await,
    )
}

/// A new draft from a form; leads to its editor, or to its preview where that was asked.
#[server(name = CreateArticle, prefix = "/fn", endpoint = "create_article", output = Told)]
pub async fn create_article(title: String, body: String, then: Option<String>) -> Result<(), Refused> {
    ssr::answer(
        async {
            let new = NewArticle { title, body: ssr::plain_lines(&body), slug: None };
            let article = ssr::desk()?.articles.create(&ssr::actor()?, new).await?;
            ssr::go(&ssr::editor_path(article.row.id, then.as_deref()));
            Ok(())
        }
        .await,
    )
}

/// A new draft from the open editor.
#[server(name = BeginArticle, prefix = "/fn", endpoint = "begin_article", output = Told)]
pub async fn begin_article(title: String, body: String) -> Result<Saved, Refused> {
    ssr::answer(
        async {
            let (desk, actor) = (ssr::desk()?, ssr::actor()?);
            let article = desk.articles.create(&actor, NewArticle { title, body, slug: None }).await?;
            ssr::saved(&desk, &actor, &article).await
        }
        .await,
    )
}

/// A new revision from a form; leads back to the editor, or to its preview where that was asked.
#[server(name = SaveArticle, prefix = "/fn", endpoint = "save_article", output = Told)]
pub async fn save_article(
    id: ArticleId,
    title: String,
    body: String,
    seen_revision: i32,
    then: Option<String>,
) -> Result<(), Refused> {
    ssr::answer(
        async {
            let edit = ArticleEdit {
                title: Some(title),
                body: Some(ssr::plain_lines(&body)),
                seen_revision,
                is_autosave: false,
            };
            ssr::desk()?.articles.save(&ssr::actor()?, id, edit).await?;
            ssr::go(&ssr::editor_path(id, then.as_deref()));
            Ok(())
        }
        .await,
    )
}

/// A new revision from the open editor.
#[server(name = KeepArticle, prefix = "/fn", endpoint = "keep_article", output = Told)]
pub async fn keep_article(
    id: ArticleId,
    title: String,
    body: String,
    seen_revision: i32,
    is_autosave: bool,
) -> Result<Saved, Refused> {
    ssr::answer(
        async {
            let (desk, actor) = (ssr::desk()?, ssr::actor()?);
            let edit = ArticleEdit { title: Some(title), body: Some(body), seen_revision, is_autosave };
            let article = desk.articles.save(&actor, id, edit).await?;
            ssr::saved(&desk, &actor, &article).await
        }
        .await,
    )
}

/// Another name in the address.
#[server(name = RenameArticle, prefix = "/fn", endpoint = "rename_article", output = Told)]
pub async fn rename_article(id: ArticleId, slug: String) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.articles.rename(&ssr::actor()?, id, slug.trim().to_owned()).await?;
            ssr::go_back(&ssr::moment_path(id, "rename", None));
            Ok(())
        }
        .await,
    )
}

/// All revisions, newest first.
#[server(name = ArticleRevisions, prefix = "/fn", endpoint = "revisions", output = Told)]
pub async fn article_revisions(id: ArticleId) -> Result<Vec<RevisionRow>, Refused> {
    ssr::answer(async { ssr::desk()?.articles.revisions(&ssr::actor()?, id).await }.await)
}

/// One revision with its text.
#[server(name = FindRevision, prefix = "/fn", endpoint = "revision", output = Told)]
pub async fn find_revision(id: ArticleId, number: i32) -> Result<Revision, Refused> {
    ssr::answer(async { ssr::desk()?.articles.revision(&ssr::actor()?, id, number).await }.await)
}

/// What changed from one revision to another.
#[server(name = DiffRevisions, prefix = "/fn", endpoint = "diff", output = Told)]
pub async fn diff_revisions(id: ArticleId, from: i32, to: i32) -> Result<Vec<DiffLine>, Refused> {
    ssr::answer(async { ssr::desk()?.articles.diff(&ssr::actor()?, id, from, to).await }.await)
}

/// The text of an old revision as a new one.
#[server(name = RestoreRevision, prefix = "/fn", endpoint = "restore_revision", output = Told)]
pub async fn restore_revision(id: ArticleId, number: i32, seen_revision: i32) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.articles.restore(&ssr::actor()?, id, number, seen_revision).await?;
            ssr::go(&format!("/articles/{id}?done=restore"));
            Ok(())
        }
        .await,
    )
}

/// Into the trash; leads to the list, which offers to take it back.
#[server(name = DeleteArticle, prefix = "/fn", endpoint = "delete_article", output = Told)]
pub async fn delete_article(id: ArticleId, seen_revision: i32) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.articles.delete(&ssr::actor()?, id, Some(seen_revision)).await?;
            ssr::go(&format!("/articles?deleted={id}"));
            Ok(())
        }
        .await,
    )
}

/// Out of the trash; leads to the editor.
#[server(name = UndeleteArticle, prefix = "/fn", endpoint = "undelete_article", output = Told)]
pub async fn undelete_article(id: ArticleId) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.articles.undelete(&ssr::actor()?, id).await?;
            ssr::go(&format!("/articles/{id}"));
            Ok(())
        }
        .await,
    )
}

/// Markdown as readers will see it.
#[server(name = PreviewText, prefix = "/fn", endpoint = "preview", output = Told)]
pub async fn preview_text(markdown: String) -> Result<Preview, Refused> {
    ssr::answer(async { ssr::desk()?.articles.preview(&ssr::actor()?, &markdown).await }.await)
}
