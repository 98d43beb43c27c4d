//! `/settings/outside-mail`: mails that wait, and for admins the limits and the blocked addresses.

pub mod fns;

use crate::{
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, choice::Choice, field::Field, refusal_of, typed},
        page::{header::PageHeader, settings_menu::SettingsMenu},
        result::flash::Flash,
        time::date_time::Relative,
    },
};
use domain::mail_limits::{BlockedAddress, HeldMail, MailLimits, OutsideReminders};
use fns::{AllowAddress, BlockAddress, OutsideMailPage, SetMailLimits, outside_mail};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::settings::outside_mail::OutsideMailTexts;

/// The page.
#[component]
pub fn OutsideMailView() -> impl IntoView {
    let texts = OutsideMailTexts::here();
    let read = Resource::new(|| (), |()| outside_mail());
    let messages =
        vec![("save", texts.saved()), ("block", texts.is_blocked()), ("allow", texts.is_allowed())];
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        <Flash messages=messages />
        <div class="settings stack">
            <AsyncView from=read let:page>
                <Parts page=page.get_untracked() />
            </AsyncView>
        </div>
    }
}

#[component]
fn Parts(page: OutsideMailPage) -> impl IntoView {
    let OutsideMailPage { held, limits, blocked } = page;
    view! {
        <Held held=held />
        {visitor().is_admin().then(|| view! { <Limits limits=limits /> })}
        {blocked.map(|(addresses, has_more)| view! { <Blocked addresses=addresses has_more=has_more /> })}
    }
}

#[component]
fn Held(held: Vec<HeldMail>) -> impl IntoView {
    let texts = OutsideMailTexts::here();
    let none = held.is_empty().then(|| view! { <p class="hint">{texts.held_none()}</p> });
    let is_admin = visitor().is_admin();
    let row = move |mail: HeldMail| {
        let by = mail.account.filter(|_| is_admin).map(|name| texts.by(name));
        let when = match mail.until {
            Some(until) => view! { {texts.held_until()} " " <Relative at=until.at /> }.into_any(),
            None => texts.never().into_any(),
        };
        view! {
            <li>
                <span dir="auto">{mail.subject}</span>
                " · "
                <span dir="auto">{mail.address}</span>
                {by.map(|by| view! { " · " <span dir="auto">{by}</span> })}
                <p class="muted">{texts.reason(mail.reason)} " · " {when}</p>
            </li>
        }
    };
    view! {
        <section class="panel" aria-labelledby="held">
            <header><h2 id="held">{texts.held()}</h2></header>
            {none}
            <ul class="plain-list">{held.into_iter().map(row).collect_view()}</ul>
        </section>
    }
}

#[component]
fn Limits(limits: MailLimits) -> impl IntoView {
    let texts = OutsideMailTexts::here();
    let path = SetMailLimits::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let value = move |field: &str, stored: u32| typed(path, field).unwrap_or_else(|| stored.to_string());
    let choices = vec![
        (OutsideReminders::Admins.to_string(), texts.admins().to_owned()),
        (OutsideReminders::Everyone.to_string(), texts.everyone().to_owned()),
    ];
    let chosen = typed(path, "outside_reminders").unwrap_or_else(|| limits.outside_reminders.to_string());
    view! {
        <section class="panel" aria-labelledby="limits">
            <header><h2 id="limits">{texts.limits()}</h2></header>
            <PlainForm
                function=path fields={&["account_per_day", "address_per_hour", "desk_per_minute", "outside_reminders"]}
                class="stack"
            >
                <Field
                    name="account_per_day" label=texts.account_per_day() kind="number" refusal=refusal
                    value=value("account_per_day", limits.account_per_day)
                />
                <Field
                    name="address_per_hour" label=texts.address_per_hour() kind="number" refusal=refusal
                    value=value("address_per_hour", limits.address_per_hour) hint=texts.address_hint()
                />
                <Field
                    name="desk_per_minute" label=texts.desk_per_minute() kind="number" refusal=refusal
                    value=value("desk_per_minute", limits.desk_per_minute)
                />
                <Choice
                    name="outside_reminders" label=texts.outside_reminders() options=choices chosen=chosen
                    refusal=refusal_of(path)
                />
                <p><button class="button main" type="submit">{texts.save()}</button></p>
            </PlainForm>
        </section>
    }
}

#[component]
fn Blocked(addresses: Vec<BlockedAddress>, has_more: bool) -> impl IntoView {
    let texts = OutsideMailTexts::here();
    let path = BlockAddress::PATH;
    let none = addresses.is_empty().then(|| view! { <p class="hint">{texts.blocked_none()}</p> });
    let row = move |one: BlockedAddress| {
        let label = texts.allow_of(one.address.clone());
        let by = one.by.map_or_else(|| texts.own_wish().to_owned(), |name| texts.by(name));
        view! {
            <li class="session-row">
                <span class="session-agent" dir="auto">{one.address.clone()}</span>
                <span class="muted"><Relative at=one.blocked.at /> " · " {by}</span>
                <PlainForm function=AllowAddress::PATH class="inline">
                    <input type="hidden" name="address" value=one.address />
                    <button class="button small" type="submit" aria-label=label>{texts.allow()}</button>
                </PlainForm>
            </li>
        }
    };
    view! {
        <section class="panel" aria-labelledby="blocked">
            <header><h2 id="blocked">{texts.blocked()}</h2></header>
            <p class="hint">{texts.blocked_hint()}</p>
            <PlainForm function=path fields={&["address"]} class="stack">
                <Field
                    name="address" label=texts.address() kind="email" refusal=Signal::stored(refusal_of(path))
                    value=typed(path, "address").unwrap_or_default()
                />
                <p><button class="button" type="submit">{texts.block()}</button></p>
            </PlainForm>
            {none}
            {has_more.then(|| view! { <p class="notice">{texts.more()}</p> })}
            <ul class="token-list">{addresses.into_iter().map(row).collect_view()}</ul>
        </section>
    }
}
