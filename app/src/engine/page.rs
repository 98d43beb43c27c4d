//! `/engine`: the verdict, what is wrong, pause, and folded details. For admins.

use crate::{
    engine::{
        delivery_hold::HoldPanel,
        details::{
            audit::Guarantees,
            backups::Backups,
            dependencies::{Dependencies, Loops},
            kinds::Kinds,
            lateness::LatenessSection,
            nodes::Nodes,
            throughput::Throughput,
        },
        pause::PauseSwitch,
        server_fns::engine_report,
        verdict::{Problems, Verdict},
    },
    live::{live, live_resource},
    session::visitor,
    ui::{
        async_view::AsyncView,
        page::{header::PageHeader, settings_menu::AdminsOnly},
    },
};
use domain::engine::EngineReport;
use leptos::prelude::*;
use texts::engine::EngineTexts;

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
    view! {
        <div class="engine-page">
            <Verdict report=report />
            <Problems report=report />
            <HoldPanel report=report />
            <PauseSwitch report=report />
            <div class="folds">
                <LatenessSection report=report />
                <Throughput report=report />
                <Nodes report=report />
                <Loops report=report />
                <Dependencies report=report />
                <Guarantees report=report />
                <Backups report=report />
                <Kinds report=report />
            </div>
        </div>
    }
}
