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
    /// Counts over all articles, or over those of the user if the query asks for them.
    pub counts: ArticleCounts,
}

/// A page of the list, last changed first.
#[server(name = ListArticles, prefix = "/fn", endpoint = "articles", output = JsonOutput)]
pub async fn list_articles(#[server(default)] query: ArticleQuery) -> Result<ArticleList, Refused> {
    ssr::respond(
        async {
            let (services, actor, is_mine) = (ssr::services()?, ssr::actor()?, query.is_mine);
            let page = services.articles.list(&actor, query).await?;
            Ok(ArticleList { page, counts: services.articles.counts(&actor, is_mine).await? })
        }
        .await,
    )
}
