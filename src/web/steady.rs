//! Requests are read whole, then handled to their end, whether or not the client waits for the answer.
//!
//! hyper drops a handler when its client leaves; a dropped transaction can take other requests' writes with it (protocol §10).
//! So the body is read first (nothing is lost if the client leaves then), and the handling is a task of its own. Who sends it,
//! and so how much may be read, is known from the head (`admission`).

use super::{
    Web,
    admission::{self, Admitted},
    characters,
    limits::budget::Held,
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
use domain::{Refusal, limit};
use http_body::Body as _;
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// The longest a client may take to send a body.
const BODY_WAIT: Duration = Duration::from_secs(30);
/// How long a body may take before it must have come at [`BYTES_PER_SECOND`].
const BODY_GRACE: Duration = Duration::from_secs(5);
/// The slowest average at which a body may come.
const BYTES_PER_SECOND: usize = 4 * 1024;
/// How long the rest of a refused body is thrown away, so that its sender reads the refusal.
const DISCARD_WAIT: Duration = Duration::from_secs(2);
/// Most bytes of all header lines together.
const HEADER_BYTES: usize = 16 * 1024;

/// Reads and handles every request of `router` as the module describes.
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
    let (body, held) = match read(body, &admitted).await {
        Ok(read) => read,
        Err((refused, rest)) => return discard(&head, rest, refused).await,
    };
    if let Err(refusal) = check(&web, &head, &body, &admitted) {
        return admission::refuse(&head, &refusal);
    }
    let request = Request::from_parts(head, Body::from(body));
    finish(async move {
        let answer = next.run(request).await;
        drop(held);
        answer
    })
    .await
}

/// What is refused from the head alone.
async fn admit<'u>(web: &'u Web, head: &mut Parts, has_body: bool) -> Result<Admitted<'u>, Response> {
    let header_bytes: usize =
        head.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if header_bytes + head.uri.path().len() + head.uri.query().map_or(0, str::len) > HEADER_BYTES {
        let text = "the address and headers of the request are larger than 16 KiB";
        return Err((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, text).into_response());
    }
    let admitted = match characters::of_address(&head.uri) {
        Ok(()) => admission::admit(web, head, has_body).await,
        Err(refusal) => Err(refusal),
    };
    let admitted = admitted.map_err(|refusal| admission::refuse(head, &refusal))?;
    let announced =
        head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    match announced {
        Some(bytes) if bytes > admitted.most as u64 => Err(too_large(admitted.most)),
        _ => Ok(admitted),
    }
}

/// What is refused once the body is there.
fn check(web: &Web, head: &Parts, body: &Bytes, admitted: &Admitted<'_>) -> Result<(), Refusal> {
    match head.uri.path() {
        path if path.starts_with("/api/") => characters::of_json(body)?,
        path if path.starts_with("/fn/") => characters::of_form(body)?,
        _ => {}
    }
    match admitted.writer {
        Some(person) if !body.is_empty() => web.usage.write(person, body.len()),
        _ => Ok(()),
    }
}

/// Runs to its end even if the caller is dropped, but rendering for the caller alone ends then; a panic becomes a 500 with a reference.
pub async fn finish(work: impl Future<Output = Response> + Send + 'static) -> Response {
    let client = CancellationToken::new();
    let _leaves = client.clone().drop_guard();
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where handling outlives its client; the handle is awaited"
    )]
    let handle = tokio::spawn(with_client(client.clone(), work));
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

/// Reads a body within the budget of its sender. An error comes with the body, of which more may follow.
async fn read(mut body: Body, admitted: &Admitted<'_>) -> Result<(Bytes, Held), (Response, Body)> {
    let (mut whole, mut held) = (Vec::<u8>::new(), admitted.budget.hold());
    let mut begun = Instant::now();
    loop {
        let frame = match timeout_at(begun + allowed(whole.len()), body.frame()).await {
            Ok(None) => return Ok((whole.into(), held)),
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(_))) => {
                let text = "the request ended too early";
                return Err(((StatusCode::BAD_REQUEST, text).into_response(), Body::empty()));
            }
            Err(_) => return Err((too_slow(), Body::empty())),
        };
        let Some(data) = frame.data_ref() else { continue };
        if whole.len() + data.len() > admitted.most {
            return Err((too_large(admitted.most), body));
        }
        let asked = Instant::now();
        if held.grow(whole.len() + data.len()).await.is_err() {
            return Err((too_busy(), body));
        }
        // The client is not to blame for the time that it waited for others.
        begun += asked.elapsed();
        whole.extend_from_slice(data);
    }
}

/// How long the first so many bytes of a body may take.
fn allowed(bytes: usize) -> Duration {
    let at_rate = Duration::from_secs(bytes as u64 / BYTES_PER_SECOND as u64);
    (BODY_GRACE + at_rate).min(BODY_WAIT)
}

/// The refusal, once its sender can read it: a connection that is closed amid a body takes its answer with it.
async fn discard(head: &Parts, mut body: Body, refused: Response) -> Response {
    // Who asks before sending sends nothing.
    if head.headers.contains_key(EXPECT) {
        return refused;
    }
    let rest = async {
        let mut bytes = 0;
        while let Some(Ok(frame)) = body.frame().await {
            bytes += frame.data_ref().map_or(0, Bytes::len);
            if bytes > limit::BULK_BYTES {
                break;
            }
        }
    };
    // A sender that is slower than this may lose the refusal.
    let _ = timeout(DISCARD_WAIT, rest).await;
    refused
}

fn too_large(most: usize) -> Response {
    let text = match most / (1024 * 1024) {
        0 => format!("the request is larger than {} KiB; log in to send more", most / 1024),
        mib => format!("the request is larger than {mib} MiB"),
    };
    (StatusCode::PAYLOAD_TOO_LARGE, text).into_response()
}

fn too_slow() -> Response {
    let text = "the request came too slowly: it must come at 4 KiB a second and within 30 seconds";
    (StatusCode::REQUEST_TIMEOUT, text).into_response()
}

fn too_busy() -> Response {
    let text = "too much is being sent to this server at once; nothing was changed, try again in 2 seconds";
    let wait = [(RETRY_AFTER, HeaderValue::from_static("2"))];
    (StatusCode::SERVICE_UNAVAILABLE, wait, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_a_grace_a_rate_and_an_end() {
        assert_eq!(allowed(0), Duration::from_secs(5));
        assert_eq!(allowed(40 * 1024), Duration::from_secs(15));
        assert_eq!(allowed(limit::BULK_BYTES), BODY_WAIT);
    }
}
