//! Feeds: list, create, revoke.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::calendar::Feed;
#[cfg(feature = "ssr")]
use domain::{
    DomainError,
    calendar::{FeedKind, NewFeed},
    error::ValidationError,
};
use leptos::prelude::*;
use uuid::Uuid;

/// Name of the cookie that holds a new address once.
#[cfg(feature = "ssr")]
const NEW: &str = "feed";

/// The user's feeds.
#[server(name = ListFeeds, prefix = "/fn", endpoint = "feeds", output = JsonOutput)]
pub async fn list_feeds() -> Result<Vec<Feed>, Refused> {
    ssr::respond(async { ssr::services()?.feeds.list(&ssr::actor()?).await }.await)
}

/// Creates a feed and returns its address; `what` is `person`, `desk` or `room.ID`.
#[server(name = CreateFeed, prefix = "/fn", endpoint = "create_feed", output = JsonOutput)]
pub async fn create_feed(what: String) -> Result<String, Refused> {
    ssr::respond(
        async {
            let created = ssr::services()?.feeds.create(&ssr::actor()?, wanted(&what)?).await?;
            let url = format!("{}{}", ssr::caller()?.public_url, created.path());
            ssr::show_once(NEW, &url, "/settings/feeds");
            Ok(url)
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn wanted(what: &str) -> Result<NewFeed, DomainError> {
    let unknown = || {
        let words = "person, desk, room.ID".to_owned();
        DomainError::invalid("kind", ValidationError::NotOneOf { words })
    };
    match what.strip_prefix("room.") {
        Some(room) => {
            let room_id = Some(room.parse().map_err(|_| unknown())?);
            Ok(NewFeed { kind: FeedKind::Room, room_id })
        }
        None => Ok(NewFeed { kind: what.parse().map_err(|_| unknown())?, room_id: None }),
    }
}

/// Returns the address that a form without JavaScript has just created; `None` after the first call.
#[server(name = TakeNewFeed, prefix = "/fn", endpoint = "new_feed", output = JsonOutput)]
pub async fn new_feed() -> Result<Option<String>, Refused> {
    ssr::respond(ssr::actor().map(|_| ssr::take_shown_once(NEW)))
}

/// Revokes a feed of the user.
#[server(name = RevokeFeed, prefix = "/fn", endpoint = "revoke_feed", output = JsonOutput)]
pub async fn revoke_feed(id: Uuid) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.feeds.revoke(&ssr::actor()?, id).await?;
            ssr::redirect("/settings/feeds?done=revoke");
            Ok(())
        }
        .await,
    )
}
