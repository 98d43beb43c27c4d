//! `/messages/new`: schedules a message.

use crate::{
    deliveries::server_fns::list_channels,
    live::live,
    messages::server_fns::CreateMessage,
    session::visitor,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{PlainForm, field::Field, result_of, textarea::TextareaField, typed},
        page::{
            header::{PageHeader, TabTitle},
            settings_menu::AdminsOnly,
        },
        time::picker::{
            CityList, TimeFeedback, TimeFields, TimeInput, TimeSubmit, date_and_time, zone_as_typed,
        },
    },
};
use domain::{LocalizedTime, channel::Channel};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::{
    deliveries::ChannelTexts,
    language,
    messages::{MessageFormTexts, MessageTexts},
    refusal::problem,
};

/// Prefix of the ids of the time fields.
const NAME: &str = "message";
/// Time that the form offers, milliseconds from now on.
const OFFERED_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
/// Fields of the form whose problems are not about the time.
const NO_TIME: [&str; 4] = ["channel_id", "key", "body", "headers"];
/// Fields that show their problems themselves.
const FIELDS: &[&str] = &["key", "body", "headers", "due_at", "time", "date", "zone", "local"];

/// The page.
#[component]
pub fn MessageNew() -> impl IntoView {
    let texts = MessageTexts::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=texts.new_message().to_owned() />
            <h1>{texts.new_message()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let channels = Resource::new(|| (), |()| list_channels());
    view! {
        <PageHeader title=texts.new_message().to_owned() />
        <AsyncView from=channels children=move |channels| {
            let channels = channels.get_untracked();
            match channels.is_empty() {
                true => view! { <NoChannels /> }.into_any(),
                false => view! { <NewForm channels=channels /> }.into_any(),
            }
        } />
        <CityList />
    }
    .into_any()
}

#[component]
fn NoChannels() -> impl IntoView {
    let texts = MessageFormTexts::here();
    view! {
        <Empty title=texts.no_channels() hint=texts.no_channels_hint()>
            <a class="button main" href="/settings/channels">{texts.add_channel()}</a>
        </Empty>
    }
}

#[component]
fn NewForm(channels: Vec<Channel>) -> impl IntoView {
    let texts = MessageFormTexts::here();
    let input = initial_input();
    let refused = result_of(CreateMessage::PATH, None);
    let refusal = refused.map(|refused| refused.refusal);
    let problem_of = |field: &'static str| {
        let problem =
            refusal.as_ref().and_then(|refusal| refusal.problem_of(|known| known.starts_with(field)));
        problem.map(problem_text)
    };
    let (body_problem, headers_problem) = (problem_of("body"), problem_of("headers"));
    let key_refusal = refusal.clone();
    let label = Signal::derive(move || {
        input.as_sentence().map_or_else(|| texts.schedule().to_owned(), |when| texts.schedule_for(when))
    });
    view! {
        <PlainForm function=CreateMessage::PATH class="message-form" fields=FIELDS>
            <div class="time-sentence">
                <label for="channel_id">{texts.send_to()}</label>
                <ChannelSelect channels=channels />
                <TimeFields input=input name=NAME />
            </div>
            <TimeFeedback input=input name=NAME />
            <TextareaField
                name="body" label=texts.body() hint=texts.body_hint() rows=8 class="code"
                value=typed(CreateMessage::PATH, "body").unwrap_or_default() problem=body_problem
            />
            <Field
                name="key" label=texts.key() hint=texts.key_hint() is_optional=true
                value=typed(CreateMessage::PATH, "key").unwrap_or_default()
                refusal=Signal::derive(move || key_refusal.clone())
            />
            <TextareaField
                name="headers" label=texts.headers() hint=texts.headers_hint() rows=2 class="code"
                value=typed(CreateMessage::PATH, "headers").unwrap_or_default() problem=headers_problem
            />
            <p><TimeSubmit input=input name=NAME label=label no_js=texts.schedule() /></p>
        </PlainForm>
    }
}

fn problem_text(what: &domain::error::ValidationError) -> String {
    problem(language(), what)
}

/// The channels by name, with their transport.
#[component]
fn ChannelSelect(channels: Vec<Channel>) -> impl IntoView {
    let texts = ChannelTexts::here();
    let query = use_query_map().get_untracked();
    let chosen = typed(CreateMessage::PATH, "channel_id").or_else(|| query.get("channel"));
    let option = |channel: Channel| {
        let id = channel.id.to_string();
        let is_chosen = chosen.as_ref() == Some(&id);
        let transport = texts.transport_name(channel.settings.endpoint.transport());
        let label = format!("{} · {transport}", channel.settings.name);
        view! { <option value=id selected=is_chosen>{label}</option> }
    };
    view! { <select id="channel_id" name="channel_id">{channels.into_iter().filter(Channel::sends_messages).map(option).collect_view()}</select> }
}

/// The input of the refused form, else an hour from now.
fn initial_input() -> TimeInput {
    let result = result_of(CreateMessage::PATH, None);
    let typed = |field: &str| Some(result.as_ref()?.typed(field)?.to_owned());
    let visitor = visitor();
    let now = live().now().get_untracked();
    let later = now.plus(OFFERED_MS);
    let at = later.plus(-later.millis().rem_euclid(MINUTE_MS));
    let offset = visitor.heartbeat.heartbeat_offset;
    let offered = LocalizedTime::new(at, offset, offset);
    let (date, time) = date_and_time(offered);
    TimeInput::new(
        (typed("date").unwrap_or(date), typed("time").unwrap_or(time)),
        typed("zone").unwrap_or_else(|| zone_as_typed(visitor.zone())),
        typed("which").unwrap_or_default(),
        result.map(|result| result.refusal).filter(|refusal| !refusal.is_about(&NO_TIME)).map(Err),
    )
}
