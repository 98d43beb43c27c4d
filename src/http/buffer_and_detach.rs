//! Buffers the body, then runs the handler in its own task: a client disconnect cannot cancel a
//! transaction.
//!
//! hyper drops a handler when its client disconnects. A dropped transaction can roll back writes of
//! other requests in the same group commit (protocol §10). A disconnect while the body is read
//! loses nothing. How much may be read depends on the account, which is known from the head
//! (`admission`).

use super::{
    Web,
    header::characters,
    limits::{
        admission::{self, Admitted},
        budget::BudgetPermit,
        uploads,
    },
};
use crate::text::render::with_client;
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_LENGTH, EXPECT, RETRY_AFTER},
        request::Parts,
    },
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use domain::{DomainError, input_limits};
use http_body::Body as _;
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// Timeout for a whole body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout for the body of an upload, which may be ten times as large.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(300);
/// Time before the minimum rate [`MIN_BYTES_PER_SECOND`] applies.
const BODY_GRACE: Duration = Duration::from_secs(5);
/// Minimum average rate of a body.
const MIN_BYTES_PER_SECOND: usize = 4 * 1024;
/// Timeout for discarding the rest of a refused body, so that the client reads the response.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum size of all headers together, bytes.
const MAX_HEADER_BYTES: usize = 16 * 1024;

/// Adds the layer to `router`.
pub fn around(router: Router, web: Web) -> Router {
    router.layer(middleware::from_fn_with_state(web, handle))
}

async fn handle(State(web): State<Web>, request: Request, next: Next) -> Response {
    let (mut head, body) = request.into_parts();
    let has_body = !body.is_end_stream();
    let admitted = match admit(&web, &mut head, has_body).await {
        Ok(admitted) => admitted,
        Err(refused) => return discard(&head, body, refused).await,
    };
    if admitted.is_streamed {
        return finish(next.run(Request::from_parts(head, body))).await;
    }
    let (body, permit) = match read(body, &admitted).await {
        Ok(read) => read,
        Err((refused, rest)) => return discard(&head, rest, refused).await,
    };
    if let Err(refusal) = check(&web, &head, &body, &admitted) {
        return admission::refuse(&head, &refusal);
    }
    let request = Request::from_parts(head, Body::from(body));
    finish(async move {
        let response = next.run(request).await;
        drop(permit);
        response
    })
    .await
}

/// Checks the head of a request.
async fn admit<'u>(web: &'u Web, head: &mut Parts, has_body: bool) -> Result<Admitted<'u>, Response> {
    let header_bytes: usize =
        head.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if header_bytes + head.uri.path().len() + head.uri.query().map_or(0, str::len) > MAX_HEADER_BYTES {
        let text = "the URL and the headers are larger than 16 KiB";
        return Err((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, text).into_response());
    }
    let admitted = match characters::check_url(&head.uri) {
        Ok(()) => admission::admit(web, head, has_body).await,
        Err(refusal) => Err(refusal),
    };
    let admitted = admitted.map_err(|refusal| admission::refuse(head, &refusal))?;
    let content_length =
        head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    match content_length {
        Some(bytes) if bytes > admitted.max_bytes as u64 => Err(too_large(admitted.max_bytes)),
        _ => Ok(admitted),
    }
}

/// Checks a request once its body is read.
fn check(web: &Web, head: &Parts, body: &Bytes, admitted: &Admitted<'_>) -> Result<(), DomainError> {
    match head.uri.path() {
        path if uploads::kind_of(web.uploads, path).is_some() => {}
        path if path.starts_with("/api/") => characters::check_json(body)?,
        path if path.starts_with("/fn/") => characters::check_form(body)?,
        _ => {}
    }
    match admitted.writer {
        Some(account) if !body.is_empty() => web.usage.write(account, body.len()),
        _ => Ok(()),
    }
}

