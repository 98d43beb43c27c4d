//! Articles: texts, their revisions and their names. Everybody with an account reads all; owners and admins change.

use crate::parts::Parts;
use async_trait::async_trait;
use domain::{
    Actor, ArticleId, Page, Refusal,
    article::{
        Article, ArticleEdit, ArticleQuery, ArticleRow, DiffLine, NewArticle, Preview, Revision, RevisionRow,
    },
    desk::Articles,
};

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
    async fn list(&self, _actor: &Actor, _query: ArticleQuery) -> Result<Page<ArticleRow>, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn find(&self, _actor: &Actor, _id: ArticleId) -> Result<Article, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn create(&self, _actor: &Actor, _new: NewArticle) -> Result<Article, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn save(&self, _actor: &Actor, _id: ArticleId, _edit: ArticleEdit) -> Result<Article, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn rename(&self, _actor: &Actor, _id: ArticleId, _slug: String) -> Result<Article, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn revisions(&self, _actor: &Actor, _id: ArticleId) -> Result<Vec<RevisionRow>, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn revision(&self, _actor: &Actor, _id: ArticleId, _number: i32) -> Result<Revision, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn diff(
        &self,
        _actor: &Actor,
        _id: ArticleId,
        _from: i32,
        _to: i32,
    ) -> Result<Vec<DiffLine>, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn restore(
        &self,
        _actor: &Actor,
        _id: ArticleId,
        _number: i32,
        _seen_revision: i32,
    ) -> Result<Article, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn preview(&self, _actor: &Actor, _markdown: &str) -> Result<Preview, Refusal> {
        Err(Refusal::Unavailable)
    }
}
