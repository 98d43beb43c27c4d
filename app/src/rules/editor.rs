//! The fields of a rule, in the order of its sentence: after, wait, then, unless.

use crate::{
    rules::{
        form_values::{ACTIONS, BEFORE_FIELD, FROM_SIGNAL, RuleForm, WORKING_DAY},
        server_fns::ChannelName,
    },
    ui::form::{
        choice::{Choice, error_of},
        field::Field,
        refusal_of,
        textarea::TextareaField,
        typed,
    },
};
use domain::{DomainError, channel::Transport, rule::Repeat, signal::SignalName};
use leptos::prelude::*;
use texts::{
    deliveries::ChannelTexts,
    number::counted,
    rules::{RuleFormTexts, RuleTexts},
};

/// Id of the list of proposed signals.
const SIGNALS: &str = "rule-signals";
/// Fields that show their problems themselves.
pub const FIELDS: &[&str] = &[
    "name",
    "after",
    "wait",
    "field",
    "channel_id",
    "text",
    "to",
    "signal",
    "unless",
    "subject",
    "grace",
    "exchange",
    "routing_key",
    "quiet_from",
    "quiet_to",
    "zone",
    "zone_field",
    "cap_times",
    "cap_days",
];

/// The fields: the sentence with its blanks, the text, the name, and what is seldom needed.
#[component]
pub fn RuleFields(
    /// Path of the function of the form.
    path: &'static str,
    /// Values before the first input.
    values: RuleForm,
    /// The channels that can be named.
    channels: Vec<ChannelName>,
    /// Names of signals to propose.
    signals: Vec<SignalName>,
) -> impl IntoView {
    let texts = RuleFormTexts::here();
    let values = restored(path, with_channel(values, &channels));
    let refusal = refusal_of(path);
    let shown = Signal::stored(refusal.clone());
    let missing = missing_channels(&channels);
    let (course, action, limits, more) = (values.clone(), values.clone(), values.clone(), values.clone());
    view! {
        <fieldset>
            <legend class="visually-hidden">{texts.sentence()}</legend>
            <div class="rule-line">
                <CourseFields values=course refusal=refusal.clone() />
                <ActionFields values=action refusal=refusal.clone() channels=channels />
                <span class="word" aria-hidden="true">{texts.unless()}</span>
                <TextareaField
                    name="rule[unless]" label=texts.unless_signals() hint=texts.unless_hint() rows=2 class="code"
                    value=values.unless problem=error_of(refusal.as_ref(), "rule[unless]")
                />
            </div>
            {missing}
            <SignalNames signals=signals />
        </fieldset>
        <div data-action="message mail">
            <TextareaField
                name="rule[text]" label=texts.text() hint=texts.text_hint() rows=5 class="code" value=values.text
                problem=error_of(refusal.as_ref(), "rule[text]")
            />
        </div>
        <Field name="rule[name]" label=texts.name() value=values.name refusal=shown />
        <LimitFields values=limits refusal=refusal.clone() />
        <MoreFields values=more refusal=refusal />
    }
}

/// The signals to propose: to the fields by the browser, and as a list to read.
#[component]
fn SignalNames(signals: Vec<SignalName>) -> impl IntoView {
    let texts = RuleFormTexts::here();
    let label = move |one: &SignalName| match one.seen {
        0 => String::new(),
        seen => texts.seen(counted(seen)),
    };
    let options = signals.iter().map(|one| {
        let (name, label) = (one.name.clone(), label(one));
        view! { <option value=name>{label}</option> }
    });
    let options = options.collect_view();
    let items = signals.iter().map(|one| {
        let (name, label) = (one.name.clone(), label(one));
        view! { <li><code>{name}</code>" "<span class="muted">{label}</span></li> }
    });
    let items = items.collect_view();
    view! {
        <datalist id=SIGNALS>{options}</datalist>
        <details class="signal-names">
            <summary>{texts.signal_names()}</summary>
            <ul class="plain-list">{items}</ul>
        </details>
    }
}

