//! Messages wait for an admin's word: after a restore, or where a database server took over that lacks something.

use crate::{
    calls::engine::ConfirmRestore,
    components::icon::Icon,
    form::Form,
    live::live,
    visitor::visitor,
    words::{engine::EngineWords, held::HeldWords, language, number::grouped, time, verb},
};
use domain::engine::{EngineReport, Gap, GapLine, Held as Why};
use leptos::prelude::*;

/// Why they wait, and the word that lets them go; nothing while they go out.
#[component]
pub fn Held(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let held = Memo::new(move |_| report.with(|report| report.held.clone()));
    move || {
        let inside = held.get().map(inside)?;
        Some(view! { <section class="panel whole" aria-labelledby="held">{inside}</section> })
    }
}

fn inside(held: Why) -> impl IntoView {
    let (words, lacks) = (EngineWords::here(), HeldWords::here());
    let action = ServerAction::<ConfirmRestore>::new();
    let (title, why, release) = match held.gaps.is_empty() {
        true => (words.held_title(), words.held(), words.held_release()),
        false => (lacks.title(), lacks.why(), lacks.release()),
    };
    view! {
        <header><h2 id="held">{title}</h2></header>
        <p class="notice warn">{why}</p>
        {held.gaps.into_iter().map(shown).collect_view()}
        <Form action=action class="tight">
            <button class="button" type="submit"><Icon name="play" />{release}</button>
        </Form>
    }
}

/// What one node was told is saved and is not there.
fn shown(gap: Gap) -> impl IntoView {
    let (words, language, now) = (HeldWords::here(), language(), live().now().get_untracked());
    let moment = |at| time::moment(language, at, visitor().zone(), now);
    let row = |line: &GapLine| {
        let (who, did) = (verb::actor(language, &line.actor), verb::verb(language, &line.verb));
        let id = line.id.to_string();
        let text = format!("{}: {who} {did} ({} {})", moment(line.at), line.entity, &id[..8]);
        view! { <li>{text}</li> }
    };
    let (count, named) = (grouped(gap.lost), gap.lines.len());
    let told = words.told(gap.node, count, moment(gap.from), moment(gap.until), named);
    view! {
        <p>{told}</p>
        <ul class="scroll">{gap.lines.iter().map(row).collect_view()}</ul>
    }
}
