//! `/articles/{id}/posts/{channel_id}`: the text that another site has of an article now, beside the one that was sent
//! there. The site is asked when this page is opened. For admins.

use super::posts_fns::{TakeTheirs, read_text_there};
use crate::{
    help::link::WordLink,
    ui::{async_view::AsyncView, diff::Diff, form::PlainForm, page::header::PageHeader},
};
use domain::{imports::TextThere, post::Post};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use server_fn::ServerFn;
use texts::{articles::ArticleTexts, deliveries::posts::PostTexts};

/// The page.
#[component]
pub fn TextTherePage() -> impl IntoView {
    let params = use_params_map();
    let asked = Memo::new(move |_| {
        let params = params.read();
        (params.get("id").unwrap_or_default(), params.get("channel_id").unwrap_or_default())
    });
    let page = Resource::new(
        move || asked.get(),
        |(article, channel)| async move { read_text_there(article, channel).await },
    );
    let back = move || format!("/articles/{}?view=schedule", asked.get().0);
    view! {
        <PageHeader title=PostTexts::here().both().to_owned()>
            <WordLink topic="revisions" word="revision" name=ArticleTexts::here().revisions() />
            <a href=back>{ArticleTexts::here().back_to_editor()}</a>
        </PageHeader>
        <AsyncView from=page let:page>
            {move || view! { <Both text=page.get() /> }}
        </AsyncView>
    }
}

#[component]
fn Both(text: TextThere) -> impl IntoView {
    let texts = PostTexts::here();
    let TextThere { post, sent_title, title, hash, left_out, lines, can_take, .. } = text;
    let sentence = texts.sentence(&post);
    let name = post.name.clone();
    let titles = (sent_title != title).then(|| {
        view! { <p>{texts.title_there()} " " <s dir="auto">{sent_title}</s> " → " <strong dir="auto">{title}</strong></p> }
    });
    let left_out = (!left_out.is_empty())
        .then(|| view! { <p class="notice">{texts.not_taken(left_out.join(", "))}</p> });
    let url = post.url.clone().filter(|_| post.state.is_public() || post.published_at.is_some());
    let link = url.map(|url| {
        let address = url.clone();
        view! { " " <a href=address rel="external noopener">{url}</a> }
    });
    view! {
        <p><strong>{name}</strong> " · " {sentence} {link}</p>
        <p class="hint">{texts.both_hint()}</p>
        {titles}
        {left_out}
        <section class="comparison" aria-label=texts.both()>
            <Diff lines=lines />
        </section>
        {can_take.then(|| view! { <Take post=post hash=hash /> })}
    }
}

/// The button that takes the text there.
#[component]
fn Take(post: Post, hash: String) -> impl IntoView {
    let texts = PostTexts::here();
    let id = post.id.map(|id| id.to_string()).unwrap_or_default();
    view! {
        <PlainForm function=TakeTheirs::PATH class="stack">
            <input type="hidden" name="post" value=id />
            <input type="hidden" name="seen_version" value=post.version.0 />
            <input type="hidden" name="seen_hash" value=hash />
            <p class="muted">{texts.take_hint()}</p>
            <p><button class="button main" type="submit">{texts.take()}</button></p>
        </PlainForm>
    }
}
