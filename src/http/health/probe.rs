//! Probe for `presstime doctor`: says which desk answers, and shows whether a proxy buffers streams.

use crate::{http::Web, services::hex::sha256};
use axum::{
    http::{HeaderName, StatusCode},
    response::{
        IntoResponse as _, Response,
        sse::{Event, Sse},
    },
};
use futures::stream::{self, StreamExt as _};
use serde::Deserialize;
use std::{convert::Infallible, future::ready, time::Duration};
use store::{PoolRole, StoreError, db_identity};
use uuid::Uuid;

/// Time between the two events. A proxy that buffers delivers them together.
pub const PAUSE: Duration = Duration::from_secs(1);
/// Maximum length of a challenge, in bytes.
const MAX_CHALLENGE_BYTES: usize = 64;

/// What a probe asks.
#[derive(Debug, Default, Deserialize)]
pub struct ProbeQuery {
    /// A random text; `None`: no probe.
    pub(super) challenge: Option<String>,
}

/// Returns the answer of a desk to a challenge. Its id cannot be computed from it.
#[must_use]
pub fn identity(desk: Uuid, challenge: &str) -> String {
    sha256(format!("{desk} {challenge}").as_bytes())
}

/// Answers as the live stream does: with the event `desk`, and after [`PAUSE`] with the event `end`.
pub(super) async fn answer(web: &Web, challenge: &str) -> Response {
    if challenge.len() > MAX_CHALLENGE_BYTES {
        return (StatusCode::BAD_REQUEST, "a challenge has at most 64 bytes").into_response();
    }
    let text = match desk_id(web).await {
        Ok(desk) => identity(desk, challenge),
        Err(error) => {
            tracing::debug!("the id of the desk was not read: {error:?}");
            "unknown".to_owned()
        }
    };
    let first = Event::default().event("desk").data(text);
    let last = async {
        tokio::time::sleep(PAUSE).await;
        Ok(Event::default().event("end").data("end"))
    };
    let events = stream::once(ready(Ok::<_, Infallible>(first))).chain(stream::once(last));
    ([(HeaderName::from_static("x-accel-buffering"), "no")], Sse::new(events)).into_response()
}

/// Returns the id of the desk; the first probe creates it.
async fn desk_id(web: &Web) -> Result<Uuid, StoreError> {
    let store = &web.parts.store;
    if let Some(known) = db_identity::find_desk_id(store.read(PoolRole::Web).await?.conn()).await? {
        return Ok(known);
    }
    db_identity::desk_id(store).await
}
