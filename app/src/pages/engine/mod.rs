//! The machine room, for admins: lag, throughput, loops, what it stands on, and the big switch.

mod held;
mod kinds;
mod lag;
mod nodes;
mod parts;
mod promises;
mod throughput;

use crate::{
    calls::engine::{PauseEngine, engine_report},
    components::{head::Head, icon::Icon, loaded::Loaded, settings_menu::AdminsOnly},
    form::Form,
    live::{follow, live},
    visitor::visitor,
    words::{engine::EngineWords, number::counted, task::TaskWords},
};
use domain::{
    State,
    engine::{EngineReport, Totals},
};
use held::Held;
use kinds::Kinds;
use lag::LagPanel;
use leptos::prelude::*;
use nodes::Nodes;
use parts::{Counts, Loops, Parts};
use promises::PromiseSheet;
use throughput::{Stages, Throughput};

/// How often the page reads the engine again, in milliseconds: its loops and counters are no events.
const EVERY_MS: i64 = 2_000;

/// The page.
#[component]
pub fn Engine() -> impl IntoView {
    let words = EngineWords::here();
    let inside = if visitor().is_admin() {
        view! { <Inside /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <Head title=words.title().to_owned() />
        {inside}
    }
}

#[component]
fn Inside() -> impl IntoView {
    let now = live().now();
    let turn = Memo::new(move |_| now.get().millis() / EVERY_MS);
    let read = follow(
        |change| matches!(change.entity.as_str(), "engine" | "node"),
        move || turn.get(),
        |_| engine_report(),
    );
    view! { <Loaded from=read children=|report| view! { <Room report=report /> } /> }
}

#[component]
fn Room(report: Signal<EngineReport>) -> impl IntoView {
    let words = EngineWords::here();
    let is_paused = Memo::new(move |_| report.with(|report| report.heartbeat.is_paused));
    view! {
        <div class="engine-grid">
            <Held report=report />
            <section class="panel whole"><Switch is_paused=is_paused /></section>
            <PromiseSheet report=report />
            <LagPanel report=report />
            <Throughput report=report />
            <Stages report=report />
            <Nodes report=report />
            <Loops report=report />
            <Kinds report=report />
            <Parts report=report />
            <Counts report=report />
            <section class="panel" aria-labelledby="totals">
                <header><h2 id="totals">{words.totals_title()}</h2></header>
                {move || total_figures(report.with(|report| report.totals))}
            </section>
        </div>
    }
}

/// Stops everything, or lets it go on.
#[component]
fn Switch(is_paused: Memo<bool>) -> impl IntoView {
    let words = EngineWords::here();
    let action = ServerAction::<PauseEngine>::new();
    view! {
        <Form action=action class="tight">
            <input type="hidden" name="is_paused" value=move || (!is_paused.get()).to_string() />
            <button class="button" type="submit">
                {move || view! { <Icon name=if is_paused.get() { "play" } else { "pause" } /> }}
                {move || if is_paused.get() { words.resume() } else { words.pause() }}
            </button>
            <span class="why">{move || if is_paused.get() { words.paused() } else { words.pause_hint() }}</span>
        </Form>
    }
}

/// Numbers with their names.
fn figures(all: Vec<(&'static str, String)>) -> impl IntoView {
    let all: Vec<_> =
        all.into_iter().map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> }).collect();
    view! { <dl class="figures">{all}</dl> }
}

fn total_figures(totals: Totals) -> impl IntoView {
    let words = TaskWords::here();
    figures(vec![
        (words.state_of(State::Scheduled), counted(totals.scheduled)),
        (words.state_of(State::Executed), counted(totals.executed)),
        (words.state_of(State::Failed), counted(totals.failed)),
        (words.state_of(State::Missed), counted(totals.missed)),
        (words.state_of(State::Cancelled), counted(totals.cancelled)),
    ])
}
