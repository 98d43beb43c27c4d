//! The slug of the article.

use crate::{
    articles::server_fns::RenameArticle,
    ui::{
        form::{Form, typed},
        result::{ActionResult, announce},
    },
};
use domain::{article::Article, input_limits};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::articles::ArticleTexts;

/// Shows and changes the slug, and lists the previous ones.
#[component]
pub fn SlugForm(
    /// The article.
    article: Signal<Article>,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let action = ServerAction::<RenameArticle>::new();
    let id = article.with_untracked(|article| article.row.id);
    let may_change = Memo::new(move |_| article.with(|article| article.may_change));
    let slug = Memo::new(move |_| article.with(|article| article.row.slug.clone()));
    announce(action, move |()| ActionResult::new(texts.slug_changed()));
    let refused = typed(RenameArticle::PATH, "slug");
    let shown = move || refused.clone().unwrap_or_else(|| slug.get());
    let former = Memo::new(move |_| article.with(|article| article.former_slugs.clone()));
    view! {
        <section class="slug-form">
            {move || match may_change.get() {
                true => {
                    let shown = shown.clone();
                    view! {
                        <Form action=action>
                            <input type="hidden" name="id" value=id.to_string() />
                            <label for="slug">{texts.slug()}</label>
                            <div class="slug-line">
                                <input
                                    id="slug"
                                    name="slug"
                                    type="text"
                                    required
                                    maxlength=input_limits::MAX_SLUG_CHARS
                                    value=shown
                                    autocomplete="off"
                                    spellcheck="false"
                                    aria-describedby="slug-hint"
                                />
                                <button type="submit" class="button">{texts.change_slug()}</button>
                            </div>
                            <p class="hint" id="slug-hint">{texts.slug_hint()}</p>
                        </Form>
                    }
                    .into_any()
                }
                false => view! {
                    <p class="slug-url"><span class="hint">{texts.slug()}</span> " " <code>"/site/"{slug}</code></p>
                }
                .into_any(),
            }}
            {move || {
                let former = former.get();
                (!former.is_empty()).then(|| {
                    let items = former.into_iter().map(|slug| view! { <li><code>"/site/"{slug}</code></li> });
                    view! {
                        <p class="hint">{texts.previous_slugs()}</p>
                        <ul class="previous-slugs">{items.collect_view()}</ul>
                    }
                })
            }}
        </section>
    }
}
