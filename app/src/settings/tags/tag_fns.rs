//! Tags: list and rename.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::articles::details::Tag;
#[cfg(feature = "ssr")]
use domain::articles::details::TagEdit;
use leptos::prelude::*;

/// Returns the tags of the desk.
#[server(name = ListTags, prefix = "/fn", endpoint = "tags", output = JsonOutput)]
pub async fn list_tags() -> Result<Vec<Tag>, Refused> {
    ssr::respond(async { ssr::services()?.articles.tags(&ssr::actor()?).await }.await)
}

/// Renames a tag. `id`: its key.
#[server(name = RenameTag, prefix = "/fn", endpoint = "rename_tag", output = JsonOutput)]
pub async fn rename_tag(id: String, to: String, #[server(default)] merge: bool) -> Result<(), Refused> {
    ssr::respond(
        async {
            let edit = TagEdit { from: id, to, is_merge: merge };
            ssr::services()?.articles.rename_tag(&ssr::actor()?, edit).await?;
            ssr::redirect("/settings/tags?done=save");
            Ok(())
        }
        .await,
    )
}
