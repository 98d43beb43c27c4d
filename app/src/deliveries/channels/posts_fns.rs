//! Articles that channels publish on other sites: reading and choosing.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::schedule_path, ssr};
use domain::{ArticleId, imports::TextThere, post::Post};
#[cfg(feature = "ssr")]
use domain::{DomainError, Version};
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

/// Does something with a post. `choice`: its id, the version that the user has seen, and the action, with colons.
#[server(name = ChangePost, prefix = "/fn", endpoint = "change_post", output = JsonOutput)]
pub async fn change_post(article: ArticleId, choice: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let mut parts = choice.split(':');
            let mut next = || parts.next().unwrap_or_default();
            let no_post = || DomainError::no_such("post");
            let post = next().parse().map_err(|_| no_post())?;
            let seen = next().parse().map_err(|_| no_post())?;
            let action = next().parse().map_err(|_| no_post())?;
            ssr::services()?.channels.change_post(&ssr::actor()?, post, action, Version(seen)).await?;
            ssr::redirect_back(&schedule_path(article, "save", None));
            Ok(())
        }
        .await,
    )
}

/// The text that a site has of an article now. The site is asked.
#[server(name = ReadTextThere, prefix = "/fn", endpoint = "text_there", output = JsonOutput)]
pub async fn read_text_there(article: String, channel: String) -> Result<TextThere, Refused> {
    ssr::respond(
        async {
            let article = article.parse().map_err(|_| DomainError::no_such("article"))?;
            let channel = channel.parse().map_err(|_| DomainError::no_such("channel"))?;
            ssr::services()?.imports.text_there(&ssr::actor()?, article, channel).await
        }
        .await,
    )
}

/// Makes the text of a post on another site the text of its article; redirects to the editor.
#[server(name = TakeTheirs, prefix = "/fn", endpoint = "take_theirs", output = JsonOutput)]
pub async fn take_theirs(post: String, seen_version: i32, seen_hash: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let post = post.parse().map_err(|_| DomainError::no_such("post"))?;
            let seen = (Version(seen_version), seen_hash.as_str());
            let article = ssr::services()?.imports.take_theirs(&ssr::actor()?, post, seen).await?;
            ssr::redirect(&format!("/articles/{}?done=save", article.row.id));
            Ok(())
        }
        .await,
    )
}
