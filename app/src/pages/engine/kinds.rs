//! How many tasks of each kind may be executed at once, and the forms that change it.

use crate::{
    calls::engine::LimitKind,
    components::field::Field,
    form::{PlainForm, answer_of},
    words::{account::AccountWords, engine::EngineWords, task::TaskWords},
};
use domain::{engine::EngineReport, kind::KindLimit};
use leptos::prelude::*;
use server_fn::ServerFn;

/// One small form a kind. Plain forms: this is changed once in a while.
#[component]
pub fn Kinds(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let limits = Memo::new(move |_| report.with(|report| report.limits.clone()));
    let forms = move || limits.get().into_iter().map(|limit| view! { <One limit=limit /> }).collect_view();
    view! {
        <section class="panel" aria-labelledby="kinds">
            <header><h2 id="kinds">{words.kinds_title()}</h2></header>
            <p class="hint">{words.kinds_hint()}</p>
            {forms}
        </section>
    }
}

#[component]
fn One(limit: KindLimit) -> impl IntoView {
    let kind = limit.kind.as_str();
    let was = limit.at_once.map(|most| most.to_string()).unwrap_or_default();
    let typed =
        answer_of(LimitKind::PATH, Some(kind)).and_then(|answer| answer.typed("at_once").map(str::to_owned));
    view! {
        <PlainForm function=LimitKind::PATH about=kind class="tight">
            <input type="hidden" name="id" value=kind />
            <input type="hidden" name="seen" value=limit.version.0 />
            <Field
                name="at_once" id=format!("at-once-{kind}") kind="number" is_optional=true
                label=TaskWords::here().kind(limit.kind) value=typed.unwrap_or(was)
            />
            <button class="button" type="submit">{AccountWords::here().save()}</button>
        </PlainForm>
    }
}
