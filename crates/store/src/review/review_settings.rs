//! Settings of the review.

use super::approval::{APPROVAL_REQUIRED, REVIEW_ACTIVE};
use crate::{Conn, StoreError, db::with_conn, setting};
use domain::review::workflow::{ReviewSettings, Workflow};

const SETTINGS: &str = "review";

/// Returns the settings; without any, nothing is reviewed.
pub async fn find(conn: Conn<'_>) -> Result<ReviewSettings, StoreError> {
    let Some(text) = setting::find(conn, SETTINGS).await? else { return Ok(ReviewSettings::default()) };
    serde_json::from_str(&text).map_err(|_| StoreError::Corrupt("the settings of the review".to_owned()))
}

/// Stores the settings of a new desk, unless it has some.
pub async fn put_of_new_desk(conn: Conn<'_>) -> Result<(), StoreError> {
    let text = encode(&ReviewSettings::of_new_desk())?;
    setting::put_if_absent(conn, SETTINGS, &text).await.map(drop)
}

/// Stores the settings.
pub async fn put(mut conn: Conn<'_>, settings: &ReviewSettings) -> Result<(), StoreError> {
    let text = encode(settings)?;
    setting::put(conn.reborrow(), SETTINGS, &text).await?;
    let is_active = settings.workflow != Workflow::None;
    set(conn.reborrow(), REVIEW_ACTIVE, is_active).await?;
    set(conn, APPROVAL_REQUIRED, settings.workflow.reviewers() > 0).await
}

fn encode(settings: &ReviewSettings) -> Result<String, StoreError> {
    serde_json::to_string(settings).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// Lets a setting exist or not.
async fn set(conn: Conn<'_>, name: &str, exists: bool) -> Result<(), StoreError> {
    if exists {
        return setting::put(conn, name, "1").await;
    }
    with_conn!(conn, c => sqlx::query("delete from setting where name = $1").bind(name).execute(c).await.map(drop))?;
    Ok(())
}
