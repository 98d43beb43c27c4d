//! The machine room.

#[cfg(feature = "ssr")]
use super::ssr;
use super::{Refused, Told};
use domain::{
    Kind,
    engine::{EngineReport, Heartbeat},
};
use leptos::prelude::*;

/// All the engine knows of itself. Admins.
#[server(name = ReadEngine, prefix = "/fn", endpoint = "engine", output = Told)]
pub async fn engine_report() -> Result<EngineReport, Refused> {
    ssr::answer(
        async {
            let (engine, actor) = (ssr::desk()?.engine, ssr::actor()?);
            let mut report = engine.report(&actor).await?;
            ssr::say(&mut report, actor.language);
            if report.held_since.is_some() {
                let held = engine.held(&actor).await?;
                report.why_held =
                    held.map(|held| ssr::why_held(held, &actor, report.heartbeat.now)).unwrap_or_default();
            }
            Ok(report)
        }
        .await,
    )
}

/// Lets messages go out that are held since a backup was restored. Admins.
#[server(name = ConfirmRestore, prefix = "/fn", endpoint = "confirm_restore", output = Told)]
pub async fn confirm_restore(from: String) -> Result<bool, Refused> {
    ssr::answer(
        async {
            let was_held = ssr::desk()?.engine.confirm_restore(&ssr::actor()?).await?;
            ssr::go_back(&from);
            Ok(was_held)
        }
        .await,
    )
}

/// Limits how many tasks of a kind are executed at once; `at_once` empty: as many as there are. Admins.
#[server(name = LimitKind, prefix = "/fn", endpoint = "limit_kind", output = Told)]
pub async fn limit_kind(id: Kind, at_once: String, seen: i32, from: String) -> Result<(), Refused> {
    ssr::answer(
        async {
            let at_once = match at_once.trim() {
                "" => None,
                // What is no number at all is as wrong as one that is too large.
                text => Some(text.parse().unwrap_or(u16::MAX)),
            };
            ssr::desk()?.engine.limit(&ssr::actor()?, id, at_once, domain::Version(seen)).await?;
            ssr::go_back(&from);
            Ok(())
        }
        .await,
    )
}

/// Stops the publishing of everything, or lets it go on. Admins.
#[server(name = PauseEngine, prefix = "/fn", endpoint = "pause_engine", output = Told)]
pub async fn pause_engine(is_paused: bool, from: String) -> Result<Heartbeat, Refused> {
    ssr::answer(
        async {
            let heartbeat = ssr::desk()?.engine.pause(&ssr::actor()?, is_paused).await?;
            ssr::go_back(&from);
            Ok(heartbeat)
        }
        .await,
    )
}
