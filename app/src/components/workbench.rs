//! What stands beside the editor.
//!
//! Without JavaScript the text and its moments are two steps: a form of the one would leave behind what was typed into the
//! other. The step to the moments saves the text; there the text is read, not written.

use super::{
    editor::{FORM, draft::Draft},
    loaded::Loaded,
    schedule_panel::{SchedulePanel, done::Done},
};
use crate::{
    calls::{
        articles::{Opened, article_state},
        schedule::{Picks, usual_times},
    },
    form::answer_of,
    live::follow_from,
    words::articles::ArticleWords,
};
use domain::{ArticleId, article::Article, event::Signal as Change};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::use_query_map;

/// Without JavaScript: the button that saves the text and leads to its moments, and the way back.
#[component]
pub fn Step(
    /// The text being written.
    draft: Draft,
    /// Whether the visitor may change it.
    may_change: bool,
) -> impl IntoView {
    let words = ArticleWords::here();
    let text = draft.id.get_untracked().map(|id| format!("/articles/{id}"));
    view! {
        <div class="step only-paper">
            {may_change.then(|| view! {
                <button type="submit" form=FORM name="then" value="moment" class="button main step-on">
                    {words.to_moment()}
                </button>
            })}
            <a class="step-back" href=text>{words.to_text()}</a>
        </div>
    }
}

/// The moments of the article; appears with its first save.
#[component]
pub fn Side(
    /// The text being written.
    draft: Draft,
    /// The article as the page was opened with it.
    first: Option<Opened>,
) -> impl IntoView {
    // What is known stands there at once. A reading of its own inside of what is loaded would get another number on the
    // server than in the browser, and the page would not come to life.
    if let Some(first) = first {
        return Either::Left(view! { <Moments draft=draft first=first.article picks=first.picks /> });
    }
    Either::Right(move || match draft.id.get() {
        None => view! { <p class="hint">{ArticleWords::here().panel_later()}</p> }.into_any(),
        Some(id) => view! { <Begun draft=draft id=id /> }.into_any(),
    })
}

/// The moments of an article that was begun on this page: in the browser only.
#[component]
fn Begun(draft: Draft, id: ArticleId) -> impl IntoView {
    let both = Resource::new(
        || (),
        move |()| async move { Ok((article_state(id).await?, usual_times(String::new()).await?)) },
    );
    view! {
        <Loaded from=both let:both>
            {
                let (first, picks) = both.get_untracked();
                view! { <Moments draft=draft first=first picks=picks /> }
            }
        </Loaded>
    }
}

#[component]
fn Moments(draft: Draft, first: Article, picks: Picks) -> impl IntoView {
    let id = first.row.id;
    let known = StoredValue::new(first.clone());
    let wants = move |change: &Change| {
        let is_its_task =
            known.with_value(|article| article.waiting.iter().any(|task| task.id.0 == change.entity_id));
        match change.entity.as_str() {
            "article" => change.entity_id == id.0,
            "task" => is_its_task || change.verb == "schedule" || change.verb == "undo",
            _ => false,
        }
    };
    let article = follow_from(first, wants, move || article_state(id));
    Effect::new(move |_| known.set_value(article.get()));
    let done = RwSignal::new(done_before(known));
    view! { <SchedulePanel draft=draft article=article picks=picks done=done /> }
}

/// What the address says has just been done, for a page without JavaScript; nothing if the page answers a refused form.
fn done_before(known: StoredValue<Article>) -> Option<Done> {
    let query = use_query_map().get_untracked();
    let verb = query.get("done")?;
    let is_about_task = ["schedule", "publish", "unpublish"].contains(&verb.as_str());
    let is_refused = ["/fn/schedule", "/fn/publish_article", "/fn/unpublish_article", "/fn/save_article"]
        .iter()
        .any(|function| answer_of(function, None).is_some());
    if !is_about_task || is_refused {
        return None;
    }
    let id = query.get("changed")?;
    let task = known.with_value(|known| known.waiting.iter().find(|task| task.id.to_string() == id).cloned());
    Some(Done { verb, task })
}
