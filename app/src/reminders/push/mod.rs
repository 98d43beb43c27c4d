//! Push messages: the switch for this browser, and the list of the user's browsers.

pub mod server_fns;

use crate::{
    live::live_resource,
    session::visitor,
    ui::{async_view::AsyncView, form::PlainForm, time::date_time::DateTime},
};
use domain::push::{PushDevice, PushDevices};
use leptos::prelude::*;
use server_fn::ServerFn;
use server_fns::{RemovePushDevice, push_devices};
use texts::reminders::push::PushTexts;

/// The script of the switch. It runs on every page, and binds the switch when there is one.
pub const SCRIPT: &str = include_str!("push.js");

/// The section of the page of notifications.
#[component]
pub fn PushSection() -> impl IntoView {
    let texts = PushTexts::here();
    let own = visitor().account.map(|account| account.id.0);
    let read = live_resource(
        move |change| change.entity == "account" && Some(change.entity_id) == own,
        || (),
        |()| push_devices(),
    );
    view! {
        <section class="panel">
            <header><h2>{texts.title()}</h2></header>
            <AsyncView from=read children=move |devices| view! { <Devices devices=devices /> } />
        </section>
    }
}

#[component]
fn Devices(devices: Signal<PushDevices>) -> impl IntoView {
    let key = devices.with_untracked(|devices| devices.public_key.clone());
    let items = Memo::new(move |_| devices.with(|devices| devices.items.clone()));
    view! {
        <Switch key=key />
        <ul class="session-list">
            {move || items.get().into_iter().map(|one| view! { <Device one=one /> }).collect_view()}
        </ul>
    }
}

/// Texts and buttons of all states. The script shows those of the current one.
#[component]
fn Switch(key: String) -> impl IntoView {
    let texts = PushTexts::here();
    view! {
        <div id="push-switch" class="stack" role="status" data-key=key>
            <p class="hint" data-push="none">{texts.needs_script()}</p>
            <p class="hint" data-push="unsupported" hidden=true>{texts.unsupported()}</p>
            <p class="hint" data-push="blocked" hidden=true>{texts.blocked()}</p>
            <p data-push="off" hidden=true>
                <button class="button" type="button" data-do="on">{texts.turn_on()}</button>
            </p>
            <p data-push="on" hidden=true>
                {texts.is_on()} " "
                <button class="button" type="button" data-do="off">{texts.turn_off()}</button>
            </p>
            <p data-push="error" hidden=true>
                {texts.failed()} " "
                <button class="button" type="button" data-do="on">{texts.try_again()}</button>
            </p>
        </div>
    }
}

#[component]
fn Device(one: PushDevice) -> impl IntoView {
    let texts = PushTexts::here();
    let label = texts.remove_of(&one.agent);
    let used = one.used.map(|at| view! { " · " {texts.last_sent()} " " <DateTime at=at /> });
    let failed = one.failed.map(|at| view! { " · " {texts.last_failed()} " " <DateTime at=at /> });
    view! {
        <li class="session-row" data-endpoint=one.endpoint>
            <span class="session-agent" dir="auto">{one.agent}</span>
            <span class="muted">{texts.added()} " " <DateTime at=one.created /> {used} {failed}</span>
            <PlainForm function=RemovePushDevice::PATH about=one.id.to_string() class="inline">
                <input type="hidden" name="id" value=one.id.to_string() />
                <button class="button small" type="submit" aria-label=label>{texts.remove()}</button>
            </PlainForm>
        </li>
    }
}
