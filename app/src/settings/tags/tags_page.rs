//! `/settings/tags`: renames and merges tags. For admins.

use super::tag_fns::{RenameTag, list_tags};
use crate::ui::{
    async_view::AsyncView,
    empty::Empty,
    form::{PlainForm, field::Field, refusal_of, typed},
    html::encoded,
    page::settings_menu::AdminSettings,
};
use domain::articles::details::{MAX_LISTED_TAGS, Tag};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::settings::tags::TagTexts;

/// The page.
#[component]
pub fn TagsView() -> impl IntoView {
    let texts = TagTexts::here();
    view! {
        <AdminSettings title=texts.title() lead=texts.lead() messages=vec![("save", texts.saved())]><ForAdmins /></AdminSettings>
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| list_tags());
    view! {
        <AsyncView from=read let:tags>
            <Tags tags=tags.get_untracked() />
        </AsyncView>
    }
}

#[component]
fn Tags(tags: Vec<Tag>) -> impl IntoView {
    let texts = TagTexts::here();
    if tags.is_empty() {
        return view! { <Empty title=texts.none() hint=texts.none_hint() /> }.into_any();
    }
    let is_cut = tags.len() >= MAX_LISTED_TAGS as usize;
    let row = move |tag: &Tag| {
        let path = format!("/articles?tag={}", encoded(&tag.name));
        view! {
            <li>
                <a href=path dir="auto">{tag.name.clone()}</a>
                " "
                <span class="muted">{texts.articles(tag.articles)}</span>
            </li>
        }
    };
    view! {
        {is_cut.then(|| view! { <p class="notice">{texts.too_many()}</p> })}
        <RenameForm tags=tags.clone() />
        <ul class="plain-list">{tags.iter().map(row).collect_view()}</ul>
    }
    .into_any()
}

/// Chooses a tag and gives it another name.
#[component]
fn RenameForm(tags: Vec<Tag>) -> impl IntoView {
    let texts = TagTexts::here();
    let path = RenameTag::PATH;
    let (chosen, is_merge) = (typed(path, "id"), typed(path, "merge").is_some());
    let refusal = Signal::stored(refusal_of(path));
    let option = move |tag: Tag| {
        let is_chosen = chosen.as_deref() == Some(tag.key.as_str());
        view! { <option value=tag.key selected=is_chosen>{tag.name}</option> }
    };
    view! {
        <PlainForm function=path class="stack" fields=&["to"]>
            <div class="field">
                <label for="tag">{texts.tag()}</label>
                <select id="tag" name="id">{tags.into_iter().map(option).collect_view()}</select>
            </div>
            <Field name="to" label=texts.name() value=typed(path, "to").unwrap_or_default() refusal=refusal />
            <label class="choice">
                <input type="checkbox" name="merge" value="true" checked=is_merge />
                <span>{texts.merge()}</span>
            </label>
            <p><button type="submit" class="button main">{texts.rename()}</button></p>
        </PlainForm>
    }
}
