//! `/quick`: a title, a time in words, and Enter: an article that is scheduled, or a reminder.

pub mod echo;
mod form;
pub mod server_fns;

use crate::{
    dashboard::quick::{
        form::QuickForm,
        server_fns::{QuickAdd, read_quick_words},
    },
    ui::{async_view::AsyncView, form::typed, page::header::PageHeader},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::dashboard::quick::QuickTexts;

/// The page. Without words, the server chooses them: the next free slot if there is one.
#[component]
pub fn QuickAddPage() -> impl IntoView {
    let texts = QuickTexts::here();
    let query = use_query_map();
    let first = typed(QuickAdd::PATH, "when").or_else(|| query.with_untracked(|query| query.get("when")));
    let words = RwSignal::new(first);
    let read = Resource::new(move || words.get(), read_quick_words);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <AsyncView from=read children=move |state| view! { <QuickForm state=state words=words /> } />
    }
}
