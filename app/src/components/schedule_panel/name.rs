//! The article's name in its address.

use crate::{
    calls::articles::RenameArticle,
    form::{Form, is_answer, typed},
    words::articles::ArticleWords,
};
use domain::{article::Article, limit};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;

/// Shows the address, changes it, and lists the older ones.
#[component]
pub fn NameForm(
    /// The article.
    article: Signal<Article>,
) -> impl IntoView {
    let words = ArticleWords::here();
    let action = ServerAction::<RenameArticle>::new();
    let (id, may_change) = article.with_untracked(|article| (article.row.id, article.may_change));
    let slug = Memo::new(move |_| article.with(|article| article.row.slug.clone()));
    let was_renamed = use_query_map().with_untracked(|query| query.get("done").as_deref() == Some("rename"));
    let was_renamed = was_renamed && !is_answer();
    let refused = typed(RenameArticle::PATH, "slug");
    let is_open = refused.is_some();
    let first = refused.unwrap_or_else(|| slug.get_untracked());
    let former = Memo::new(move |_| article.with(|article| article.former_slugs.clone()));
    view! {
        <section class="name">
            <p class="name-address"><span class="hint">{words.address()}</span> " " <code>"/site/"{slug}</code></p>
            {may_change.then(|| view! {
                <details class="open-in-place" open=is_open>
                    <summary class="button small">{words.rename()}</summary>
                    <Form action=action>
                        <input type="hidden" name="id" value=id.to_string() />
                        <label for="slug">{words.address()}</label>
                        <input
                            id="slug"
                            name="slug"
                            type="text"
                            required
                            maxlength=limit::SLUG_CHARS
                            value=first
                            autocomplete="off"
                            spellcheck="false"
                            aria-describedby="slug-hint"
                        />
                        <p class="hint" id="slug-hint">{words.address_hint()}</p>
                        <button type="submit" class="button">{words.rename()}</button>
                    </Form>
                </details>
            })}
            <p role="status">
                {move || (was_renamed || matches!(action.value().get(), Some(Ok(())))).then(|| words.renamed())}
            </p>
            {move || {
                let former = former.get();
                (!former.is_empty()).then(|| {
                    let items = former.into_iter().map(|slug| view! { <li><code>"/site/"{slug}</code></li> });
                    view! {
                        <p class="hint">{words.former()}</p>
                        <ul class="former">{items.collect_view()}</ul>
                    }
                })
            }}
        </section>
    }
}
