//! The media library: uploads, bad input, who may read what, pages, backups, and files
//! in a bucket.

mod backup;
mod bad_input;
#[cfg(feature = "s3")]
pub(crate) mod bucket;
pub(crate) mod fixture;
#[cfg(not(feature = "s3"))]
mod no_bucket;
mod pages;
mod replace;
mod upload;
mod visibility;

use crate::{
    http_client::{HttpClient, Reply},
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};

/// A file as it was served.
pub(in crate::articles) struct Served {
    pub(in crate::articles) status: u16,
    headers: reqwest::header::HeaderMap,
    bytes: Vec<u8>,
}

impl Served {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

impl HttpClient {
    /// Uploads raw bytes.
    pub(crate) async fn upload(&self, name: &str, bytes: &[u8]) -> Reply {
        let request = self.request(Method::POST, "/api/v1/media").header("x-filename", name);
        Reply::of(request.header("content-type", "application/octet-stream").body(bytes.to_vec())).await
    }

    /// Reads a file of the library.
    pub(in crate::articles) async fn read_file(&self, path: &str) -> Served {
        let response = self.request(Method::GET, path).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Served { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    /// Uploads a file with the form of the page, as a browser without JavaScript does.
    async fn upload_form(&self, fields: &[(&str, &str)], file: Option<(&str, &[u8])>) -> Reply {
        let mut body = Vec::new();
        for (name, value) in fields {
            body.extend(
                format!("--edge\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                    .bytes(),
            );
        }
        if let Some((name, bytes)) = file {
            let head = format!(
                "--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: image/png\r\n\r\n"
            );
            body.extend(head.bytes());
            body.extend(bytes);
            body.extend(b"\r\n");
        }
        body.extend(b"--edge--\r\n");
        let request = self
            .request(Method::POST, "/fn/upload_media")
            .header("content-type", "multipart/form-data; boundary=edge")
            .header("accept", "text/html")
            .header("origin", &self.url)
            .header("sec-fetch-site", "same-origin")
            .body(body);
        Reply::of(request).await
    }
}

/// Path of the file on its server.
fn path_of(media: &Value) -> String {
    let url = media["url"].as_str().unwrap();
    url[url.find("/media/").unwrap()..].to_owned()
}

/// Creates a draft of the creator that shows the file.
async fn draft_with(server: &TestServer, title: &str, media: &Value) -> Value {
    let body = format!("A picture:\n\n{}\n", media["markdown"].as_str().unwrap());
    server.as_creator().post("/api/v1/articles", &json!({"title": title, "body": body})).await.expect(201)
}

/// Schedules a task of an article, due in `millis`.
async fn schedule(server: &TestServer, kind: &str, article: &Value, millis: i64) -> Value {
    let new = json!({"kind": kind, "target_id": article["id"], "due_at": server.time_after(millis)});
    server.as_creator().post("/api/v1/tasks", &new).await.expect(201)
}
