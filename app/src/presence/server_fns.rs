//! Who else has an article or a meeting open.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use domain::DomainError;
use leptos::prelude::*;

/// Records that the user has an item open. Returns the names of the others who have.
#[server(name = SeeItem, prefix = "/fn", endpoint = "see_item", output = JsonOutput)]
pub async fn see_item(id: String) -> Result<Vec<String>, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let item = id.parse().map_err(|_| DomainError::no_such("item"))?;
            services.presence.see(&actor, item).await
        }
        .await,
    )
}

/// Names of the others who have an item open. Writes nothing. There are none for an unknown item.
#[server(name = WhoIsHere, prefix = "/fn", endpoint = "who_is_here", output = JsonOutput)]
pub async fn who_is_here(id: String) -> Result<Vec<String>, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            match id.parse() {
                Ok(item) => services.presence.others(&actor, item).await,
                Err(_) => Ok(Vec::new()),
            }
        }
        .await,
    )
}
