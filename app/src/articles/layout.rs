//! Layout of the article page: the pane beside the editor.
//!
//! Without JavaScript, text and schedule are two steps, because submitting one form would lose the
//! input of the other. The step to the schedule saves the text first and then shows it read-only.

use crate::{
    articles::{
        editor::{
            FORM,
            draft::{Draft, Trash},
        },
        schedule_panel::{NewArticleSchedule, SchedulePanel},
        server_fns::{OpenedArticle, article_state},
    },
    live::{live, live_value},
    session::visitor,
    ui::{async_view::AsyncView, icon::Icon, page::header::TabTitle, time::time_fns::time_presets},
};
use domain::TimePresets;
use domain::{ArticleId, article::Article, event::Signal as Change};
use leptos::prelude::*;
use texts::{articles::ArticleTexts, language, time::moment};

/// The title of the page and of its tab, the link to the list, and the switch of the focus mode, which is
/// in the script of the editor. The visible title is the field.
#[component]
pub fn EditorHeader(
    /// The title.
    #[prop(into)]
    title: Signal<String>,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    view! {
        <TabTitle title=title />
        <header class="editor-header">
            <h1 class="visually-hidden" dir="auto">{title}</h1>
            <a href="/articles"><Icon name="left" />{texts.back_to_list()}</a>
            <button
                type="button"
                class="button bare small needs-js focus-toggle"
                aria-pressed="false"
                aria-keyshortcuts="Control+."
                title=format!("{} (Ctrl+.)", texts.focus())
            >
                <Icon name="focus" />
                {texts.focus()}
            </button>
        </header>
    }
}

/// Without JavaScript: the button that saves the text and opens the schedule, and the link back.
#[component]
pub fn EditorStep(
    /// The draft being edited.
    draft: Draft,
    /// Whether the user may change it.
    may_change: bool,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let text = draft.id.get_untracked().map(|id| format!("/articles/{id}"));
    view! {
        <div class="editor-step no-js">
            {may_change.then(|| view! {
                <button type="submit" form=FORM name="then" value="schedule" class="button main step-next">
                    {texts.save_and_schedule()}
                </button>
            })}
            <a class="step-back" href=text>{texts.to_body()}</a>
        </div>
    }
}

/// The schedule of an article that exists.
#[component]
pub fn SchedulePane(
    /// The draft being edited.
    draft: Draft,
    /// The article as loaded with the page.
    first: OpenedArticle,
) -> impl IntoView {
    // Rendered without a resource. A nested resource would get different ids on server and browser,
    // and hydration would fail.
    view! { <Schedule draft=draft first=first.article presets=first.presets /> }
}

/// The schedule of a new article: scheduling saves it.
#[component]
pub fn NewSchedulePane(
    /// The draft being edited.
    draft: Draft,
    /// Time presets.
    presets: TimePresets,
) -> impl IntoView {
    let saved = move |id| view! { <NewArticlePane draft=draft id=id /> };
    view! { <NewArticleSchedule draft=draft presets=presets saved=saved /> }
}

/// The schedule of an article that was created on this page. Browser only.
#[component]
fn NewArticlePane(draft: Draft, id: ArticleId) -> impl IntoView {
    let loaded = Resource::new(
        || (),
        move |()| async move { Ok((article_state(id).await?, time_presets(String::new()).await?)) },
    );
    view! {
        <AsyncView from=loaded let:loaded>
            {
                let (first, presets) = loaded.get_untracked();
                view! { <Schedule draft=draft first=first presets=presets /> }
            }
        </AsyncView>
    }
}

#[component]
fn Schedule(draft: Draft, first: Article, presets: TimePresets) -> impl IntoView {
    let id = first.row.id;
    let known = StoredValue::new(first.clone());
    let wants = move |change: &Change| {
        let is_its_task = known.with_value(|article| {
            article.waiting.iter().chain(&article.row.held).any(|task| task.id.0 == change.entity_id)
        });
        let is_released = known.with_value(|article| article.row.release.is_some());
        match change.entity.as_str() {
            "article" => change.entity_id == id.0,
            // The task of its release is moved or cancelled.
            "task" => is_its_task || is_released || change.verb == "schedule" || change.verb == "undo",
            "release" => is_released,
            _ => false,
        }
    };
    let article = live_value(first, true, wants, move || article_state(id));
    Effect::new(move |_| known.set_value(article.get()));
    Effect::new(move |_| {
        draft.save_state.track();
        draft.refresh(article.with(|article| article.row.revision));
    });
    Effect::new(move |_| draft.schedule_line.set(article.with(next_time)));
    Effect::new(move |_| draft.set_trash(article.with(Trash::of)));
    view! { <SchedulePanel draft=draft article=article presets=presets /> }
}

/// Time of the next scheduled task or of the release.
fn next_time(article: &Article) -> Option<String> {
    let release = article.row.release.iter().map(|release| release.due);
    let due = article.waiting.iter().map(|task| task.due).chain(release).min_by_key(|due| due.at)?;
    Some(moment(language(), due, visitor().zone(), live().now().get_untracked()))
}
