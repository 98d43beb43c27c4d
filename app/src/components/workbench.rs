//! What stands beside the editor.

use super::{
    editor::draft::Draft,
    loaded::Loaded,
    schedule_panel::{SchedulePanel, done::Done},
};
use crate::{
    calls::{
        articles::{Opened, article_state},
        schedule::usual_times,
    },
    form::answer_of,
    live::follow,
    words::articles::ArticleWords,
};
use domain::{ArticleId, article::Article, event::Signal as Change};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::use_query_map;

/// The moments of the article; appears with its first save.
#[component]
pub fn Side(
    /// The text being written.
    draft: Draft,
    /// The article as the page was opened with it.
    first: Option<Opened>,
) -> impl IntoView {
    let known = StoredValue::new(first.map(|opened| opened.article));
    // An article that exists stands outside of the closure: the server would read it twice in there.
    if let Some(id) = draft.id.get_untracked() {
        return Either::Left(view! { <Moments draft=draft id=id known=known /> });
    }
    Either::Right(move || match draft.id.get() {
        None => view! { <p class="hint">{ArticleWords::here().panel_later()}</p> }.into_any(),
        Some(id) => view! { <Moments draft=draft id=id known=known /> }.into_any(),
    })
}

#[component]
fn Moments(draft: Draft, id: ArticleId, known: StoredValue<Option<Article>>) -> impl IntoView {
    let wants = move |change: &Change| {
        let is_its_task = known.with_value(|known| {
            known
                .as_ref()
                .is_none_or(|article| article.waiting.iter().any(|task| task.id.0 == change.entity_id))
        });
        match change.entity.as_str() {
            "article" => change.entity_id == id.0,
            "task" => is_its_task || change.verb == "schedule" || change.verb == "undo",
            _ => false,
        }
    };
    let read = move |id: ArticleId| async move {
        let article = article_state(id).await?;
        let picks = usual_times(String::new()).await?;
        Ok((article, picks))
    };
    let both = follow(wants, move || id, read);
    let done = RwSignal::new(done_before(known));
    view! {
        <Loaded from=both let:both>
            {
                let article = Signal::derive(move || {
                    let article = both.with(|(article, _)| article.clone());
                    known.set_value(Some(article.clone()));
                    article
                });
                let picks = both.with_untracked(|(_, picks)| picks.clone());
                view! { <SchedulePanel draft=draft article=article picks=picks done=done /> }
            }
        </Loaded>
    }
}

/// What the address says has just been done, for a page without JavaScript; nothing if the page answers a refused form.
fn done_before(known: StoredValue<Option<Article>>) -> Option<Done> {
    let query = use_query_map().get_untracked();
    let verb = query.get("done")?;
    let is_about_task = ["schedule", "publish", "unpublish"].contains(&verb.as_str());
    let is_refused = ["/fn/schedule", "/fn/publish_article", "/fn/unpublish_article", "/fn/save_article"]
        .iter()
        .any(|function| answer_of(function, None).is_some());
    if !is_about_task || is_refused {
        return None;
    }
    let id = query.get("task")?;
    let task = known
        .with_value(|known| known.as_ref()?.waiting.iter().find(|task| task.id.to_string() == id).cloned());
    Some(Done { verb, task })
}
