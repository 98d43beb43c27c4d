//! The state of the desk while something is wrong: a line in the head, and a banner above every page that does not say the
//! same itself.

pub mod status_texts;

use crate::{
    accounts::own_account_fns::LogIn,
    engine::{pause_result::announce_pause, server_fns::PauseEngine},
    live::{desk_status::DeskStatus, live},
    session::visitor,
    shell::status::status_texts::StatusTexts,
    ui::{form::Form, icon::Icon},
};
use leptos::{html, prelude::*};
use leptos_router::hooks::use_location;
use texts::{accounts::AccountTexts, language, layout::LayoutTexts, punctuation};

/// Whether the page that is open says the same.
fn is_said_here(status: Memo<DeskStatus>) -> Memo<bool> {
    let path = use_location().pathname;
    Memo::new(move |_| path.with(|path| status.get().is_said_on(path)))
}

/// The state in the head. Hidden while everything works.
#[component]
pub fn StatusMark() -> impl IntoView {
    let status = live().status();
    let is_said = is_said_here(status);
    view! {
        <p class="desk-status" data-status=move || status.get().name() hidden=move || is_said.get()>
            <span class="dot" aria-hidden="true"></span>
            <span>{move || label(status.get())}</span>
        </p>
    }
}

fn label(status: DeskStatus) -> String {
    status.label(StatusTexts::here(), visitor().zone(), live().now().get_untracked())
}

/// The banner: state, consequence, and what the user can do. Hidden while everything works.
#[component]
pub fn StatusBanner() -> impl IntoView {
    let status = live().status();
    let hint = Memo::new(move |_| {
        status.get().hint(StatusTexts::here(), visitor().zone(), live().now().get_untracked())
    });
    let is_said = is_said_here(status);
    let text = move || hint.get().map(|hint| sentence(&label(status.get()), &hint));
    view! {
        <div
            class="banner"
            class:critical=move || status.get().is_critical()
            data-banner=move || status.get().name()
            hidden=move || is_said.get() || hint.with(Option::is_none)
        >
            <Icon name="attention" />
            <p role="status">{text}</p>
            {move || action(status.get())}
        </div>
    }
}

/// Joins label and consequence.
fn sentence(label: &str, hint: &str) -> String {
    format!("{label}{}{}{hint}", punctuation::full_stop(language()), texts::gap())
}

/// What the user can do about a state.
fn action(status: DeskStatus) -> Option<AnyView> {
    let (texts, is_admin) = (StatusTexts::here(), visitor().is_admin());
    let link = |href: &'static str, name: &'static str| view! { <a href=href>{name}</a> }.into_any();
    match status {
        DeskStatus::LoggedOut => Some(view! { <LogInHere /> }.into_any()),
        DeskStatus::Paused { .. } if is_admin => Some(view! { <Resume /> }.into_any()),
        DeskStatus::Overdue | DeskStatus::ChannelsFailing { .. } => {
            Some(link("/#needs-you", texts.to_attention()))
        }
        DeskStatus::Blocked(_) | DeskStatus::Silent { .. } | DeskStatus::Degraded(_) if is_admin => {
            Some(link("/engine", texts.to_engine()))
        }
        _ => None,
    }
}

/// Resumes publishing.
#[component]
fn Resume() -> impl IntoView {
    let action = ServerAction::<PauseEngine>::new();
    announce_pause(action);
    view! {
        <Form action=action class="inline">
            <input type="hidden" name="is_paused" value="false" />
            <button class="button small" type="submit"><Icon name="play" />{StatusTexts::here().resume()}</button>
        </Form>
    }
}

/// Logs the same user in again. The page and everything typed in it stay.
#[component]
fn LogInHere() -> impl IntoView {
    let (texts, live) = (AccountTexts::here(), live());
    let action = ServerAction::<LogIn>::new();
    Effect::new(move |_| {
        if matches!(action.value().get(), Some(Ok(()))) {
            live.check_session();
        }
    });
    let password = NodeRef::<html::Input>::new();
    let focus = move |_| {
        if let Some(password) = password.get_untracked() {
            _ = password.focus();
        }
    };
    let email = visitor().account.map(|account| account.email).unwrap_or_default();
    view! {
        <details class="log-in-here" on:toggle=focus>
            <summary class="button small">{StatusTexts::here().log_in_here()}</summary>
            <Form action=action class="inline">
                <input type="email" name="email" value=email aria-label=texts.email() autocomplete="username" readonly=true />
                <input
                    type="password" name="password" aria-label=texts.password() placeholder=texts.password()
                    autocomplete="current-password" required=true node_ref=password
                />
                <button class="button small" type="submit">{LayoutTexts::here().log_in()}</button>
            </Form>
        </details>
    }
}
