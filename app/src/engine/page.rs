//! `/engine`: lateness, throughput, loops, dependencies, and pause. For admins.

use crate::{
    engine::{
        audit::AuditPanel,
        delivery_hold::HoldPanel,
        dependencies::{Dependencies, HintCounts, Loops},
        figures::figures,
        kinds::Kinds,
        lateness::LatenessPanel,
        nodes::Nodes,
        server_fns::{PauseEngine, engine_report},
        texts::EngineTexts,
        throughput::{Stages, Throughput},
    },
    live::{live, live_resource},
    shell::{session::visitor, settings_menu::AdminsOnly},
    tasks::texts::TaskTexts,
    texts::number::counted,
    ui::{async_view::AsyncView, form::Form, icon::Icon, page_header::PageHeader},
};
use domain::{
    State,
    engine::{EngineReport, Totals},
};
use leptos::prelude::*;

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
