//! `/releases/new`: a new release: its articles, its name and its moment in one form.

use crate::{
    live::live_resource,
    releases::{
        choices::{ArticlePicker, ticked_ids},
        schedule::initial_input,
        server_fns::{CreateRelease, NewReleaseForm, OfferedArticle, offer_for_release},
    },
    ui::{
        async_view::AsyncView,
        form::{Alert, choice::Choice, field::Field, focus::focus_first, refusal_of, typed},
        icon::Icon,
        page::header::PageHeader,
        time::picker::{CityList, TimeFeedback, TimeFields, TimeSubmit},
    },
};
use domain::releases::ReleaseRow;
use leptos::{ev, prelude::*};
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use std::iter;
use texts::articles::releases::ReleaseTexts;
use wasm_bindgen::JsCast;

/// Address of the page.
const PAGE: &str = "/releases/new";
/// Prefix of the ids of the time fields.
const NAME: &str = "release";
/// Fields that show their problems themselves.
const FIELDS: [&str; 6] = ["name", "due_at", "time", "date", "zone", "local"];

/// The page. Parameters: `ids`, articles that are ticked already; `q`, words to find others; and what was
/// typed before the search.
#[component]
pub fn ReleaseNew() -> impl IntoView {
    let texts = ReleaseTexts::here();
    let query = use_query_map();
    let wanted = Memo::new(move |_| {
        query.with(|query| (ticked_ids(query, CreateRelease::PATH), query.get("q").unwrap_or_default()))
    });
    let read = live_resource(
        |change| change.entity == "release",
        move || wanted.get(),
        |(ids, q)| offer_for_release(ids, q),
    );
    focus_first(&[".release-form:has(input:checked) [name=name]"]);
    view! {
        <PageHeader title=texts.new_release().to_owned() lead=texts.none_hint()>
            <a class="button" href="/releases"><Icon name="left" />{texts.back()}</a>
        </PageHeader>
        <AsyncView from=read children=move |found| view! {
            <NewForm found=found.get_untracked() q=wanted.with_untracked(|(_, q)| q.clone()) />
        } />
        <CityList />
    }
}

/// The form: the articles, and a search that keeps what is ticked and typed; a name, or an open release; and
/// the moment. The button of the search is the first one: Enter never schedules by accident.
#[component]
fn NewForm(found: NewReleaseForm, q: String) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let NewReleaseForm { chosen, gone, offered, open } = found;
    let query = use_query_map().get_untracked();
    let of_url = move |name: &'static str| query.get(name).filter(|value| !value.is_empty());
    let answered = refusal_of(CreateRelease::PATH);
    let refusal = Signal::stored(answered.clone());
    let alert = answered.filter(|refusal| !refusal.is_about(&FIELDS));
    let name = typed(CreateRelease::PATH, "name").or_else(|| of_url("name"));
    let name = name.unwrap_or_else(|| name_of(&chosen));
    let into = typed(CreateRelease::PATH, "into").or_else(|| of_url("into")).unwrap_or_default();
    let input = initial_input(CreateRelease::PATH, of_url);
    let label = Signal::derive(move || {
        input.as_sentence().map_or_else(|| texts.schedule().to_owned(), |when| texts.schedule_for(when))
    });
    view! {
        <form
            method="post"
            action=CreateRelease::PATH
            class="message-form release-form"
            on:keydown=move |event| press_main_button(&event)
        >
            <input type="hidden" name="from" value=PAGE />
            <ArticlePicker page=PAGE.to_owned() ticked=chosen gone=gone offered=offered q=q />
            <AddTo open=open chosen=into />
            <Field name="name" label=texts.name() hint=texts.name_hint() refusal=refusal is_optional=true value=name />
            <div class="time-sentence"><span>{texts.publish_at()}</span><TimeFields input=input name=NAME has_words=true /></div>
            <TimeFeedback input=input name=NAME />
            <p class="row">
                <TimeSubmit input=input name=NAME label=label no_js=texts.schedule() />
                <button type="submit" class="button" name="draft" value="1" formnovalidate>{texts.create()}</button>
            </p>
            <Alert refusal=Signal::stored(alert) />
        </form>
    }
}

/// The open releases that the articles can be added to instead.
#[component]
fn AddTo(
    /// They.
    open: Vec<ReleaseRow>,
    /// `ID.VERSION` of the chosen one; empty: a new release.
    chosen: String,
) -> impl IntoView {
    let texts = ReleaseTexts::here();
    (!open.is_empty()).then(|| {
        let new = (String::new(), texts.new_release().to_owned());
        let open = open.into_iter().map(|row| (format!("{}.{}", row.id, row.version.0), row.name));
        let options: Vec<_> = iter::once(new).chain(open).collect();
        view! { <Choice name="into" label=texts.add_to() options=options chosen=chosen /> }
    })
}

/// Enter in a field presses the main button. Without JavaScript, and in the field of the search, it searches.
fn press_main_button(event: &ev::KeyboardEvent) {
    if event.key() != "Enter" || event.is_composing() || event.default_prevented() {
        return;
    }
    let field = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    let Some(field) = field.filter(|field| !matches!(field.type_().as_str(), "search" | "checkbox")) else {
        return;
    };
    let form = field.closest("form").ok().flatten();
    let button = form.and_then(|form| form.query_selector("button.main").ok().flatten());
    if let Some(button) = button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
        event.prevent_default();
        button.click();
    }
}

/// A name for a release of these articles; empty: it has none.
fn name_of(chosen: &[OfferedArticle]) -> String {
    match chosen {
        [] => String::new(),
        [one] => one.title.clone(),
        [first, rest @ ..] => ReleaseTexts::here().and_more(&first.title, rest.len()),
    }
}
