//! The form fields of a channel's settings.

use super::endpoint_fields::EndpointFields;
use crate::ui::form::{
    choice::{Choice, error_of},
    field::Field,
    refusal_of, typed,
};
use domain::{
    Priority,
    channel::{ChannelEvent, ChannelSettings, MailEndpoint, OnUnknownOutcome, RatePeriod},
};
use leptos::prelude::*;
use texts::deliveries::{ChannelTexts, sending::SendingTexts};

/// Names of fields that show their problems themselves.
pub const SHOWN_BY_FIELDS: &[&str] = &[
    "url",
    "mail.host",
    "mail.port",
    "mail.security",
    "mail.username",
    "mail.password",
    "mail.from",
    "wordpress.url",
    "wordpress.username",
    "wordpress.password",
    "ghost.url",
    "ghost.admin_key",
];

/// Options for the maximum number of concurrent deliveries.
const CONCURRENCY_CHOICES: [u16; 6] = [1, 2, 4, 8, 12, 20];

/// The fields, with the previous input if the form at `path` was refused.
#[component]
pub fn Fields(
    /// Path of the form's server function.
    path: &'static str,
    /// Initial values.
    settings: ChannelSettings,
    /// Whether a secret is stored.
    #[prop(optional)]
    has_secret: bool,
    /// The mail server of the desk; `None`: it has none.
    desk: Option<MailEndpoint>,
) -> impl IntoView {
    let (texts, sending) = (ChannelTexts::here(), SendingTexts::here());
    let publishes_posts = settings.endpoint.transport().publishes_posts();
    let refusal = Signal::stored(refusal_of(path));
    let previous = move |field: &str, value: String| typed(path, field).unwrap_or(value);
    let on_unknown_outcome = previous("channel[on_unknown_outcome]", settings.on_unknown_outcome.to_string());
    let concurrency = previous("channel[concurrency]", settings.concurrency.to_string());
    let rate = settings.rate.map(|rate| rate.to_string()).unwrap_or_default();
    let rate = previous("channel[rate]", rate);
    let rate_per = previous("channel[rate_per]", settings.rate_per.to_string());
    let priority = previous("channel[priority]", settings.priority.to_string());
    view! {
        <input type="hidden" name="channel[transport]" value=settings.endpoint.transport().as_str() />
        <Field
            name="channel[name]" label=texts.name() value=previous("channel[name]", settings.name.clone()) refusal=refusal
        />
        <EndpointFields path=path endpoint=settings.endpoint.clone() has_secret=has_secret desk=desk />
        {(!publishes_posts).then(|| view! { <Events path=path chosen=settings.events.clone() /> })}
        <Field
            name="channel[retry_schedule]" label=texts.retry_schedule() value=previous("channel[retry_schedule]", settings.retry_schedule.to_string())
            hint=texts.retry_schedule_hint() is_optional=true refusal=refusal
        />
        <div class="fields">
            <Choice
                name="channel[on_unknown_outcome]" label=texts.unknown_outcome() is_wide=true
                options=OnUnknownOutcome::ALL.iter().map(|choice| (choice.to_string(), texts.unknown_outcome_of(*choice).to_owned())).collect()
                chosen=on_unknown_outcome
            />
            {if publishes_posts {
                view! { <input type="hidden" name="channel[concurrency]" value="1" /> }.into_any()
            } else {
                let options = concurrency_options(&concurrency);
                view! {
                    <Choice name="channel[concurrency]" label=texts.concurrency() options=options chosen=concurrency />
                }
                .into_any()
            }}
            <Choice
                name="channel[priority]" label=sending.priority()
                options=Priority::ALL.iter().map(|one| (one.to_string(), sending.priority_of(*one).to_owned())).collect()
                chosen=priority
            />
            <Field
                name="channel[rate]" label=sending.rate() hint=sending.rate_hint() value=rate is_optional=true refusal=refusal
            />
            <Choice
                name="channel[rate_per]" label=sending.rate_per()
                options=RatePeriod::ALL.iter().map(|one| (one.to_string(), sending.rate_per_of(*one).to_owned())).collect()
                chosen=rate_per
            />
        </div>
    }
}

#[component]
fn Events(path: &'static str, chosen: Vec<ChannelEvent>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let refusal = refusal_of(path);
    let is_answered = refusal.is_some();
    let error = error_of(refusal.as_ref(), "channel[events]");
    let boxes = ChannelEvent::CHOICES.into_iter().enumerate().map(move |(place, event)| {
        let name = format!("channel[events][{place}]");
        let is_on = if is_answered { typed(path, &name).is_some() } else { chosen.contains(&event) };
        view! {
            <label class="choice">
                <input type="checkbox" name=name value=event.as_str() checked=is_on />
                <span>{texts.event(event)}</span>
            </label>
        }
    });
    view! {
        <fieldset class="field">
            <legend class="label">{texts.events()}</legend>
            {boxes.collect_view()}
            <span class="hint">{texts.events_hint()}</span>
            {error.map(|error| view! { <span class="problem">{error}</span> })}
        </fieldset>
    }
}

fn concurrency_options(chosen: &str) -> Vec<(String, String)> {
    let mut choices: Vec<u16> = CONCURRENCY_CHOICES.into_iter().chain(chosen.parse()).collect();
    choices.sort_unstable();
    choices.dedup();
    choices.into_iter().map(|number| (number.to_string(), number.to_string())).collect()
}
