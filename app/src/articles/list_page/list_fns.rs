//! The list of articles.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::{
    Page,
    article::{ArticleCounts, ArticleQuery, ArticleRow},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A page of the list with the number of articles for each filter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArticleList {
    /// The page.
    pub page: Page<ArticleRow>,
    /// Counts over what the search and the tag leave, of all articles or of those of the user; `None`: they are
    /// too many to count.
    pub counts: Option<ArticleCounts>,
}

/// A page of the list, last changed first.
#[server(name = ListArticles, prefix = "/fn", endpoint = "articles", output = JsonOutput)]
pub async fn list_articles(#[server(default)] query: ArticleQuery) -> Result<ArticleList, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let page = services.articles.list(&actor, query.clone()).await?;
            let counts = match query.q.is_none() && query.tag.is_none() {
                true => Some(services.articles.counts(&actor, query.is_mine).await?),
                false => services.articles.search_counts(&actor, query).await?,
            };
            Ok(ArticleList { page, counts })
        }
        .await,
    )
}
