//! `/articles/new`: a text that the desk does not have yet.

use crate::{
    calls::articles::CreateArticle,
    components::{
        editor::{Editor, copy::Text, draft::Draft},
        head::Head,
        workbench::{Side, Step},
    },
    form::answer_of,
    words::articles::ArticleWords,
};
use domain::article::Preview;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use wasm_bindgen::JsValue;

/// The editor with nothing in it. After the first save it goes on as the editor of that article.
#[component]
pub fn ArticleNew() -> impl IntoView {
    let words = ArticleWords::here();
    let draft = Draft::new(None, typed());
    let is_preview = use_query_map().with_untracked(|query| query.get("view").as_deref() == Some("preview"));
    Effect::new(move |was: Option<()>| {
        if let (Some(id), Some(())) = (draft.id.get(), was)
            && let Ok(history) = window().history()
        {
            _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("/articles/{id}")));
        }
    });
    view! {
        <Head title=words.new_heading().to_owned()><a href="/articles">{words.back_to_list()}</a></Head>
        <div class="workbench">
            <div class="workbench-main">
                <Editor
                    draft=draft
                    preview=Preview { html: String::new(), words: 0 }
                    is_preview=is_preview
                    may_change=true
                />
            </div>
            <aside class="workbench-side">
                <Step draft=draft may_change=true />
                <Side draft=draft first=None />
            </aside>
        </div>
    }
}

/// What a refused form brought back.
fn typed() -> Option<(Text, domain::Refusal)> {
    let answer = answer_of(CreateArticle::PATH, None)?;
    let typed = |field: &str| answer.typed(field).unwrap_or_default().to_owned();
    Some((Text { title: typed("title"), body: typed("body") }, answer.refusal.clone()))
}
