//! Articles that channels publish on other sites: reading and choosing.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::schedule_path, ssr};
#[cfg(feature = "ssr")]
use domain::DomainError;
use domain::{ArticleId, post::Post};
use leptos::prelude::*;

/// End of a choice that publishes an article on a site; the others end it.
pub const ON: &str = "on";

/// The article at each channel that publishes on another site.
#[server(name = ListPosts, prefix = "/fn", endpoint = "posts", output = JsonOutput)]
pub async fn list_posts(article: String) -> Result<Vec<Post>, Refused> {
    ssr::respond(
        async {
            let article = article.parse().map_err(|_| DomainError::no_such("article"))?;
            ssr::services()?.channels.posts(&ssr::actor()?, article).await
        }
        .await,
    )
}

/// Publishes an article also at a channel, or not any more. `choice`: the id of the channel, a colon, and [`ON`] or
/// something else.
#[server(name = ChoosePost, prefix = "/fn", endpoint = "choose_post", output = JsonOutput)]
pub async fn choose_post(article: ArticleId, choice: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let no_channel = || DomainError::no_such("channel");
            let (channel, what) = choice.split_once(':').ok_or_else(no_channel)?;
            let channel = channel.parse().map_err(|_| no_channel())?;
            ssr::services()?.channels.choose_post(&ssr::actor()?, article, channel, what == ON).await?;
            ssr::redirect_back(&schedule_path(article, "save", None));
            Ok(())
        }
        .await,
    )
}
