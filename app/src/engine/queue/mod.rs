//! `/settings/queue`: what is in force for kinds of tasks and for channels, why, and the forms that change it.
//! For admins.

mod channels;
pub mod fns;
mod kinds;
mod select;

use crate::{
    session::visitor,
    ui::{
        async_view::AsyncView,
        page::{
            header::PageHeader,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        time::date_time::Relative,
    },
};
use channels::Channels;
use domain::engine::queue::SettingChange;
use fns::{QueuePage, queue_settings};
use kinds::Kinds;
use leptos::prelude::*;
use texts::engine::queue::QueueTexts;

/// The page.
#[component]
pub fn QueueSettings() -> impl IntoView {
    let texts = QueueTexts::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        {body}
    }
}

/// Both tables. Not updated while the user types.
#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| queue_settings());
    view! {
        <div class="settings stack">
            <AsyncView from=read let:page>
                <Tables page=page.get_untracked() />
            </AsyncView>
        </div>
    }
}

#[component]
fn Tables(page: QueuePage) -> impl IntoView {
    let QueuePage { kinds, channels } = page;
    view! {
        <Kinds kinds=kinds />
        <Channels channels=channels />
    }
}

/// Why something is in force: the default, or who set it and when.
#[component]
fn Origin(is_default: bool, change: Option<SettingChange>) -> impl IntoView {
    let texts = QueueTexts::here();
    match change {
        _ if is_default => texts.by_default().into_any(),
        Some(SettingChange { by, at }) => {
            view! { <span dir="auto">{texts.set_by(by)}</span> " · " <Relative at=at is_past=true /> }
                .into_any()
        }
        None => texts.set_here().into_any(),
    }
}
