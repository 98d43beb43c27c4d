//! `/articles/{id}`: the editor, and its schedule beside it.

use crate::{
    articles::{
        editor::{Editor, Outline, details::DetailFields, draft::Draft, local_backup::Text},
        layout::{EditorHeader, EditorStep, SchedulePane},
        server_fns::{OpenedArticle, SaveArticle, open_article},
    },
    deliveries::channels::{posts::AlsoOn, posts_fns::list_posts},
    media::insert::InsertPicture,
    presence::Presence,
    reminders::about::RemindersAbout,
    ui::{
        async_view::AsyncView,
        form::{focus::focus_first, result_of},
    },
};
use domain::reminders::Subject;
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use server_fn::ServerFn;

/// The editor of the article in the URL.
#[component]
pub fn Article() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    // Another article replaces the whole editor.
    move || view! { <OneArticle id=id.get() /> }
}

#[component]
fn OneArticle(id: String) -> impl IntoView {
    let shown = Signal::stored(id.clone());
    let opened = Resource::new(move || id.clone(), open_article);
    view! {
        <Presence id=shown />
        <AsyncView from=opened let:opened>
            <ArticleEditor opened=opened.get_untracked() />
        </AsyncView>
        <AlsoOn id=shown list=list_posts />
        <RemindersAbout subject=Subject::Article id=shown />
    }
}

/// Where the focus goes if the page is opened to schedule the article: the time, or the heading if there is
/// no time to enter.
const SCHEDULE_FIELDS: &[&str] =
    &[".article-side .schedule input:not([type=hidden], [type=radio], [type=checkbox])", "#schedule-heading"];

#[component]
fn ArticleEditor(opened: OpenedArticle) -> impl IntoView {
    let id = opened.article.row.id;
    let draft = Draft::new(Some(&opened.article), typed(&id.to_string()));
    let view = use_query_map().with_untracked(|query| query.get("view")).unwrap_or_default();
    let (is_preview, is_schedule) = (view == "preview", view == "schedule");
    if is_schedule {
        focus_first(SCHEDULE_FIELDS);
    }
    let (preview, may_change) = (opened.preview.clone(), opened.article.may_change);
    let may_edit = opened.article.row.may_change;
    let title = Memo::new(move |_| draft.text.with(|text| text.title.clone()));
    view! {
        <EditorHeader title=title />
        <div class="article-layout" class:is-scheduling=is_schedule>
            <div class="article-main">
                <Editor
                    draft=draft preview=preview is_preview=is_preview may_change=may_change may_edit=may_edit
                />
            </div>
            <aside class="article-side">
                <EditorStep draft=draft may_change=may_change />
                <SchedulePane draft=draft first=opened />
                {may_change.then(|| view! { <InsertPicture /> <Outline /> })}
            </aside>
        </div>
    }
}

/// Returns the input and the error of a refused form of this article.
fn typed(id: &str) -> Option<(Text, domain::DomainError)> {
    let result = result_of(SaveArticle::PATH, Some(id))?;
    let typed = |field: &str| result.typed(field).unwrap_or_default().replace("\r\n", "\n");
    let details = DetailFields::typed(typed);
    Some((Text { title: typed("title"), body: typed("body"), details }, result.refusal.clone()))
}
