//! The engine indicator, and the banners above every page.

use crate::{
    engine::health_texts::HealthTexts,
    live::{EngineHealth, live},
    shell::{session::visitor, texts::LayoutTexts},
    texts::{language, time},
    ui::{form::select::zone_of_browser, icon::Icon},
};
use domain::health::Severity;
use leptos::prelude::*;

/// Shows whether the engine is running.
#[component]
pub fn EngineIndicator() -> impl IntoView {
    let (live, texts) = (live(), LayoutTexts::here());
    let health = live.engine_health();
    let name = move || match health.get() {
        EngineHealth::Running => "running",
        EngineHealth::Paused => "paused",
        EngineHealth::NotRunning => "not-running",
        EngineHealth::Unknown => "unknown",
        EngineHealth::Overdue => "overdue",
    };
    let word = move || match health.get() {
        EngineHealth::Running => texts.engine_alive(),
        EngineHealth::Paused => texts.engine_is_paused(),
        EngineHealth::NotRunning | EngineHealth::Overdue => texts.engine_is_down(),
        EngineHealth::Unknown => texts.engine_unknown(),
    };
    view! {
        <p class="engine-indicator" data-engine=name>
            <span class="dot" aria-hidden="true"></span>
            <span>{word}</span>
        </p>
    }
}

/// Banners: connection lost, engine not running, overdue or paused, or another health issue.
#[component]
pub fn Banners() -> impl IntoView {
    let (live, texts, language) = (live(), LayoutTexts::here(), language());
    let (engine, lost_since) = (live.engine_health(), live.lost_since());
    // In steps of 5 s, so that a screen reader does not announce it every second.
    let silence = Memo::new(move |_| {
        let beat_at = live.heartbeat().with(|beat| beat.heartbeat_at);
        let seconds = live.heartbeat().with(|beat| beat.now).since(beat_at) / 1_000;
        time::span(language, (seconds / 5 * 5).max(4))
    });
    let issue = Memo::new(move |_| live.heartbeat().with(|beat| beat.issue));
    let (health_texts, is_admin) = (HealthTexts::here(), visitor().is_admin());
    let banner = move || match (engine.get(), issue.get()) {
        // The last known state may be outdated.
        (EngineHealth::Unknown, _) => None,
        (_, Some(issue)) if issue.severity() == Severity::Blocking => {
            Some(("banner critical", health_texts.summary(issue).to_owned()))
        }
        (EngineHealth::NotRunning, _) => Some(("banner critical", texts.engine_silent(silence.get()))),
        (EngineHealth::Overdue, _) => Some(("banner critical", texts.engine_behind().to_owned())),
        (EngineHealth::Paused, _) => Some(("banner", texts.engine_paused().to_owned())),
        // Without Redis, publishing continues. Only admins need to know.
        (EngineHealth::Running, Some(issue)) if is_admin => {
            Some(("banner", health_texts.summary(issue).to_owned()))
        }
        (EngineHealth::Running, _) => None,
    };
    view! {
        <div class="banners" role="status">
            {move || lost_since.get().map(|(hour, minute)| view! {
                <p class="banner" data-banner="stale">
                    <Icon name="attention" />{texts.offline_since(local_time(hour, minute))}
                </p>
            })}
            {move || {
                banner().map(|(class, text)| {
                    view! { <p class=class data-banner="engine"><Icon name="attention" />{text}</p> }
                })
            }}
        </div>
    }
}

/// `22:02 Berlin`: a time of this device's clock, with the name of its time zone.
fn local_time(hour: u32, minute: u32) -> String {
    let zone = zone_of_browser().map(|zone| format!(" {}", time::place(&zone)));
    format!("{hour:02}:{minute:02}{}", zone.unwrap_or_default())
}
