//! Articles: texts, their revisions and their names. Everybody with an account reads all; owners and admins change.

mod check;
mod create;
mod cursor;
mod read;
mod rename;
mod revisions;
mod save;
mod search;
mod trash;

use super::rendering;
use crate::{
    parts::Parts,
    text::{html::escape, render, words},
};
use app::words::refusal::sentence;
use async_trait::async_trait;
use domain::{
    Actor, ArticleId, Page, Refusal,
    article::{
        Article, ArticleEdit, ArticleQuery, ArticleRow, DiffLine, NewArticle, Preview, Revision, RevisionRow,
    },
    desk::Articles,
};

/// What the names of places in a previewed text begin with: the page around it has names of its own.
const PREVIEW: &str = "text-";

/// What people can do with articles.
#[derive(Clone)]
pub struct ArticleDesk {
    /// What it is built from.
    pub parts: Parts,
}

impl ArticleDesk {
    /// The desk of articles over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Articles for ArticleDesk {
    async fn list(&self, actor: &Actor, query: ArticleQuery) -> Result<Page<ArticleRow>, Refusal> {
        read::list(self, actor, query).await
    }
    async fn find(&self, actor: &Actor, id: ArticleId) -> Result<Article, Refusal> {
        read::find(self, actor, id).await
    }
    async fn create(&self, actor: &Actor, new: NewArticle) -> Result<Article, Refusal> {
        create::create(self, actor, new).await
    }
    async fn save(&self, actor: &Actor, id: ArticleId, edit: ArticleEdit) -> Result<Article, Refusal> {
        save::save(self, actor, id, edit).await
    }
    async fn rename(&self, actor: &Actor, id: ArticleId, slug: String) -> Result<Article, Refusal> {
        rename::rename(self, actor, id, slug).await
    }
    async fn revisions(&self, actor: &Actor, id: ArticleId) -> Result<Vec<RevisionRow>, Refusal> {
        revisions::list(self, actor, id).await
    }
    async fn revision(&self, actor: &Actor, id: ArticleId, number: i32) -> Result<Revision, Refusal> {
        revisions::find(self, actor, id, number).await
    }
    async fn diff(
        &self,
        _actor: &Actor,
        id: ArticleId,
        from: i32,
        to: i32,
    ) -> Result<Vec<DiffLine>, Refusal> {
        revisions::compare(self, id, from, to).await
    }
    async fn restore(
        &self,
        actor: &Actor,
        id: ArticleId,
        number: i32,
        seen_revision: i32,
    ) -> Result<Article, Refusal> {
        save::restore(self, actor, id, number, seen_revision).await
    }
    async fn delete(&self, actor: &Actor, id: ArticleId, seen_revision: Option<i32>) -> Result<(), Refusal> {
        trash::delete(self, actor, id, seen_revision).await
    }
    async fn undelete(&self, actor: &Actor, id: ArticleId) -> Result<Article, Refusal> {
        trash::undelete(self, actor, id).await
    }
    async fn preview(&self, actor: &Actor, markdown: &str) -> Result<Preview, Refusal> {
        let body = check::body(markdown)?;
        let words = words::count(&body);
        let html = match rendering::render_for_client(body).await?.as_ref() {
            Ok(html) => render::prefixed(html.as_str(), PREVIEW),
            Err(limit) => {
                let refusal = Refusal::invalid("body", (*limit).into());
                format!("<p>{}</p>", escape(&sentence(actor.language, &refusal)))
            }
        };
        Ok(Preview { html, words })
    }
}
