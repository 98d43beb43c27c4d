//! What the palette finds.

use crate::server_fns::{JsonOutput, Refused, ssr};
use domain::article::{ArticleQuery, ArticleRow};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Maximum number of items that are found.
const MAX_FOUND: u32 = 8;

/// A page with this title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundItem {
    /// Its title.
    pub title: String,
    /// Path of its page.
    pub path: String,
}

/// Finds articles by their titles and texts.
#[server(name = FindItems, prefix = "/fn", endpoint = "find_items", output = JsonOutput)]
pub async fn find_items(q: String) -> Result<Vec<FoundItem>, Refused> {
    ssr::respond(
        async {
            let query = ArticleQuery { q: Some(q), limit: Some(MAX_FOUND), ..ArticleQuery::default() };
            let found = ssr::services()?.articles.list(&ssr::actor()?, query).await?;
            let item =
                |row: ArticleRow| FoundItem { path: format!("/articles/{}", row.id), title: row.title };
            Ok(found.items.into_iter().map(item).collect())
        }
        .await,
    )
}
