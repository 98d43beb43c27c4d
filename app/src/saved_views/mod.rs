//! Saved views of a list: links to them, and forms to save, rename and delete one.

pub mod result;
pub mod server_fns;

use crate::saved_views::server_fns::{DeleteView, RenameView, SaveView, read_views};
use crate::ui::{
    async_view::AsyncView,
    form::{PlainForm, field::Field, refusal_of, typed},
    table::address::ListAddress,
};
use domain::accounts::saved_view::{MAX_VIEW_NAME, SavedView, ViewedList};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::saved_views::SavedViewTexts;

/// The views of a list.
#[component]
pub fn SavedViewBar(
    /// The list.
    list: ViewedList,
    /// Its URL.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let read = Resource::new(|| (), move |()| read_views(list));
    view! { <AsyncView from=read children=move |views| view! { <Bar list=list views=views address=address /> } /> }
}

/// The filters of a URL.
fn filters(address: &ListAddress) -> String {
    let url = address.start().to_string();
    url.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default()
}

#[component]
fn Bar(list: ViewedList, views: Signal<Vec<SavedView>>, address: Memo<ListAddress>) -> impl IntoView {
    let texts = SavedViewTexts::here();
    let here = Memo::new(move |_| address.with(filters));
    let links = move || {
        let links = views.get().into_iter().map(|view| {
            let href = if view.query.is_empty() {
                list.path().to_owned()
            } else {
                format!("{}?{}", list.path(), view.query)
            };
            let query = view.query;
            let current = move || (here.get() == query).then_some("page");
            view! { <a href=href dir="auto" aria-current=current>{view.name}</a> }
        });
        links.collect_view()
    };
    let current = Memo::new(move |_| {
        let here = here.get();
        views.with(|views| views.iter().find(|view| view.query == here).cloned())
    });
    let has_views = Memo::new(move |_| views.with(|views| !views.is_empty()));
    let can_save = Memo::new(move |_| !here.get().is_empty() && current.get().is_none());
    let is_refused = refusal_of(SaveView::PATH).is_some();
    view! {
        <div class="saved-views">
            {move || has_views.get().then(|| view! { <nav class="list-tabs" aria-label=texts.title()>{links()}</nav> })}
            {move || (can_save.get() || is_refused).then(|| view! { <SaveForm list=list here=here /> })}
            {move || current.get().map(|view| view! { <ChangeForms view=view /> })}
        </div>
    }
}

#[component]
fn SaveForm(list: ViewedList, here: Memo<String>) -> impl IntoView {
    let texts = SavedViewTexts::here();
    let refusal = refusal_of(SaveView::PATH);
    let is_open = refusal.is_some();
    let name = typed(SaveView::PATH, "name").unwrap_or_default();
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button small bare">{texts.save_this()}</summary>
            <PlainForm function=SaveView::PATH class="fields" fields=&["name"]>
                <input type="hidden" name="list" value=list.as_str() />
                <input type="hidden" name="query" value=move || here.get() />
                <Field name="name" id="view-name" label=texts.name(MAX_VIEW_NAME) value=name refusal=Signal::stored(refusal) />
                <button type="submit" class="button">{texts.save()}</button>
            </PlainForm>
        </details>
    }
}

/// Another name for the view that is shown, and its removal.
#[component]
fn ChangeForms(view: SavedView) -> impl IntoView {
    let texts = SavedViewTexts::here();
    let refusal = refusal_of(RenameView::PATH);
    let is_open = refusal.is_some() || refusal_of(DeleteView::PATH).is_some();
    let name = typed(RenameView::PATH, "name").unwrap_or_else(|| view.name.clone());
    let (id, seen) = (view.id.to_string(), view.version.0);
    let same = id.clone();
    view! {
        <details class="open-in-place" open=is_open>
            <summary class="button small bare" aria-label=texts.change_of(&view.name)>{texts.change()}</summary>
            <PlainForm function=RenameView::PATH class="fields" fields=&["name"]>
                <input type="hidden" name="id" value=same />
                <input type="hidden" name="seen" value=seen />
                <Field name="name" id="view-new-name" label=texts.name(MAX_VIEW_NAME) value=name refusal=Signal::stored(refusal) />
                <button type="submit" class="button">{texts.rename()}</button>
            </PlainForm>
            <PlainForm function=DeleteView::PATH>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=seen />
                <button type="submit" class="button danger">{texts.delete()}</button>
            </PlainForm>
        </details>
    }
}
