//! The table of kinds.

use super::{Origin, select::Select};
use crate::{
    engine::server_fns::LimitKind,
    ui::form::{PlainForm, field::Field, result_of},
};
use domain::{
    engine::queue::KindSettings,
    kind::{DEFAULT_RETRIES, KindValues, MANAGED_GRACE_MS},
    rate::RatePeriod,
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{deliveries::sending::SendingTexts, engine::queue::QueueTexts, language, tasks::TaskTexts, time};

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
                        <th scope="col">{texts.kind_rate()}</th>
                        <th scope="col">{texts.grace()}</th>
                        <th scope="col">{texts.retries()}</th>
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
    let (word, name) = (kind.limit.kind.as_str(), TaskTexts::here().kind(kind.limit.kind));
    let KindValues { max_concurrency, grace_ms, rate, rate_per, retry_schedule } = kind.limit.values.clone();
    let is_default = kind.limit.values == KindValues { rate_per, ..KindValues::UNSET };
    let change = kind.change.clone();
    let no_limit = || texts.no_limit().to_owned();
    let at_once = max_concurrency.map_or_else(no_limit, |most| most.to_string());
    let period = SendingTexts::here().rate_per_of(rate_per);
    let rate = rate.map_or_else(no_limit, |rate| texts.rate(rate, period));
    let grace = match kind.has_common_grace {
        true => time::span(language(), grace_ms.unwrap_or(kind.default_grace_ms) / 1_000),
        false if kind.default_grace_ms >= MANAGED_GRACE_MS => no_limit(),
        false => texts.own_grace().to_owned(),
    };
    let retries = retry_schedule.map_or_else(|| DEFAULT_RETRIES.to_owned(), |schedule| schedule.to_string());
    let is_open = result_of(LimitKind::PATH, Some(word)).is_some();
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td>{at_once}</td>
            <td>{rate}</td>
            <td>{grace}</td>
            <td>{retries}</td>
            <td><Origin is_default=is_default change=change /></td>
            <td>
                <details class="open-in-place" open=is_open>
                    <summary class="button small" aria-label=texts.change_of(name.to_owned())>{texts.change()}</summary>
                    <KindForm kind=kind />
                </details>
            </td>
        </tr>
    }
}

/// The form of a kind, with what was typed if it was refused.
#[component]
fn KindForm(kind: KindSettings) -> impl IntoView {
    let (texts, sending) = (QueueTexts::here(), SendingTexts::here());
    let KindSettings { limit, default_grace_ms, has_common_grace, .. } = kind;
    let (word, values) = (limit.kind.as_str(), limit.values);
    let refused = result_of(LimitKind::PATH, Some(word));
    let value = move |field: &str, current: Option<String>| {
        let typed = refused.as_ref().and_then(|result| result.typed(field)).map(str::to_owned);
        typed.or(current).unwrap_or_default()
    };
    let most = value("max_concurrency", values.max_concurrency.map(|most| most.to_string()));
    let minutes = value("grace_minutes", values.grace_ms.map(|grace_ms| (grace_ms / 60_000).to_string()));
    let rate = value("rate", values.rate.map(|rate| rate.to_string()));
    let per = value("rate_per", Some(values.rate_per.to_string()));
    let retries = value("retry_schedule", values.retry_schedule.map(String::from));
    let periods: Vec<_> =
        RatePeriod::ALL.iter().map(|one| (one.as_str(), sending.rate_per_of(*one))).collect();
    let grace_field = has_common_grace.then(|| {
        view! {
            <Field
                name="grace_minutes" id=format!("grace-{word}") kind="number" is_optional=true
                label=texts.grace_minutes() hint=texts.grace_hint(default_grace_ms / 60_000) value=minutes
            />
        }
    });
    view! {
        <PlainForm function=LimitKind::PATH about=word class="stack">
            <input type="hidden" name="id" value=word />
            <input type="hidden" name="seen" value=limit.version.0 />
            <Field
                name="max_concurrency" id=format!("concurrency-{word}") kind="number" is_optional=true
                label=texts.concurrency() hint=texts.limit_hint() value=most
            />
            <Field
                name="rate" id=format!("rate-{word}") kind="number" is_optional=true
                label=texts.kind_rate() hint=texts.kind_rate_hint() value=rate
            />
            <Select
                name="rate_per" id=format!("rate-per-{word}") label=sending.rate_per() options=periods chosen=per
            />
            {grace_field}
            <Field
                name="retry_schedule" id=format!("retries-{word}") is_optional=true
                label=texts.retries() hint=texts.kind_retries_hint(DEFAULT_RETRIES) value=retries
            />
            <p><button class="button" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}
