//! Texts of pictures, of the details of articles, and of the public site.

use super::fixture::{MARKER, text};
use crate::{articles::media::fixture::png, http_client::Reply, test_server::TestServer};
use reqwest::Method;
use serde_json::{Value, json};

/// Uploads a picture whose name and alternative text contain the marker. Returns its id and path.
pub async fn picture(server: &TestServer) -> (String, String) {
    let admin = server.as_admin();
    let upload = admin
        .request(Method::POST, "/api/v1/media")
        .header("x-filename", format!("Picture {MARKER}.png"))
        .header("content-type", "application/octet-stream")
        .body(png(7));
    let media = Reply::of(upload).await.expect(201);
    let (id, url) = (text(&media["id"]), text(&media["url"]));
    let alt = json!({"alt": format!("Shows {MARKER}")});
    admin.patch(&format!("/api/v1/media/{id}"), &alt).await.expect(200);
    (id, url[url.find("/media/").expect("a path")..].to_owned())
}

/// Details of an article in which every text contains the marker.
pub fn details(cover: &str) -> Value {
    json!({"summary": format!("Summary {MARKER}"), "tags": [format!("Tag {MARKER}")], "cover": cover,
           "cover_alt": format!("Cover {MARKER}"), "cover_caption": format!("Caption {MARKER}")})
}

/// Fills the texts of the public site.
pub async fn set_site_look(server: &TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let (description, footer) = (format!("About {MARKER}"), format!("Footer {MARKER}"));
    let links = format!("Link {MARKER} https://other.example/");
    let look = [
        ("from", "/settings/site"),
        ("seen", "1"),
        ("description", &description),
        ("accent", ""),
        ("footer", &footer),
        ("links", &links),
        ("navigation", ""),
        ("layout", "magazine"),
    ];
    let saved = browser.form("/fn/save_site_look", &look).await;
    assert!((300..400).contains(&saved.status), "{}", saved.text);
}
