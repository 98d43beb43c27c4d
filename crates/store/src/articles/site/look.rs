//! How the public site looks: one setting.

use crate::{Conn, StoreError, db::with_conn, setting};
use domain::accounts::site_look::SiteLook;

const NAME: &str = "site_look";
/// Name of the setting with the published stylesheet.
pub const STYLE: &str = "site_style";
/// Name of the setting with the draft of the stylesheet.
pub const STYLE_DRAFT: &str = "site_style_draft";

fn corrupt<E>(_: E) -> StoreError {
    StoreError::Corrupt("the look of the site".to_owned())
}

/// Returns how the site looks.
pub async fn look(conn: Conn<'_>) -> Result<SiteLook, StoreError> {
    let Some(text) = setting::find(conn, NAME).await? else { return Ok(SiteLook::default()) };
    serde_json::from_str(&text).map_err(corrupt)
}

/// Changes how the site looks. False: it is no longer as it was `before`.
pub async fn put_look(conn: Conn<'_>, before: &SiteLook, look: &SiteLook) -> Result<bool, StoreError> {
    let [before_text, text] = [before, look].map(|look| serde_json::to_string(look).map_err(corrupt));
    // Without a row, `before` is the default.
    let is_first = *before == SiteLook::default();
    let changed = with_conn!(conn, c => sqlx::query(
        "insert into setting (name, value) select $1, $3 where $4 = 1 or exists (select 1 from setting where name = $1)
         on conflict (name) do update set value = excluded.value where setting.value = $2")
        .bind(NAME).bind(before_text?).bind(text?).bind(i32::from(is_first)).execute(c).await?.rows_affected());
    Ok(changed > 0)
}