/// A message needs a channel: proposes the first one.
fn with_channel(mut values: RuleForm, channels: &[ChannelName]) -> RuleForm {
    if let Some(first) = channels.first().filter(|_| values.action == ACTIONS[0]) {
        let is_empty = values.channel_id.is_empty();
        values.channel_id = if is_empty { first.id.to_string() } else { values.channel_id };
    }
    values
}

/// Returns the input of the refused form, else the values.
fn restored(path: &'static str, values: RuleForm) -> RuleForm {
    let of = |name: &str, value: String| typed(path, &format!("rule[{name}]")).unwrap_or(value);
    RuleForm {
        name: of("name", values.name),
        after: of("after", values.after),
        wait: of("wait", values.wait),
        counts: of("counts", values.counts),
        field: of("field", values.field),
        action: of("action", values.action),
        channel_id: of("channel_id", values.channel_id),
        text: of("text", values.text),
        to: of("to", values.to),
        signal: of("signal", values.signal),
        unless: of("unless", values.unless),
        subject: of("subject", values.subject),
        repeat: of("repeat", values.repeat),
        grace: of("grace", values.grace),
        exchange: of("exchange", values.exchange),
        routing_key: of("routing_key", values.routing_key),
        quiet_from: of("quiet_from", values.quiet_from),
        quiet_to: of("quiet_to", values.quiet_to),
        zone: of("zone", values.zone),
        zone_field: of("zone_field", values.zone_field),
        cap_times: of("cap_times", values.cap_times),
        cap_days: of("cap_days", values.cap_days),
    }
}

/// The signal that opens a wait, and how long it waits.
#[component]
fn CourseFields(values: RuleForm, refusal: Option<DomainError>) -> impl IntoView {
    let texts = RuleFormTexts::here();
    let shown = Signal::stored(refusal);
    let counts = [
        (FROM_SIGNAL, texts.from_signal()),
        (BEFORE_FIELD, texts.before_field()),
        (WORKING_DAY, texts.working_day()),
    ];
    let counts = counts.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    view! {
        <span class="word" aria-hidden="true">{texts.after()}</span>
        <Field
            name="rule[after]" label=texts.after_signal() hint=texts.after_hint() value=values.after list=SIGNALS
            refusal=shown
        />
        <span class="word" aria-hidden="true">{texts.wait()}</span>
        <Field name="rule[wait]" label=texts.how_long() hint=texts.wait_hint() value=values.wait refusal=shown />
        <Choice name="rule[counts]" label=texts.counts_from() options=counts chosen=values.counts />
        <div data-counts="before">
            <Field
                name="rule[field]" label=texts.field() hint=texts.field_hint() value=values.field is_optional=true
                refusal=shown
            />
        </div>
    }
}

/// What the rule does, and through which channel.
#[component]
fn ActionFields(values: RuleForm, refusal: Option<DomainError>, channels: Vec<ChannelName>) -> impl IntoView {
    let texts = RuleFormTexts::here();
    let shown = Signal::stored(refusal.clone());
    let labels = [texts.send_message(), texts.send_mail(), texts.emit_signal()];
    let actions = ACTIONS.iter().zip(labels).map(|(value, label)| ((*value).to_owned(), label.to_owned()));
    view! {
        <span class="word" aria-hidden="true">{texts.then()}</span>
        <Choice name="rule[action]" label=texts.action() options=actions.collect() chosen=values.action />
        <div data-action="mail">
            <Field name="rule[to]" label=texts.to() hint=texts.to_hint() value=values.to is_optional=true refusal=shown />
        </div>
        <div data-action="message mail">
            <Choice
                name="rule[channel_id]" label=texts.channel() options=channel_options(channels)
                chosen=values.channel_id refusal=refusal
            />
        </div>
        <div data-action="signal">
            <Field
                name="rule[signal]" label=texts.signal() hint=texts.signal_hint() value=values.signal is_optional=true
                list=SIGNALS refusal=shown
            />
        </div>
    }
}

/// Says that no channel can do what the rule does, with a link to add one.
fn missing_channels(channels: &[ChannelName]) -> Option<impl IntoView + use<>> {
    let texts = RuleFormTexts::here();
    let has_mail = channels.iter().any(|channel| channel.transport == Transport::Mail);
    let (actions, missing) = match channels.is_empty() {
        true => ("message mail", texts.no_channels()),
        false => ("mail", texts.no_mail_channel()),
    };
    (channels.is_empty() || !has_mail).then(|| view! {
        <p class="notice warn" data-action=actions>{missing}" "<a href="/settings/channels">{texts.add_channel()}</a></p>
    })
}

