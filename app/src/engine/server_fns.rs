//! The engine.

#[cfg(feature = "ssr")]
use crate::engine::backup_result;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr, time_of_form::local_time};
use domain::{
    Kind,
    engine::{EngineReport, EngineStatus, backups::BackupState},
    rate::RatePeriod,
};
#[cfg(feature = "ssr")]
use domain::{Version, kind::KindEdit};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The engine report. For admins.
#[server(name = ReadEngine, prefix = "/fn", endpoint = "engine", output = JsonOutput)]
pub async fn engine_report() -> Result<EngineReport, Refused> {
    ssr::respond(
        async {
            let (engine, actor) = (ssr::services()?.engine, ssr::actor()?);
            let mut report = engine.report(&actor).await?;
            texts::engine::health::fill_issue_messages(&mut report, actor.language);
            if report.hold_since.is_some() {
                let hold = engine.delivery_hold(&actor).await?;
                report.hold_reason = hold
                    .map(|hold| texts::deliveries::hold::describe_hold(hold, &actor, report.status.now))
                    .unwrap_or_default();
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

/// Writes a backup now, and answers when it is written. For admins.
#[server(name = BackUpNow, prefix = "/fn", endpoint = "back_up_now", output = JsonOutput)]
pub async fn back_up_now(from: String) -> Result<BackupState, Refused> {
    ssr::respond(
        async {
            let run = ssr::services()?.engine.back_up_now(&ssr::actor()?).await?;
            ssr::redirect_back(&with_done(&from, backup_result::url_value(run.state)));
            Ok(run.state)
        }
        .await,
    )
}

/// The settings of a kind as its form submits them. `None`: it stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindFields {
    /// Maximum number of tasks executed at once; empty: no limit.
    pub max_concurrency: String,
    /// How late new tasks may be executed; empty: the default.
    #[serde(default)]
    pub grace_minutes: Option<String>,
    /// Maximum number of executions that start in a period; empty: no limit.
    #[serde(default)]
    pub rate: Option<String>,
    /// That period.
    #[serde(default)]
    pub rate_per: Option<RatePeriod>,
    /// Delays after executions that failed; empty: the default.
    #[serde(default)]
    pub retry_schedule: Option<String>,
}

/// Returns the change. Text that is not a number is refused like a number that is too large.
#[cfg(feature = "ssr")]
fn edit_of(fields: KindFields) -> KindEdit {
    let KindFields { max_concurrency, grace_minutes, rate, rate_per, retry_schedule } = fields;
    let max_concurrency = match max_concurrency.trim() {
        "" => None,
        text => Some(text.parse().unwrap_or(u16::MAX)),
    };
    let grace_ms = grace_minutes.map(|minutes| match minutes.trim() {
        "" => 0,
        text => text.parse::<i32>().map_or(-1, |minutes| i64::from(minutes) * 60_000),
    });
    let rate = rate.map(|rate| match rate.trim() {
        "" => 0,
        // 0 is no number of executions: only an empty field is no limit.
        text => text.parse::<u16>().ok().filter(|rate| *rate != 0).unwrap_or(u16::MAX),
    });
    KindEdit { max_concurrency, grace_ms, rate, rate_per, retry_schedule }
}

/// Changes the settings of a kind. For admins.
#[server(name = LimitKind, prefix = "/fn", endpoint = "limit_kind", output = JsonOutput)]
pub async fn limit_kind(
    id: Kind,
    #[server(flatten)] fields: KindFields,
    seen: i32,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (engine, actor) = (ssr::services()?.engine, ssr::actor()?);
            engine.set_kind_limit(&actor, id, edit_of(fields), Version(seen)).await?;
            ssr::redirect_back(&with_done(&from, "limit-kind"));
            Ok(())
        }
        .await,
    )
}

/// Pauses or resumes all publishing. `date`, `time`, `zone`, `which`: the end of the pause, see
/// [`local_time`]; without a time, an admin resumes publishing. For admins.
#[server(name = PauseEngine, prefix = "/fn", endpoint = "pause_engine", output = JsonOutput)]
pub async fn pause_engine(
    is_paused: bool,
    #[server(default)] date: String,
    #[server(default)] time: String,
    #[server(default)] zone: String,
    #[server(default)] which: String,
    from: String,
) -> Result<EngineStatus, Refused> {
    ssr::respond(
        async {
            let (engine, actor) = (ssr::services()?.engine, ssr::actor()?);
            let until = (!time.trim().is_empty()).then(|| local_time(&date, &time, &zone, &which));
            let status = match is_paused {
                true => engine.pause(&actor, until).await?,
                false => engine.resume(&actor).await?,
            };
            let done = if is_paused { "pause-engine" } else { "resume-engine" };
            ssr::redirect_back(&with_done(&from, done));
            Ok(status)
        }
        .await,
    )
}
