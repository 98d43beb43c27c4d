//! `/media`: all files as a grid, the upload form, the search and the usage.

use crate::media::{
    server_fns::{SetMediaQuota, list_media},
    upload_form::UploadForm,
};
use crate::{
    live::live_resource,
    session::visitor,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{PlainForm, field::Field, refusal_of, typed},
        icon::Icon,
        page::header::PageHeader,
        table::{
            address::ListAddress,
            pager::{PageLinks, Pager},
            search::Search,
        },
    },
};
use domain::media::{MediaItem, MediaList, MediaQuery, MediaUsage};
use leptos::{either::Either, prelude::*};
use server_fn::ServerFn;
use texts::articles::media::MediaTexts;
use texts::{
    lists::TableTexts,
    number::{bytes, grouped},
};

/// Number of files on a page.
const PAGE_ITEMS: u32 = 24;
const MIB: u64 = 1024 * 1024;

/// The library; the URL holds the search.
#[component]
pub fn Library() -> impl IntoView {
    let texts = MediaTexts::here();
    let address = ListAddress::here();
    let query = Memo::new(move |_| {
        address.with(|address| MediaQuery {
            search: address.get("q"),
            only_pictures: false,
            cursor: address.get("cursor"),
            limit: Some(PAGE_ITEMS),
        })
    });
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "media" | "article"),
        move || query.get(),
        list_media,
    );
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <section class="panel upload-panel" aria-labelledby="upload">
            <header><h2 id="upload">{texts.upload()}</h2></header>
            <UploadForm />
        </section>
        <Search address=address label=texts.find() button=texts.find_button() />
        <AsyncView from=read children=move |list| view! { <List list=list address=address query=query /> } />
    }
}

#[component]
fn List(list: Signal<MediaList>, address: Memo<ListAddress>, query: Memo<MediaQuery>) -> impl IntoView {
    let items = Memo::new(move |_| list.with(|list| list.page.items.clone()));
    let links = Memo::new(move |_| {
        list.with(|list| PageLinks {
            previous: None,
            next: list.page.next_cursor.clone(),
            shown: TableTexts::here().shown(grouped(list.page.items.len() as u64)),
        })
    });
    let usage = Memo::new(move |_| list.with(|list| list.usage));
    view! {
        {move || match items.with(Vec::is_empty) {
            true => Either::Left(view! { <NoFiles query=query /> }),
            false => Either::Right(view! {
                <ul class="media-grid">
                    {move || items.get().into_iter().map(|item| view! { <Tile item=item /> }).collect_view()}
                </ul>
            }),
        }}
        <Pager address=address links=links has_days=Signal::stored(false) />
        {move || view! { <Usage usage=usage.get() /> }}
    }
}

#[component]
fn NoFiles(query: Memo<MediaQuery>) -> impl IntoView {
    let texts = MediaTexts::here();
    match query.with(|query| query.search.is_some() || query.cursor.is_some()) {
        true => view! {
            <Empty title=texts.none_found() hint=texts.none_found_hint()>
                <a class="button" href="/media">{texts.clear()}</a>
            </Empty>
        }
        .into_any(),
        false => view! { <Empty title=texts.none() hint=texts.none_hint() /> }.into_any(),
    }
}

/// One file: its picture, name, size and use.
#[component]
fn Tile(item: MediaItem) -> impl IntoView {
    let texts = MediaTexts::here();
    let href = format!("/media/{}", item.id);
    let has_no_alt = item.size.is_some() && item.alt.is_empty();
    view! {
        <li>
            <a href=href>
                <Thumbnail item=item.clone() />
                <strong dir="auto">{item.name.clone()}</strong>
            </a>
            <span class="muted">{bytes(item.bytes)}" · "{used(&item)}</span>
            {has_no_alt.then(|| view! { <span class="muted">{texts.no_alt()}</span> })}
        </li>
    }
}

fn used(item: &MediaItem) -> String {
    let texts = MediaTexts::here();
    match item.used_by {
        0 => texts.unused().to_owned(),
        1 => texts.used_in_one().to_owned(),
        count => texts.used_in(count),
    }
}

/// The picture, or the ending of another file.
#[component]
pub fn Thumbnail(
    /// The file.
    item: MediaItem,
) -> impl IntoView {
    match (item.preview_path(), item.size) {
        (Some(path), Some((width, height))) => view! {
            <img class="media-thumbnail" src=path width=width height=height alt=item.alt loading="lazy" decoding="async" />
        }
        .into_any(),
        _ => view! { <span class="media-thumbnail media-file" aria-hidden="true">{item.kind.as_str()}</span> }
            .into_any(),
    }
}

/// How much is used; admins change the limit here.
#[component]
fn Usage(usage: MediaUsage) -> impl IntoView {
    let texts = MediaTexts::here();
    let (used, quota) = (bytes(usage.bytes), bytes(usage.quota));
    let (is_full, sentence) = match usage.bytes >= usage.quota {
        true => (true, texts.usage_full(used, quota)),
        false => (false, texts.usage(used, quota)),
    };
    let refusal = refusal_of(SetMediaQuota::PATH);
    let refusal = Signal::derive(move || refusal.clone());
    let typed = typed(SetMediaQuota::PATH, "quota_mib").unwrap_or_else(|| (usage.quota / MIB).to_string());
    view! {
        <section class="media-usage">
            <p class=if is_full { "notice warn" } else { "muted" }>{sentence}</p>
            {visitor().is_admin().then(|| view! {
                <PlainForm function=SetMediaQuota::PATH class="row" fields=&["quota_mib"]>
                    <Field name="quota_mib" kind="number" label=texts.quota() value=typed refusal=refusal />
                    <button type="submit" class="button"><Icon name="check" />{texts.quota_button()}</button>
                </PlainForm>
            })}
        </section>
    }
}
