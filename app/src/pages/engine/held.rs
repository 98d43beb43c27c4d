//! Messages wait for an admin's word: after a restore, or where a database server took over that lacks something.

use crate::{calls::engine::ConfirmRestore, components::icon::Icon, form::Form, words::engine::EngineWords};
use domain::engine::EngineReport;
use leptos::prelude::*;

/// Why they wait, and the word that lets them go; nothing while they go out.
#[component]
pub fn Held(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let held = Memo::new(move |_| report.with(|report| report.why_held.clone()));
    move || {
        let why = Some(held.get()).filter(|why| !why.is_empty())?;
        Some(view! { <section class="panel whole" aria-labelledby="held">{inside(why)}</section> })
    }
}

fn inside(why: String) -> impl IntoView {
    let words = EngineWords::here();
    let action = ServerAction::<ConfirmRestore>::new();
    view! {
        <header><h2 id="held">{words.held_title()}</h2></header>
        <p class="notice warn lines">{why}</p>
        <Form action=action class="tight">
            <button class="button" type="submit"><Icon name="play" />{words.held_release()}</button>
        </Form>
    }
}
