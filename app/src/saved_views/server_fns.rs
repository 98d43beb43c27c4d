//! Saved views.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
use domain::{
    SavedViewId,
    accounts::saved_view::{SavedView, ViewedList},
};
#[cfg(feature = "ssr")]
use domain::{Version, accounts::saved_view::NewSavedView};
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos_router::location::Url;

/// Prefix of the result of a removal; the name follows.
pub const DELETED: &str = "view-deleted.";

/// The user's views of a list.
#[server(name = ReadViews, prefix = "/fn", endpoint = "saved_views", output = JsonOutput)]
pub async fn read_views(list: ViewedList) -> Result<Vec<SavedView>, Refused> {
    ssr::respond(async { ssr::services()?.views.list(&ssr::actor()?, list).await }.await)
}

/// Saves the filters of a list under a name.
#[server(name = SaveView, prefix = "/fn", endpoint = "save_view", output = JsonOutput)]
pub async fn save_view(
    list: ViewedList,
    name: String,
    #[server(default)] query: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let new = NewSavedView { list, name, query };
            let view = ssr::services()?.views.save(&ssr::actor()?, new).await?;
            ssr::redirect(&with_done(&url_of(&view), "view-saved"));
            Ok(())
        }
        .await,
    )
}

/// Renames a view.
#[server(name = RenameView, prefix = "/fn", endpoint = "rename_view", output = JsonOutput)]
pub async fn rename_view(id: SavedViewId, seen: i32, name: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let view = ssr::services()?.views.rename(&ssr::actor()?, id, name, Version(seen)).await?;
            ssr::redirect(&with_done(&url_of(&view), "view-renamed"));
            Ok(())
        }
        .await,
    )
}

/// Deletes a view. The list keeps its filters.
#[server(name = DeleteView, prefix = "/fn", endpoint = "delete_view", output = JsonOutput)]
pub async fn delete_view(id: SavedViewId, seen: i32) -> Result<(), Refused> {
    ssr::respond(
        async {
            let view = ssr::services()?.views.delete(&ssr::actor()?, id, Version(seen)).await?;
            let done = format!("{DELETED}{}", Url::escape(&view.name));
            ssr::redirect(&with_done(&url_of(&view), &done));
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn url_of(view: &SavedView) -> String {
    format!("{}?{}", view.list.path(), view.query)
}
