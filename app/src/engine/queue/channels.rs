//! The table of channels.

use super::{
    Origin,
    fns::{ChannelSending, SetChannelSending},
    select::Select,
};
use crate::ui::form::{FormResult, PlainForm, field::Field, result_of};
use domain::{
    Priority,
    channel::{ChannelSettings, RatePeriod, SendingSettings},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{deliveries::sending::SendingTexts, engine::queue::QueueTexts};

/// Each channel, with a form for how it sends.
#[component]
pub fn Channels(channels: Vec<ChannelSending>) -> impl IntoView {
    let texts = QueueTexts::here();
    let is_empty = channels.is_empty();
    let rows = channels.into_iter().map(|channel| view! { <ChannelRow channel=channel /> }).collect_view();
    view! {
        <section class="panel" aria-labelledby="channels">
            <header><h2 id="channels">{texts.channels()}</h2></header>
            <p class="hint">{texts.channels_hint()}</p>
            {is_empty.then(|| view! { <p class="muted">{texts.no_channels()}</p> })}
            <div class="scroll" tabindex="0" role="group" aria-labelledby="channels" hidden=is_empty>
                <table class="table">
                    <thead><tr>
                        <th scope="col">{texts.channel()}</th>
                        <th scope="col">{SendingTexts::here().priority()}</th>
                        <th scope="col">{texts.concurrency()}</th>
                        <th scope="col">{SendingTexts::here().rate()}</th>
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

/// Whether all that the table shows is as in a new channel.
fn is_default(settings: &ChannelSettings) -> bool {
    let initial = ChannelSettings::initial(settings.endpoint.transport());
    let shown = |of: &ChannelSettings| (of.priority, of.concurrency, of.rate, of.retry_schedule.to_string());
    shown(settings) == shown(&initial)
}

#[component]
fn ChannelRow(channel: ChannelSending) -> impl IntoView {
    let texts = QueueTexts::here();
    let ChannelSending { id, settings, change } = channel;
    let name = settings.name.clone();
    let rate = match settings.rate {
        Some(rate) => texts.rate(rate, SendingTexts::here().rate_per_of(settings.rate_per)),
        None => texts.no_limit().to_owned(),
    };
    let refused = result_of(SetChannelSending::PATH, Some(&id.to_string()));
    let is_open = refused.is_some();
    view! {
        <tr>
            <th scope="row"><a href=format!("/settings/channels/{id}?tab=settings") dir="auto">{name.clone()}</a></th>
            <td>{texts.priority_of(settings.priority)}</td>
            <td>{settings.concurrency}</td>
            <td>{rate}</td>
            <td>{settings.retry_schedule.to_string()}</td>
            <td><Origin is_default=is_default(&settings) change=change /></td>
            <td>
                <details class="open-in-place" open=is_open>
                    <summary class="button small" aria-label=texts.change_of(name)>{texts.change()}</summary>
                    <ChannelForm id=id.to_string() settings=settings refused=refused />
                </details>
            </td>
        </tr>
    }
}

#[component]
fn ChannelForm(id: String, settings: ChannelSettings, refused: Option<FormResult>) -> impl IntoView {
    let (texts, sending) = (QueueTexts::here(), SendingTexts::here());
    let value = move |field: &str, current: String| {
        let typed = refused.as_ref().and_then(|result| result.typed(field));
        typed.map_or(current, str::to_owned)
    };
    let rate = settings.rate.map(|rate| rate.to_string()).unwrap_or_default();
    let priorities: Vec<_> =
        Priority::ALL.iter().map(|one| (one.as_str(), sending.priority_of(*one))).collect();
    let periods: Vec<_> =
        RatePeriod::ALL.iter().map(|one| (one.as_str(), sending.rate_per_of(*one))).collect();
    view! {
        <PlainForm function=SetChannelSending::PATH about=id.clone() class="stack">
            <input type="hidden" name="id" value=id.clone() />
            <Seen sending=settings.sending() />
            <Select
                name="priority" id=format!("priority-{id}") label=sending.priority() options=priorities
                chosen=value("priority", settings.priority.to_string())
            />
            <Field
                name="concurrency" id=format!("concurrency-{id}") kind="number" label=texts.concurrency()
                value=value("concurrency", settings.concurrency.to_string())
            />
            <Field
                name="rate" id=format!("rate-{id}") kind="number" is_optional=true label=sending.rate()
                hint=sending.rate_hint() value=value("rate", rate)
            />
            <Select
                name="rate_per" id=format!("rate-per-{id}") label=sending.rate_per() options=periods
                chosen=value("rate_per", settings.rate_per.to_string())
            />
            <p><button class="button" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}

/// The hidden fields with what the user sees: what another admin has changed since is not overwritten.
#[component]
fn Seen(sending: SendingSettings) -> impl IntoView {
    let SendingSettings { concurrency, priority, rate, rate_per } = sending;
    view! {
        <input type="hidden" name="seen[concurrency]" value=concurrency />
        <input type="hidden" name="seen[priority]" value=priority.as_str() />
        {rate.map(|rate| view! { <input type="hidden" name="seen[rate]" value=rate /> })}
        <input type="hidden" name="seen[rate_per]" value=rate_per.as_str() />
    }
}
