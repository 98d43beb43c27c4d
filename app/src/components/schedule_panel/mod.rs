//! The panel beside the editor: when the article goes out, what waits for it, what readers see.

pub mod delete;
pub mod done;
mod form;
mod name;
mod waiting;

use crate::{
    calls::schedule::Picks,
    components::{editor::draft::Draft, zones::Zones},
    live::live,
    visitor::visitor,
    words::{articles::ArticleWords, language, schedule::ScheduleWords, time::moment},
};
use delete::DeletePart;
use domain::{ArticleId, Kind, article::Article, task::TaskRow};
use done::{Done, DoneLine};
use form::{AtOnce, OffAtOnce, ScheduleForm};
use leptos::prelude::*;
use name::NameForm;
use waiting::Waiting;

/// Everything about the moments of one article. Follows what happens to it.
#[component]
pub fn SchedulePanel(
    /// The text being written.
    draft: Draft,
    /// The article, without its text.
    #[prop(into)]
    article: Signal<Article>,
    /// Times people often want.
    picks: Picks,
    /// What the address says has just been done.
    done: RwSignal<Option<Done>>,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let id = article.with_untracked(|article| article.row.id);
    view! {
        <section class="schedule" aria-labelledby="schedule-heading">
            <h2 id="schedule-heading">{words.heading()}</h2>
            <DoneLine done=done />
            <PublicLine article=article />
            <WaitingTasks article=article draft=draft done=done />
            <Guards draft=draft />
            <Moments id=id article=article draft=draft picks=picks done=done />
            <Zones />
        </section>
        <NameForm article=article />
        <p class="panel-links"><a href=format!("/articles/{id}/revisions")>{ArticleWords::here().revisions()}</a></p>
        <DeletePart article=article />
    }
}

/// Whether readers see it, and which text.
#[component]
fn PublicLine(article: Signal<Article>) -> impl IntoView {
    let words = ScheduleWords::here();
    let line = move |article: &Article| {
        let Some(since) = article.row.published else {
            let is_quiet = article.waiting.is_empty();
            return is_quiet.then(|| view! { <p class="public-line">{words.is_draft()}</p> }.into_any());
        };
        let now = live().now().get_untracked();
        let when = moment(language(), since, visitor().zone(), now);
        let address = format!("/site/{}", article.row.slug);
        let is_current = article.published_revision == Some(article.row.revision);
        let which = if is_current { words.public_is_current() } else { words.public_is_older() };
        let line = view! {
            <p class="public-line">
                {words.is_public()} " " <time datetime=since.at.to_string()>{when}</time> {words.stop()} {which} " "
                <a href=address rel="external">{words.view_public()}</a>
            </p>
        };
        Some(line.into_any())
    };
    move || article.with(line)
}

/// The cards of what waits.
#[component]
fn WaitingTasks(article: Signal<Article>, draft: Draft, done: RwSignal<Option<Done>>) -> impl IntoView {
    // Only another version of a task makes another card: what is being typed into one stays.
    let waiting = Memo::new(move |_| article.with(|article| (article.waiting.clone(), article.drift)));
    view! {
        <For
            each=move || waiting.get().0
            key=|task: &TaskRow| (task.id, task.version)
            children=move |task| {
                let id = task.id;
                let drift = Memo::new(move |_| waiting.with(|(_, drift)| drift.filter(|drift| drift.task == id)));
                view! { <Waiting task=task drift=drift draft=draft done=done /> }
            }
        />
    }
}

/// What a person should know before they schedule.
#[component]
fn Guards(draft: Draft) -> impl IntoView {
    let words = ScheduleWords::here();
    let warnings = Memo::new(move |_| {
        draft.text.with(|text| {
            [
                text.title.trim().is_empty().then(|| words.no_title()),
                text.body.trim().is_empty().then(|| words.no_text()),
                (has_tk(&text.title) || has_tk(&text.body)).then(|| words.tk()),
            ]
        })
    });
    move || {
        let lines = warnings.get().into_iter().flatten();
        lines.map(|line| view! { <p class="notice warn">{line}</p> }).collect_view()
    }
}

/// Whether a text holds the mark for something missing, as a word of its own.
fn has_tk(text: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == "TK")
}

/// The forms that give it a moment: what fits where it stands.
#[component]
fn Moments(
    id: ArticleId,
    article: Signal<Article>,
    draft: Draft,
    picks: Picks,
    done: RwSignal<Option<Done>>,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let waits_for = move |kind: Kind| {
        Memo::new(move |_| article.with(|article| article.waiting.iter().any(|task| task.kind == kind)))
    };
    let (will_publish, will_unpublish) = (waits_for(Kind::ArticlePublish), waits_for(Kind::ArticleUnpublish));
    let is_public = Memo::new(move |_| article.with(|article| article.row.published.is_some()));
    let is_current =
        Memo::new(move |_| article.with(|article| article.published_revision == Some(article.row.revision)));
    let may_change = article.with_untracked(|article| article.may_change);
    let can_publish = Memo::new(move |_| {
        let is_typed = draft.text.with(|_| draft.is_changed());
        may_change && !will_publish.get() && (!is_current.get() || is_typed)
    });
    let can_unpublish = Memo::new(move |_| may_change && is_public.get() && !will_unpublish.get());
    let off_picks = picks.clone();
    view! {
        <Show when=move || can_publish.get()>
            <ScheduleForm
                draft=draft article=id kind=Kind::ArticlePublish is_public=is_public picks=picks.clone() done=done
            />
            <AtOnce
                draft=draft article=id done=done
                label=Signal::derive(move || if is_public.get() { words.update_now() } else { words.publish_now() }.to_owned())
            />
        </Show>
        <Show when=move || can_unpublish.get()>
            <details class="open-in-place">
                <summary class="button small">{words.unpublish_at()}</summary>
                <ScheduleForm
                    draft=draft article=id kind=Kind::ArticleUnpublish is_public=is_public picks=off_picks.clone()
                    done=done
                />
                <OffAtOnce article=id done=done />
            </details>
        </Show>
    }
}

#[cfg(test)]
mod tests {
    use super::has_tk;

    #[test]
    fn tk_counts_as_a_word_only() {
        assert!(has_tk("numbers TK, later"));
        assert!(has_tk("补充TK。"));
        assert!(!has_tk("ATKINS"));
    }
}
