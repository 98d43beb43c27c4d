//! Concurrency limits of the task kinds, and the forms that change them.

use super::section::Section;
use crate::{
    engine::server_fns::LimitKind,
    ui::form::{PlainForm, field::Field, result_of},
};
use domain::{engine::EngineReport, kind::KindLimit};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{accounts::AccountTexts, engine::EngineTexts, tasks::TaskTexts};

/// One form per kind. Plain forms, because the limits rarely change.
#[component]
pub fn Kinds(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let limits = Memo::new(move |_| report.with(|report| report.limits.clone()));
    let forms =
        move || limits.get().into_iter().map(|limit| view! { <KindForm limit=limit /> }).collect_view();
    let set =
        move || limits.with(|limits| limits.iter().filter(|limit| limit.max_concurrency.is_some()).count());
    let summary = Signal::derive(move || match set() {
        0 => texts.no_limits().to_owned(),
        count => texts.limits_set(count),
    });
    view! {
        <Section id="kinds" title=texts.concurrency_title() summary=summary>
            <p class="hint">{texts.concurrency_hint()}</p>
            {forms}
        </Section>
    }
}

#[component]
fn KindForm(limit: KindLimit) -> impl IntoView {
    let kind = limit.kind.as_str();
    let current = limit.max_concurrency.map(|most| most.to_string()).unwrap_or_default();
    let typed = result_of(LimitKind::PATH, Some(kind))
        .and_then(|result| result.typed("max_concurrency").map(str::to_owned));
    view! {
        <PlainForm function=LimitKind::PATH about=kind class="inline">
            <input type="hidden" name="id" value=kind />
            <input type="hidden" name="seen" value=limit.version.0 />
            <Field
                name="max_concurrency" id=format!("concurrency-{kind}") kind="number" is_optional=true
                label=TaskTexts::here().kind(limit.kind) value=typed.unwrap_or(current)
            />
            <button class="button" type="submit">{AccountTexts::here().save()}</button>
        </PlainForm>
    }
}
