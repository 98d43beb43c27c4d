//! `/media/{id}`: one file, its Markdown, its alternative text, where it is used, its replacement and its deletion.

use crate::media::{
    replace::Replace,
    server_fns::{DeleteMedia, EditMedia, find_media},
};
use crate::{
    live::{live, live_resource},
    session::visitor,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        form::{PlainForm, field::Field, kept_view::KeptView, result_of},
        icon::Icon,
        page::header::TabTitle,
    },
};
use domain::media::{MediaDetails, MediaItem, MediaUse};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use server_fn::ServerFn;
use texts::articles::media::MediaTexts;
use texts::{language, number::bytes, time};

/// The page.
#[component]
pub fn FilePage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "media" | "article" | "task"),
        move || id.get(),
        find_media,
    );
    view! { <AsyncView from=read children=move |details| view! { <File details=details /> } /> }
}

#[component]
fn File(details: Signal<MediaDetails>) -> impl IntoView {
    let texts = MediaTexts::here();
    let latest = Memo::new(move |_| details.get());
    view! {
        <TabTitle title=Signal::derive(move || latest.with(|details| details.item.name.clone())) />
        <KeptView latest=latest children=move |MediaDetails { item, uses, is_on_site, replace_refusal }| {
            let is_blocked = uses.iter().any(|one| one.is_public || one.is_scheduled);
            let is_public = is_on_site || uses.iter().any(|one| one.is_public);
            let may_change = item.may_change;
            view! {
                <header class="editor-header media-title">
                    <a href="/media"><Icon name="left" />{texts.back()}</a>
                    <h1 dir="auto">{item.name.clone()}</h1>
                </header>
                <div class="media-page">
                    <Shown item=item.clone() />
                    <Insert item=item.clone() />
                    {may_change.then(|| view! { <AltForm item=item.clone() /> })}
                    <Uses uses=uses is_on_site=is_on_site />
                    <Replace item=item.clone() is_public=is_public refusal=replace_refusal />
                    {may_change.then(|| view! { <Delete item=item is_blocked=is_blocked /> })}
                </div>
            }
        } />
    }
}

/// The picture, its type and sizes, and who uploaded it.
#[component]
fn Shown(item: MediaItem) -> impl IntoView {
    let texts = MediaTexts::here();
    let when = time::moment(language(), item.created, visitor().zone(), live().now().get_untracked());
    let uploaded = texts.uploaded(item.owner.clone(), when);
    let pixels = item.size.map(|(width, height)| texts.pixels(width, height));
    let facts = [Some(item.kind.mime().to_owned()), pixels, Some(bytes(item.bytes))];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let picture = item.size.map(|(width, height)| {
        view! { <img class="media-picture" src=item.path() width=width height=height alt=item.alt.clone() /> }
    });
    view! {
        <section class="panel" aria-labelledby="facts">
            <header><h2 id="facts">{texts.facts()}</h2></header>
            {picture}
            <p>{facts}</p>
            <p class="muted">{uploaded}</p>
            <p><a class="button small" href=item.path() rel="external" target="_blank">{texts.open()}</a></p>
        </section>
    }
}

/// The Markdown that inserts it, and its address.
#[component]
fn Insert(item: MediaItem) -> impl IntoView {
    let texts = MediaTexts::here();
    let address_hint = if item.size.is_some() { texts.address_hint() } else { "" };
    view! {
        <section class="panel" aria-labelledby="insert">
            <header><h2 id="insert">{texts.insert()}</h2></header>
            <CopyField id="markdown" label=texts.markdown() hint=texts.insert_hint() text=item.markdown() />
            <CopyField id="address" label=texts.address() hint=address_hint text=item.path() />
        </section>
    }
}

/// A text to copy.
#[component]
fn CopyField(id: &'static str, label: &'static str, hint: &'static str, text: String) -> impl IntoView {
    let (label_id, hint_id) = (format!("{id}-label"), format!("{id}-hint"));
    let described = (!hint.is_empty()).then(|| hint_id.clone());
    view! {
        <div class="field copy-field">
            <label id=label_id.clone() for=id>{label}</label>
            <div>
                <input id=id type="text" dir="ltr" readonly=true value=text.clone() aria-describedby=described.clone() />
                <CopyButton text=text attr:aria-describedby=label_id />
            </div>
            {described.map(|hint_id| view! { <span class="hint" id=hint_id>{hint}</span> })}
        </div>
    }
}

#[component]
fn AltForm(item: MediaItem) -> impl IntoView {
    let texts = MediaTexts::here();
    let id = item.id.to_string();
    let refused = result_of(EditMedia::PATH, Some(&id));
    let typed = refused.as_ref().and_then(|refused| refused.typed("alt").map(str::to_owned));
    let refusal = refused.map(|refused| refused.refusal);
    let refusal = Signal::derive(move || refusal.clone());
    view! {
        <section class="panel">
            <PlainForm function=EditMedia::PATH about=id.clone() class="upload-form" fields=&["alt"]>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen_version" value=item.version.0 />
                <Field
                    name="alt"
                    label=texts.alt()
                    hint=texts.alt_hint()
                    value=typed.unwrap_or(item.alt)
                    is_optional=true
                    refusal=refusal
                />
                <button type="submit" class="button main">{texts.save_alt()}</button>
            </PlainForm>
        </section>
    }
}

/// The articles that use it.
#[component]
fn Uses(uses: Vec<MediaUse>, is_on_site: bool) -> impl IntoView {
    let texts = MediaTexts::here();
    let state = move |one: &MediaUse| match one {
        MediaUse { is_public: true, .. } => texts.is_public(),
        MediaUse { is_scheduled: true, .. } => texts.is_scheduled(),
        MediaUse { is_current: true, .. } => texts.is_draft(),
        _ => texts.is_older(),
    };
    let row = move |one: MediaUse| {
        let state = state(&one);
        view! {
            <li>
                <a href=format!("/articles/{}", one.article) dir="auto">{one.title}</a>
                " "
                <span class="muted">{state}</span>
            </li>
        }
    };
    view! {
        <section class="panel" aria-labelledby="uses">
            <header><h2 id="uses">{texts.where_used()}</h2></header>
            {is_on_site.then(|| view! { <p>{texts.on_site()}</p> })}
            {match uses.is_empty() {
                true if is_on_site => ().into_any(),
                true => view! { <p class="muted">{texts.nowhere()}</p> }.into_any(),
                false => view! { <ul class="plain-list">{uses.into_iter().map(row).collect_view()}</ul> }.into_any(),
            }}
        </section>
    }
}

/// The deletion, with a confirmation.
#[component]
fn Delete(item: MediaItem, is_blocked: bool) -> impl IntoView {
    let texts = MediaTexts::here();
    let id = item.id.to_string();
    let is_refused = result_of(DeleteMedia::PATH, Some(&id)).is_some();
    if is_blocked && !is_refused {
        return view! { <section class="panel"><p class="muted">{texts.delete_blocked()}</p></section> }
            .into_any();
    }
    view! {
        <section class="panel">
            <details class="open-in-place" open=is_refused>
                <summary class="button small danger">{texts.delete()}</summary>
                <p>{texts.delete_hint()}</p>
                <PlainForm function=DeleteMedia::PATH about=id.clone()>
                    <input type="hidden" name="id" value=id />
                    <button type="submit" class="button danger">{texts.delete_confirm()}</button>
                </PlainForm>
            </details>
        </section>
    }
    .into_any()
}