/// Runs `work` to completion even if the caller is dropped; only rendering for the caller is
/// cancelled then. A panic becomes a 500 with a reference.
pub async fn finish(work: impl Future<Output = Response> + Send + 'static) -> Response {
    let client = CancellationToken::new();
    let _cancel_on_drop = client.clone().drop_guard();
    #[expect(clippy::disallowed_methods, reason = "a handler must outlive its client; the handle is awaited")]
    let handle = tokio::spawn(with_client(client.clone(), work));
    handle.await.unwrap_or_else(|failed| {
        let reference = reference();
        tracing::error!(%reference, error = %failed, "a request handler panicked");
        let text = format!("internal error; reference {reference}");
        (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
    })
}

/// Returns a short random reference to an entry in the log.
#[must_use]
pub fn reference() -> String {
    let id = uuid::Uuid::now_v7().simple().to_string();
    id.get(20..).unwrap_or_default().to_owned()
}

/// Reads a body within its memory budget. An error includes the rest of the body, which is still
/// unread.
async fn read(mut body: Body, admitted: &Admitted<'_>) -> Result<(Bytes, BudgetPermit), (Response, Body)> {
    let (mut whole, mut permit) = (Vec::<u8>::new(), admitted.budget.permit());
    let mut started = Instant::now();
    loop {
        let frame = match timeout_at(started + allowed(whole.len(), admitted.max_bytes), body.frame()).await {
            Ok(None) => return Ok((whole.into(), permit)),
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(_))) => {
                let text = "the request ended before its body was complete";
                return Err(((StatusCode::BAD_REQUEST, text).into_response(), Body::empty()));
            }
            Err(_) => return Err((too_slow(), Body::empty())),
        };
        let Some(data) = frame.data_ref() else { continue };
        if whole.len() + data.len() > admitted.max_bytes {
            return Err((too_large(admitted.max_bytes), body));
        }
        let requested = Instant::now();
        if permit.grow(whole.len() + data.len()).await.is_err() {
            return Err((too_busy(), body));
        }
        // The wait for the budget does not count against the client.
        started += requested.elapsed();
        whole.extend_from_slice(data);
    }
}

/// Returns the timeout for the first `bytes` of a body that may have `max_bytes`.
fn allowed(bytes: usize, max_bytes: usize) -> Duration {
    let at_rate = Duration::from_secs(bytes as u64 / MIN_BYTES_PER_SECOND as u64);
    let longest = if max_bytes > input_limits::MAX_BULK_BYTES { UPLOAD_TIMEOUT } else { BODY_TIMEOUT };
    (BODY_GRACE + at_rate).min(longest)
}

/// Returns the refusal after discarding the body: a connection that is closed during the body would
/// lose the response.
async fn discard(head: &Parts, mut body: Body, refused: Response) -> Response {
    // A client that waits for `100 Continue` sends no body.
    if head.headers.contains_key(EXPECT) {
        return refused;
    }
    let rest = async {
        let mut bytes = 0;
        while let Some(Ok(frame)) = body.frame().await {
            bytes += frame.data_ref().map_or(0, Bytes::len);
            if bytes > input_limits::MAX_BULK_BYTES {
                break;
            }
        }
    };
    // A slower client may lose the response.
    let _ = timeout(DISCARD_TIMEOUT, rest).await;
    refused
}

fn too_large(max_bytes: usize) -> Response {
    let text = match max_bytes / (1024 * 1024) {
        0 => format!("the request is larger than {} KiB; log in to send more", max_bytes / 1024),
        mib => format!("the request is larger than {mib} MiB"),
    };
    (StatusCode::PAYLOAD_TOO_LARGE, text).into_response()
}

fn too_slow() -> Response {
    let text = "the body was sent too slowly; send at least 4 KiB a second, within 30 seconds";
    (StatusCode::REQUEST_TIMEOUT, text).into_response()
}

fn too_busy() -> Response {
    let text = "too many requests are being received; nothing was changed, try again in 2 seconds";
    let wait = [(RETRY_AFTER, HeaderValue::from_static("2"))];
    (StatusCode::SERVICE_UNAVAILABLE, wait, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timeout_of_a_body_has_a_grace_a_rate_and_a_maximum() {
        let bulk = input_limits::MAX_BULK_BYTES;
        assert_eq!(allowed(0, bulk), Duration::from_secs(5));
        assert_eq!(allowed(40 * 1024, bulk), Duration::from_secs(15));
        assert_eq!(allowed(bulk, bulk), BODY_TIMEOUT);
        assert_eq!(allowed(20 * 1024 * 1024, 20 * 1024 * 1024), UPLOAD_TIMEOUT);
    }
}
