//! The media library: list, one file, and changes. Uploads have a route of their own.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
use domain::media::{MediaDetails, MediaList, MediaQuery};
#[cfg(feature = "ssr")]
use domain::{DomainError, MediaId, Version, error::ValidationError};
use leptos::prelude::*;

/// A page of the library.
#[server(name = ListMedia, prefix = "/fn", endpoint = "media_list", output = JsonOutput)]
pub async fn list_media(#[server(default)] query: MediaQuery) -> Result<MediaList, Refused> {
    ssr::respond(async { ssr::services()?.media.list(&ssr::actor()?, query).await }.await)
}

/// One file and where it is used.
#[server(name = FindMedia, prefix = "/fn", endpoint = "media_file", output = JsonOutput)]
pub async fn find_media(id: String) -> Result<MediaDetails, Refused> {
    ssr::respond(async { ssr::services()?.media.find(&ssr::actor()?, parsed(&id)?).await }.await)
}

/// Changes the alternative text.
#[server(name = EditMedia, prefix = "/fn", endpoint = "edit_media", output = JsonOutput)]
pub async fn edit_media(
    id: String,
    #[server(default)] alt: String,
    seen_version: i32,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let seen = Some(Version(seen_version));
            ssr::services()?.media.edit(&ssr::actor()?, parsed(&id)?, alt, seen).await?;
            ssr::redirect(&with_done(&from, "alt"));
            Ok(())
        }
        .await,
    )
}

/// Puts the content before the last replacement back.
#[server(name = PutBackMedia, prefix = "/fn", endpoint = "put_back_media", output = JsonOutput)]
pub async fn put_back_media(id: String, seen_version: i32, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let seen = Some(Version(seen_version));
            ssr::services()?.media.put_back(&ssr::actor()?, parsed(&id)?, seen).await?;
            ssr::redirect(&with_done(&from, "put_back"));
            Ok(())
        }
        .await,
    )
}

/// Deletes a file.
#[server(name = DeleteMedia, prefix = "/fn", endpoint = "delete_media", output = JsonOutput)]
pub async fn delete_media(id: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.media.delete(&ssr::actor()?, parsed(&id)?).await?;
            ssr::redirect(&with_done("/media", "deleted"));
            Ok(())
        }
        .await,
    )
}

/// Sets how many MiB all files may have.
#[server(name = SetMediaQuota, prefix = "/fn", endpoint = "set_media_quota", output = JsonOutput)]
pub async fn set_media_quota(quota_mib: String, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let mib = quota_mib.trim().parse().map_err(|_| {
                let why = "must be a whole number".to_owned();
                DomainError::invalid("quota_mib", ValidationError::Unreadable { why })
            })?;
            ssr::services()?.media.set_quota(&ssr::actor()?, mib).await?;
            ssr::redirect(&with_done(&from, "quota"));
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn parsed(id: &str) -> Result<MediaId, DomainError> {
    id.parse().map_err(|_| DomainError::no_such("file"))
}
