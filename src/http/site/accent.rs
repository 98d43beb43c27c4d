//! Style sheets of accent colours. The content security policy of the site permits no inline styles.

use super::respond::{etag, respond};
use axum::{
    extract::Path,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use domain::accounts::site_look::Colour;

/// `/site/accent/{colour}`: the style sheet of a colour such as `0d567a.css`.
pub async fn sheet(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let colour = name.strip_suffix(".css").filter(|name| name.len() == 6).and_then(Colour::parse);
    let Some(colour) = colour else { return StatusCode::NOT_FOUND.into_response() };
    let text = style(colour);
    respond(&headers, etag("accent", &text), "text/css; charset=utf-8", async { Ok(text.into()) }).await
}

fn style(light: Colour) -> String {
    let dark = light.for_dark();
    let (on_light, on_dark) = (light.text_on(), dark.text_on());
    format!(":root{{--accent:light-dark({light},{dark});--on-accent:light-dark({on_light},{on_dark})}}")
}
