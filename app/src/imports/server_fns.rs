//! Imports of uploaded exports.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::imports::Import;
#[cfg(feature = "ssr")]
use domain::{DomainError, ImportId, Version};
use leptos::prelude::*;

/// Where the upload form posts to. No server function: its body is a file.
pub const UPLOAD_PATH: &str = "/fn/upload_import";

/// Returns the newest imports.
#[server(name = ListImports, prefix = "/fn", endpoint = "imports", output = JsonOutput)]
pub async fn list_imports() -> Result<Vec<Import>, Refused> {
    ssr::respond(async { ssr::services()?.imports.list(&ssr::actor()?).await }.await)
}

/// Starts an import.
#[server(name = RunImport, prefix = "/fn", endpoint = "run_import", output = JsonOutput)]
pub async fn run_import(id: String, seen: i32) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.imports.run(&ssr::actor()?, parsed(&id)?, Some(Version(seen))).await?;
            ssr::redirect("/settings/import");
            Ok(())
        }
        .await,
    )
}

/// Stops a running import; what is imported stays.
#[server(name = StopImport, prefix = "/fn", endpoint = "stop_import", output = JsonOutput)]
pub async fn stop_import(id: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.imports.stop(&ssr::actor()?, parsed(&id)?).await?;
            ssr::redirect("/settings/import?done=stop");
            Ok(())
        }
        .await,
    )
}

/// Removes an import and its file.
#[server(name = DiscardImport, prefix = "/fn", endpoint = "discard_import", output = JsonOutput)]
pub async fn discard_import(id: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.imports.discard(&ssr::actor()?, parsed(&id)?).await?;
            ssr::redirect("/settings/import?done=discard");
            Ok(())
        }
        .await,
    )
}

/// Moves the articles of an import to the trash; with `unpublish`, the public ones too that were not
/// changed since.
#[server(name = UndoImport, prefix = "/fn", endpoint = "undo_import", output = JsonOutput)]
pub async fn undo_import(id: String, #[server(default)] unpublish: bool) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.imports.undo(&ssr::actor()?, parsed(&id)?, unpublish).await?;
            ssr::redirect("/settings/import");
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn parsed(id: &str) -> Result<ImportId, DomainError> {
    id.parse().map_err(|_| DomainError::no_such("import"))
}
