//! The table of kinds.

use super::Origin;
use crate::{
    engine::server_fns::LimitKind,
    ui::form::{PlainForm, field::Field, result_of},
};
use domain::{engine::queue::KindSettings, kind::MANAGED_GRACE_MS};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{engine::queue::QueueTexts, language, tasks::TaskTexts, time};

/// Each kind, with a form for its limit.
#[component]
pub fn Kinds(kinds: Vec<KindSettings>) -> impl IntoView {
    let texts = QueueTexts::here();
    let rows = kinds.into_iter().map(|kind| view! { <KindRow kind=kind /> }).collect_view();
    view! {
        <section class="panel" aria-labelledby="kinds">
            <header><h2 id="kinds">{texts.kinds()}</h2></header>
            <p class="hint">{texts.kinds_hint()}</p>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="kinds">
                <table class="table">
                    <thead><tr>
                        <th scope="col">{texts.kind()}</th>
                        <th scope="col">{texts.concurrency()}</th>
                        <th scope="col">{texts.grace()}</th>
                        <th scope="col">{texts.origin()}</th>
                        <th scope="col">{texts.change()}</th>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

#[component]
fn KindRow(kind: KindSettings) -> impl IntoView {
    let texts = QueueTexts::here();
    let KindSettings { limit, default_grace_ms, has_common_grace, change } = kind;
    let (word, name) = (limit.kind.as_str(), TaskTexts::here().kind(limit.kind));
    let current = limit.max_concurrency.map(|most| most.to_string());
    let shown = current.clone().unwrap_or_else(|| texts.no_limit().to_owned());
    let grace = match has_common_grace {
        true => time::span(language(), limit.grace_ms.unwrap_or(default_grace_ms) / 1_000),
        false if default_grace_ms >= MANAGED_GRACE_MS => texts.no_limit().to_owned(),
        false => texts.own_grace().to_owned(),
    };
    let is_default = limit.max_concurrency.is_none() && limit.grace_ms.is_none();
    let refused = result_of(LimitKind::PATH, Some(word));
    let is_open = refused.is_some();
    let typed = |field: &str| refused.as_ref().and_then(|result| result.typed(field)).map(str::to_owned);
    let most = typed("max_concurrency").or(current).unwrap_or_default();
    let minutes = limit.grace_ms.map(|grace_ms| (grace_ms / 60_000).to_string());
    let minutes = typed("grace_minutes").or(minutes).unwrap_or_default();
    let grace_field = has_common_grace.then(|| {
        view! {
            <Field
                name="grace_minutes" id=format!("grace-{word}") kind="number" is_optional=true
                label=texts.grace_minutes() hint=texts.grace_hint(default_grace_ms / 60_000) value=minutes
            />
        }
    });
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td>{shown}</td>
            <td>{grace}</td>
            <td><Origin is_default=is_default change=change /></td>
            <td>
                <details class="open-in-place" open=is_open>
                    <summary class="button small" aria-label=texts.change_of(name.to_owned())>{texts.change()}</summary>
                    <PlainForm function=LimitKind::PATH about=word class="stack">
                        <input type="hidden" name="id" value=word />
                        <input type="hidden" name="seen" value=limit.version.0 />
                        <Field
                            name="max_concurrency" id=format!("concurrency-{word}") kind="number" is_optional=true
                            label=texts.concurrency() hint=texts.limit_hint() value=most
                        />
                        {grace_field}
                        <p><button class="button" type="submit">{texts.save()}</button></p>
                    </PlainForm>
                </details>
            </td>
        </tr>
    }
}
