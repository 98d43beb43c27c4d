//! Messages wait for an admin's word: after a restore, or where a database server took over that lacks something.

use crate::{
    calls::engine::ConfirmRestore,
    components::icon::Icon,
    form::Form,
    words::{engine::EngineWords, held::HeldWords},
};
use domain::engine::EngineReport;
use leptos::prelude::*;

/// Why they wait, and the word that lets them go; nothing while they go out.
#[component]
pub fn Held(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let held = Memo::new(move |_| report.with(|report| report.held_since.map(|_| report.lacks.clone())));
    move || {
        let inside = held.get().map(inside)?;
        Some(view! { <section class="panel whole" aria-labelledby="held">{inside}</section> })
    }
}

fn inside(lacks: Vec<String>) -> impl IntoView {
    let (words, gap) = (EngineWords::here(), HeldWords::here());
    let action = ServerAction::<ConfirmRestore>::new();
    let (title, why, release) = match lacks.is_empty() {
        true => (words.held_title(), words.held(), words.held_release()),
        false => (gap.title(), gap.why(), gap.release()),
    };
    view! {
        <header><h2 id="held">{title}</h2></header>
        <p class="notice warn">{why}</p>
        <ul>{lacks.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
        <Form action=action class="tight">
            <button class="button" type="submit"><Icon name="play" />{release}</button>
        </Form>
    }
}
