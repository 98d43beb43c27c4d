//! `/articles/{id}`: the editor, and beside it when the article goes out.

use crate::{
    calls::articles::{Opened, SaveArticle, open_article},
    components::{
        editor::{Editor, copy::Text, draft::Draft},
        head::Head,
        loaded::Loaded,
        workbench::{Side, Step},
    },
    form::answer_of,
    words::articles::ArticleWords,
};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use server_fn::ServerFn;

/// The editor of the article in the address.
#[component]
pub fn Article() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    // Another article is another page: nothing of the last one stays.
    move || view! { <OneArticle id=id.get() /> }
}

#[component]
fn OneArticle(id: String) -> impl IntoView {
    let opened = Resource::new(move || id.clone(), open_article);
    view! {
        <Loaded from=opened let:opened>
            <Workbench opened=opened.get_untracked() />
        </Loaded>
    }
}

#[component]
fn Workbench(opened: Opened) -> impl IntoView {
    let words = ArticleWords::here();
    let id = opened.article.row.id;
    let draft = Draft::new(Some(&opened.article), typed(&id.to_string()));
    let view = use_query_map().with_untracked(|query| query.get("view")).unwrap_or_default();
    let (is_preview, is_moment) = (view == "preview", view == "moment");
    let (preview, may_change) = (opened.preview.clone(), opened.article.may_change);
    let title = Memo::new(move |_| draft.text.with(|text| text.title.clone()));
    view! {
        <Head title=title><a href="/articles">{words.back_to_list()}</a></Head>
        <div class="workbench" class:at-moment=is_moment>
            <div class="workbench-main">
                <Editor draft=draft preview=preview is_preview=is_preview may_change=may_change />
            </div>
            <aside class="workbench-side">
                <Step draft=draft may_change=may_change />
                <Side draft=draft first=Some(opened) />
            </aside>
        </div>
    }
}

/// What a refused form of this article brought back.
fn typed(id: &str) -> Option<(Text, domain::Refusal)> {
    let answer = answer_of(SaveArticle::PATH, Some(id))?;
    let typed = |field: &str| answer.typed(field).unwrap_or_default().replace("\r\n", "\n");
    Some((Text { title: typed("title"), body: typed("body") }, answer.refusal.clone()))
}
