//! `/settings/mail`: the mail server of the desk. For admins.

use crate::{
    deliveries::{
        held_result::held_result,
        mail_fields::{FieldNames, ServerFields},
        mail_server_fns::{
            MailServerPage, RemoveMailServer, SetMailServer, TestMailServer, mail_server_page,
        },
        refresh::refresh_tick,
        row::StateMark,
        test_outcome::{TEST, follow_test},
    },
    live::{live, live_resource},
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::PlainForm,
        page::{
            header::PageHeader,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        result::flash::Flash,
        time::date_time::Relative,
    },
};
use domain::{
    channel::{Endpoint, MAIL_SERVER, MailEndpoint},
    delivery::DeliveryRow,
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::deliveries::{ChannelTexts, mail_server::MailServerTexts};

/// Names of the fields, which show their problems themselves.
const FIELDS: &[&str] = &["host", "port", "security", "username", "password", "from"];

/// The page.
#[component]
pub fn MailServer() -> impl IntoView {
    let texts = MailServerTexts::here();
    let content = if visitor().is_admin() {
        view! { <Content /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    let held: Option<(&'static [&'static str], _)> = live()
        .are_deliveries_held()
        .get_untracked()
        .then(|| (&[TEST][..], held_result(ChannelTexts::here())));
    let messages = vec![("save", texts.saved()), (TEST, texts.test_begun()), ("remove", texts.removed())];
    let outcome = follow_test(MAIL_SERVER.to_string());
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        <Flash messages=messages instead=held outcome=outcome />
        <div class="settings">{content}</div>
    }
}

#[component]
fn Content() -> impl IntoView {
    let tick = refresh_tick();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "delivery" | "channel"),
        move || tick.get(),
        |_| mail_server_page(),
    );
    view! { <AsyncView from=read children=move |page| view! { <Parts page=page /> } /> }
}

#[component]
fn Parts(page: Signal<MailServerPage>) -> impl IntoView {
    let texts = MailServerTexts::here();
    let first = page.get_untracked().channel;
    let is_set = Memo::new(move |_| page.with(|page| page.channel.is_some()));
    let has_secret = first.as_ref().is_some_and(|channel| channel.has_secret);
    let endpoint = first.map(|channel| channel.settings.endpoint);
    let route = match endpoint {
        Some(Endpoint::Mail(route)) => route,
        _ => MailEndpoint::of_desk(),
    };
    let tests = Memo::new(move |_| page.with(|page| page.tests.clone()));
    view! {
        {move || (!is_set.get()).then(|| view! { <p class="notice warn">{texts.none()}</p> })}
        <Fields route=route has_secret=has_secret />
        {move || is_set.get().then(|| view! { <Test tests=tests.get() /> })}
    }
}

#[component]
fn Fields(route: MailEndpoint, has_secret: bool) -> impl IntoView {
    let (texts, path) = (MailServerTexts::here(), SetMailServer::PATH);
    view! {
        <PlainForm function=path fields=FIELDS class="stack">
            <ServerFields path=path names=FieldNames::DESK endpoint=route has_secret=has_secret />
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}

/// The test, what the server answered to the last ones, and the button that removes the server.
#[component]
fn Test(tests: Vec<DeliveryRow>) -> impl IntoView {
    let (texts, channel_texts) = (MailServerTexts::here(), ChannelTexts::here());
    let is_empty = tests.is_empty();
    let items = tests.into_iter().map(|row| {
        let answer = channel_texts.answer_line(&row.answer, 300);
        let outcome = row.outcome.map(|outcome| channel_texts.result_of(outcome, &row.answer));
        let href = format!("/settings/channels/{}?delivery={}", row.channel_id, row.id);
        view! {
            <li class="delivery-row">
                <StateMark state=row.state />
                <div class="delivery-what">
                    <a href=href>{answer.or(outcome).unwrap_or_else(|| channel_texts.details().to_owned())}</a>
                    <p class="meta"><Relative at=row.created_at is_past=true /></p>
                </div>
            </li>
        }
    });
    let items = items.collect_view();
    view! {
        <section class="panel" aria-labelledby="test">
            <header><h2 id="test">{texts.test_title()}</h2></header>
            <p class="hint">{texts.test_hint()}</p>
            <PlainForm function=TestMailServer::PATH class="inline">
                <button class="button" type="submit">{channel_texts.test()}</button>
            </PlainForm>
            {(!is_empty).then(|| view! { <ul class="mail-tests">{items}</ul> })}
        </section>
        <details class="open-in-place">
            <summary class="button bare">{texts.remove_question()}</summary>
            <p>{texts.remove_hint()}</p>
            <PlainForm function=RemoveMailServer::PATH class="inline">
                <button class="button danger" type="submit">{texts.remove()}</button>
            </PlainForm>
        </details>
    }
}
