//! `/engine`: lateness, throughput, loops, dependencies, and pause. For admins.

mod audit;
mod delivery_hold;
mod dependencies;
mod kinds;
mod lateness;
mod nodes;
mod throughput;

use crate::{
    components::{async_view::AsyncView, icon::Icon, page_header::PageHeader, settings_menu::AdminsOnly},
    form::Form,
    live::{live, live_resource},
    server_fns::engine::{PauseEngine, engine_report},
    session::visitor,
    texts::{engine::EngineTexts, number::counted, task::TaskTexts},
};
use audit::AuditPanel;
use delivery_hold::HoldPanel;
use dependencies::{Dependencies, HintCounts, Loops};
use domain::{
    State,
    engine::{EngineReport, Totals},
};
use kinds::Kinds;
use lateness::LatenessPanel;
use leptos::prelude::*;
use nodes::Nodes;
use throughput::{Stages, Throughput};

/// Interval of fetching the engine report, in milliseconds: loops and counters cause no events.
const REFRESH_INTERVAL_MS: i64 = 2_000;

/// The page.
#[component]
pub fn Engine() -> impl IntoView {
    let texts = EngineTexts::here();
    let content = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <PageHeader title=texts.title().to_owned() />
        {content}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let now = live().now();
    let turn = Memo::new(move |_| now.get().millis() / REFRESH_INTERVAL_MS);
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "engine" | "node"),
        move || turn.get(),
        |_| engine_report(),
    );
    view! { <AsyncView from=read children=|report| view! { <Panels report=report /> } /> }
}

#[component]
fn Panels(report: Signal<EngineReport>) -> impl IntoView {
    let texts = EngineTexts::here();
    let is_paused = Memo::new(move |_| report.with(|report| report.status.is_paused));
    view! {
        <div class="engine-grid">
            <HoldPanel report=report />
            <section class="panel full-width"><PauseSwitch is_paused=is_paused /></section>
            <AuditPanel report=report />
            <LatenessPanel report=report />
            <Throughput report=report />
            <Stages report=report />
            <Nodes report=report />
            <Loops report=report />
            <Kinds report=report />
            <Dependencies report=report />
            <HintCounts report=report />
            <section class="panel" aria-labelledby="totals">
                <header><h2 id="totals">{texts.totals_title()}</h2></header>
                {move || total_figures(report.with(|report| report.totals))}
            </section>
        </div>
    }
}

/// Pauses or resumes all publishing.
#[component]
fn PauseSwitch(is_paused: Memo<bool>) -> impl IntoView {
    let texts = EngineTexts::here();
    let action = ServerAction::<PauseEngine>::new();
    view! {
        <Form action=action class="inline">
            <input type="hidden" name="is_paused" value=move || (!is_paused.get()).to_string() />
            <button class="button" type="submit">
                {move || view! { <Icon name=if is_paused.get() { "play" } else { "pause" } /> }}
                {move || if is_paused.get() { texts.resume() } else { texts.pause() }}
            </button>
            <span class="why">{move || if is_paused.get() { texts.paused() } else { texts.pause_hint() }}</span>
        </Form>
    }
}

/// A list of labelled figures.
fn figures(all: Vec<(&'static str, String)>) -> impl IntoView {
    let all: Vec<_> =
        all.into_iter().map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> }).collect();
    view! { <dl class="figures">{all}</dl> }
}

fn total_figures(totals: Totals) -> impl IntoView {
    let texts = TaskTexts::here();
    figures(vec![
        (texts.state_of(State::Scheduled), counted(totals.scheduled)),
        (texts.state_of(State::Executed), counted(totals.executed)),
        (texts.state_of(State::Failed), counted(totals.failed)),
        (texts.state_of(State::Missed), counted(totals.missed)),
        (texts.state_of(State::Cancelled), counted(totals.cancelled)),
    ])
}
