//! `/articles/new`: an article that is not saved yet.

use crate::{
    articles::{
        editor::{Editor, Outline, details::DetailFields, draft::Draft, local_backup::Text},
        layout::{EditorHeader, NewSchedulePane},
        schedule_panel::is_about_time,
        server_fns::CreateArticle,
    },
    media::insert::InsertPicture,
    presence::Presence,
    ui::{
        async_view::AsyncView,
        form::{PagePath, focus::focus_first, result_of},
        time::time_fns::time_presets,
    },
};
use domain::article::Preview;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::articles::ArticleTexts;
use wasm_bindgen::JsValue;

/// An empty editor. After the first save, it continues as the editor of that article.
#[component]
pub fn ArticleNew() -> impl IntoView {
    let texts = ArticleTexts::here();
    let draft = Draft::new(None, typed());
    if draft.refusal.with_untracked(|refusal| refusal.as_ref().is_some_and(is_about_time)) {
        draft.refusal.set(None);
    }
    focus_first(&["#title"]);
    let path = RwSignal::new(None);
    provide_context(PagePath(path));
    let presets = Resource::new(|| (), |()| time_presets(String::new()));
    let is_preview = use_query_map().with_untracked(|query| query.get("view").as_deref() == Some("preview"));
    let title = Memo::new(move |_| {
        let title = draft.text.with(|text| text.title.clone());
        if title.trim().is_empty() { texts.new_heading().to_owned() } else { title }
    });
    Effect::new(move |was: Option<()>| {
        if let (Some(id), Some(())) = (draft.id.get(), was)
            && let Ok(history) = window().history()
        {
            let address = format!("/articles/{id}");
            _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
            path.set(Some(address));
        }
    });
    view! {
        {move || draft.id.get().map(|id| view! { <Presence id=Signal::stored(id.to_string()) /> })}
        <EditorHeader title=title />
        <div class="article-layout is-new">
            <div class="article-main">
                <Editor
                    draft=draft
                    preview=Preview { html: String::new(), words: 0, minutes: 0 }
                    is_preview=is_preview
                    may_change=true
                />
            </div>
            <aside class="article-side">
                <AsyncView from=presets let:presets>
                    <NewSchedulePane draft=draft presets=presets.get_untracked() />
                </AsyncView>
                <InsertPicture />
                <Outline />
            </aside>
        </div>
    }
}

/// Returns the input and the error of a refused form.
fn typed() -> Option<(Text, domain::DomainError)> {
    let result = result_of(CreateArticle::PATH, None)?;
    let typed = |field: &str| result.typed(field).unwrap_or_default().to_owned();
    let details = DetailFields::typed(typed);
    Some((Text { title: typed("title"), body: typed("body"), details }, result.refusal.clone()))
}