/// All channels; last none, which a mail sends through the first mail channel.
fn channel_options(channels: Vec<ChannelName>) -> Vec<(String, String)> {
    let (texts, channel_texts) = (RuleFormTexts::here(), ChannelTexts::here());
    let none = (String::new(), texts.any_mail().to_owned());
    let option = |channel: ChannelName| {
        let transport = channel_texts.transport_name(channel.transport);
        (channel.id.to_string(), format!("{} · {transport}", channel.name))
    };
    channels.into_iter().map(option).chain([none]).collect()
}

/// When and how often the rule acts for a subject, folded unless it is set or was refused.
#[component]
fn LimitFields(values: RuleForm, refusal: Option<DomainError>) -> impl IntoView {
    let texts = RuleFormTexts::here();
    let fields = ["quiet_from", "quiet_to", "zone", "zone_field", "cap_times", "cap_days"];
    let is_refused = refusal.as_ref().is_some_and(|refusal| refusal.is_about(&fields));
    let is_open = is_refused || !(values.quiet_from.is_empty() && values.cap_times.is_empty());
    let shown = Signal::stored(refusal);
    view! {
        <details class="fold" open=is_open>
            <summary><h2>{texts.limits()}</h2></summary>
            <div class="row">
                <Field
                    name="rule[quiet_from]" label=texts.quiet_from() hint=texts.quiet_hint() value=values.quiet_from
                    is_optional=true refusal=shown
                />
                <Field name="rule[quiet_to]" label=texts.quiet_to() value=values.quiet_to is_optional=true refusal=shown />
            </div>
            <div class="row">
                <Field
                    name="rule[zone]" label=texts.zone() hint=texts.zone_hint() value=values.zone
                    is_optional=true refusal=shown
                />
                <Field
                    name="rule[zone_field]" label=texts.zone_field() hint=texts.zone_field_hint() value=values.zone_field
                    is_optional=true refusal=shown
                />
            </div>
            <div class="row">
                <Field
                    name="rule[cap_times]" label=texts.cap_times() hint=texts.cap_hint() value=values.cap_times
                    is_optional=true refusal=shown
                />
                <Field name="rule[cap_days]" label=texts.cap_days() value=values.cap_days is_optional=true refusal=shown />
            </div>
        </details>
    }
}

/// Settings that a rule seldom needs, folded unless one was refused.
#[component]
fn MoreFields(values: RuleForm, refusal: Option<DomainError>) -> impl IntoView {
    let (texts, rule_texts) = (RuleFormTexts::here(), RuleTexts::here());
    let is_about = |refusal: &DomainError| refusal.is_about(&["subject", "grace", "exchange", "routing_key"]);
    let is_open = refusal.as_ref().is_some_and(is_about);
    let shown = Signal::stored(refusal);
    let words = [
        (Repeat::Restart, rule_texts.restart()),
        (Repeat::Ignore, rule_texts.ignore()),
        (Repeat::Another, rule_texts.another()),
    ];
    let repeat = words.map(|(word, label)| (word.as_str().to_owned(), label.to_owned())).to_vec();
    view! {
        <details class="fold" open=is_open>
            <summary><h2>{texts.more()}</h2></summary>
            <Field
                name="rule[subject]" label=texts.subject() hint=texts.subject_hint() value=values.subject is_optional=true
                refusal=shown
            />
            <div class="row">
                <Choice name="rule[repeat]" label=texts.repeat() options=repeat chosen=values.repeat />
                <Field name="rule[grace]" label=texts.grace() hint=texts.grace_hint() value=values.grace refusal=shown />
            </div>
            <div class="row" data-action="message">
                <Field name="rule[exchange]" label=texts.exchange() value=values.exchange is_optional=true refusal=shown />
                <Field
                    name="rule[routing_key]" label=texts.routing_key() value=values.routing_key is_optional=true
                    refusal=shown
                />
            </div>
        </details>
    }
}
