//! Requests are read whole, then handled to their end, whether or not the client waits for the answer.
//!
//! hyper drops a handler when its client leaves; a dropped transaction can take other requests' writes with it (protocol §10).
//! So the body is read first (nothing is lost if the client leaves then), and the handling is a task of its own.

use axum::{
    Router,
    body::{Body, Bytes},
    extract::Request,
    http::{StatusCode, header::CONTENT_LENGTH},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use domain::limit;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::time::Duration;

/// How long a client may take to send a body.
const BODY_WAIT: Duration = Duration::from_secs(30);
/// Most bytes of all header lines together.
const HEADER_BYTES: usize = 16 * 1024;

/// Reads and handles every request of `router` as the module describes.
pub fn around(router: Router) -> Router {
    router.layer(middleware::from_fn(handle))
}

async fn handle(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let header_bytes: usize =
        head.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if header_bytes + head.uri.path().len() + head.uri.query().map_or(0, str::len) > HEADER_BYTES {
        let text = "the address and headers of the request are larger than 16 KiB";
        return (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, text).into_response();
    }
    let most =
        if head.uri.path().ends_with("/tasks/bulk") { limit::BULK_BYTES } else { limit::REQUEST_BYTES };
    let announced =
        head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > most as u64) {
        return too_large(most);
    }
    let body = match read(body, most).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let request = Request::from_parts(head, Body::from(body));
    finish(next.run(request)).await
}

/// Runs to its end even if the caller is dropped; a panic becomes a 500 with a reference.
pub async fn finish(work: impl Future<Output = Response> + Send + 'static) -> Response {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where handling outlives its client; the handle is awaited"
    )]
    let handle = tokio::spawn(work);
    handle.await.unwrap_or_else(|failed| {
        let reference = reference();
        tracing::error!(%reference, error = %failed, "a request handler broke");
        let text = format!("something broke on our side; reference {reference}");
        (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
    })
}

/// A short random name for something in the log.
#[must_use]
pub fn reference() -> String {
    let id = uuid::Uuid::now_v7().simple().to_string();
    id.get(20..).unwrap_or_default().to_owned()
}

async fn read(body: Body, most: usize) -> Result<Bytes, Response> {
    match tokio::time::timeout(BODY_WAIT, Limited::new(body, most).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(most)),
        Ok(Err(_)) => Err((StatusCode::BAD_REQUEST, "the request ended too early").into_response()),
        Err(_) => {
            Err((StatusCode::REQUEST_TIMEOUT, "the request took longer than 30 seconds").into_response())
        }
    }
}

fn too_large(most: usize) -> Response {
    let text = format!("the request is larger than {} MiB", most / (1024 * 1024));
    (StatusCode::PAYLOAD_TOO_LARGE, text).into_response()
}
