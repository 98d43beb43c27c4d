//! The engine.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
use domain::{
    Kind,
    engine::{EngineReport, EngineStatus},
};
#[cfg(feature = "ssr")]
use domain::{When, time::Disambiguation};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The engine report. For admins.
#[server(name = ReadEngine, prefix = "/fn", endpoint = "engine", output = JsonOutput)]
pub async fn engine_report() -> Result<EngineReport, Refused> {
    ssr::respond(
        async {
            let (engine, actor) = (ssr::services()?.engine, ssr::actor()?);
            let mut report = engine.report(&actor).await?;
            ssr::fill_issue_messages(&mut report, actor.language);
            if report.hold_since.is_some() {
                let hold = engine.delivery_hold(&actor).await?;
                report.hold_reason =
                    hold.map(|hold| ssr::describe_hold(hold, &actor, report.status.now)).unwrap_or_default();
            }
            Ok(report)
        }
        .await,
    )
}

/// Releases deliveries that are held since a restore. For admins.
#[server(name = ReleaseDeliveryHold, prefix = "/fn", endpoint = "release_delivery_hold", output = JsonOutput)]
pub async fn release_delivery_hold(from: String) -> Result<bool, Refused> {
    ssr::respond(
        async {
            let was_held = ssr::services()?.engine.release_hold(&ssr::actor()?).await?;
            ssr::redirect_back(&with_done(&from, "release-deliveries"));
            Ok(was_held)
        }
        .await,
    )
}

/// Sets the maximum number of tasks of a kind executed at once; an empty `max_concurrency` removes
/// the limit. For admins.
#[server(name = LimitKind, prefix = "/fn", endpoint = "limit_kind", output = JsonOutput)]
pub async fn limit_kind(id: Kind, max_concurrency: String, seen: i32, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let max_concurrency = match max_concurrency.trim() {
                "" => None,
                // Text that is not a number is refused like a number that is too large.
                text => Some(text.parse().unwrap_or(u16::MAX)),
            };
            ssr::services()?
                .engine
                .set_kind_limit(&ssr::actor()?, id, max_concurrency, domain::Version(seen))
                .await?;
            ssr::redirect_back(&with_done(&from, "limit-kind"));
            Ok(())
        }
        .await,
    )
}

/// The end of a pause, as typed.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct PauseEnd {
    /// `YYYY-MM-DD`.
    pub date: String,
    /// `HH:MM`; empty: an admin resumes publishing.
    pub time: String,
    /// IANA time zone.
    pub zone: String,
}

/// Pauses or resumes all publishing. `until`: the end of the pause; not given: an admin resumes
/// publishing. For admins.
#[server(name = PauseEngine, prefix = "/fn", endpoint = "pause_engine", output = JsonOutput)]
pub async fn pause_engine(
    is_paused: bool,
    #[server(default)] until: PauseEnd,
    from: String,
) -> Result<EngineStatus, Refused> {
    ssr::respond(
        async {
            let (engine, actor) = (ssr::services()?.engine, ssr::actor()?);
            let status = match is_paused {
                true => engine.pause(&actor, until.when()).await?,
                false => engine.resume(&actor).await?,
            };
            let done = if is_paused { "pause-engine" } else { "resume-engine" };
            ssr::redirect_back(&with_done(&from, done));
            Ok(status)
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
impl PauseEnd {
    /// Returns the end; `None`: an admin resumes publishing. The first of two equal local times
    /// counts.
    fn when(&self) -> Option<When> {
        let time = self.time.trim();
        (!time.is_empty()).then(|| When::Local {
            local: format!("{}T{time}", self.date.trim()),
            zone: self.zone.clone(),
            disambiguation: Some(Disambiguation::Earlier),
        })
    }
}
