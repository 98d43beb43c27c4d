//! The schedule panel beside the editor: scheduled tasks, publication state, and forms.

mod approval;
pub mod delete;
mod form;
mod held_task;
mod new_article;
mod scheduled_task;
mod slug;

use crate::{
    articles::editor::draft::Draft,
    deliveries::notified::Notified,
    live::live,
    review::{checks::panel::CheckPanel, panel::ReviewPanel},
    session::visitor,
    ui::time::{date_time::DateTime, picker::CityList},
};
use domain::TimePresets;
pub use new_article::{NewArticleSchedule, is_about_time};
use texts::{
    articles::{ArticleTexts, releases::ReleaseTexts, schedule::ScheduleTexts},
    language,
    layout::LayoutTexts,
    reminders::AboutTexts,
    sentences,
    time::moment,
};

use approval::{ApprovedVersion, is_typed, needed, needed_now};
use delete::DeletePart;
use domain::{
    ArticleId, Kind, LocalizedTime, TaskId,
    article::Article,
    releases::ReleaseAction,
    review::workflow::{Workflow, checklist::CheckItem},
    task::TaskRow,
};
use form::{NextSlotForm, PublishNowForm, ScheduleForm, SubmitStatus, UnpublishNowForm, save_before_submit};
use held_task::HeldTask;
use leptos::prelude::*;
use scheduled_task::{Ahead, ReviewSeen, ScheduledTask};
use slug::SlugForm;

/// The schedule of one article. Follows its changes.
#[component]
pub fn SchedulePanel(
    /// The draft being edited.
    draft: Draft,
    /// The article, without its text.
    #[prop(into)]
    article: Signal<Article>,
    /// Time presets.
    presets: TimePresets,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let id = article.with_untracked(|article| article.row.id);
    // The checklist shows them with their places.
    let listed = Memo::new(move |_| {
        article.with(|article| article.check.items.iter().map(|one| one.item).collect::<Vec<_>>())
    });
    let in_trash = Memo::new(move |_| article.with(|article| article.row.deleted.is_some()));
    view! {
        <CheckPanel article=article />
        <div on:submit:capture=move |event| save_before_submit(draft, "review", &event)>
            <ReviewPanel article=article seen=draft.revision />
            <SubmitStatus draft=draft form="review" />
        </div>
        <section class="schedule" aria-labelledby="schedule-heading">
            <h2 id="schedule-heading" tabindex="-1">{texts.heading()}</h2>
            <PublicLine article=article />
            <ReleaseLine article=article />
            <ToRelease article=article />
            <HeldTask article=article />
            <WaitingTasks article=article draft=draft />
            {move || (!in_trash.get()).then(|| view! { <Warnings draft=draft listed=listed /> })}
            <ScheduleForms id=id article=article draft=draft presets=presets />
            <CityList />
        </section>
        <SlugForm article=article />
        <p class="panel-links"><a href=format!("/articles/{id}/revisions")>{ArticleTexts::here().revisions()}</a> " · " <a href=format!("/activity?item={id}")>{LayoutTexts::here().activity()}</a> " · " <a href="#reminders-about">{AboutTexts::here().title()}</a></p>
        <DeletePart article=article />
    }
}

/// Whether the article is published, and which revision.
#[component]
fn PublicLine(article: Signal<Article>) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let line = move |article: &Article| {
        let Some(since) = article.row.published else {
            if article.row.deleted.is_some() {
                return Some(view! { <p class="public-line">{texts.is_in_trash()}</p> }.into_any());
            }
            let is_unscheduled =
                article.waiting.is_empty() && article.row.release.is_none() && article.row.held.is_none();
            return is_unscheduled
                .then(|| view! { <p class="public-line">{texts.is_draft()}</p> }.into_any());
        };
        let now = live().now().get_untracked();
        let when = moment(language(), since, visitor().zone(), now);
        let address = format!("/site/{}", article.row.slug);
        let is_current = article.published_revision == Some(article.row.revision);
        let which = if is_current { texts.public_is_current() } else { texts.public_is_older() };
        let line = view! {
            <p class="public-line">
                {texts.is_public()} " " <time datetime=since.at.to_string()>{when}</time> {article.row.notified.map(|_| " ")} <Notified count=article.row.notified />{texts.full_stop()} {sentences(which, "")}
                <a href=address rel="external">{texts.view_public()}</a>
            </p>
        };
        Some(line.into_any())
    };
    move || article.with(line)
}

/// The scheduled release that the article is in, and its moment.
#[component]
fn ReleaseLine(article: Signal<Article>) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let release = Memo::new(move |_| article.with(|article| article.row.release.clone()));
    move || {
        release.get().map(|release| {
            let text = match release.action {
                ReleaseAction::Publish => texts.in_release(),
                ReleaseAction::Unpublish => texts.unpublished_by_release(),
            };
            view! {
                <p class="release-line">
                    {text} " "
                    <a dir="auto" href=format!("/releases/{}", release.id)>{release.name}</a>
                    {texts.comma()} <DateTime at=release.due /> {texts.full_stop()}
                </p>
            }
        })
    }
}

/// Cards of the scheduled tasks.
#[component]
fn WaitingTasks(article: Signal<Article>, draft: Draft) -> impl IntoView {
    // A card is replaced only if the version of its task changes, so that input in it is kept.
    let waiting = Memo::new(move |_| article.with(|article| article.waiting.clone()));
    // A refusal may be about the review.
    let review = Memo::new(move |_| article.with(|article| article.review.as_ref().map(ReviewSeen::of)));
    let needed = Memo::new(move |_| article.with(needed));
    view! {
        <For
            each=move || waiting.get()
            key=|task: &TaskRow| (task.id, task.version)
            children=move |task| {
                let id = task.id;
                let ahead = Memo::new(move |_| article.with(|article| Ahead::of(article, id)));
                let saved = Memo::new(move |_| article.with(|article| saved_for(article, id)));
                // An approval leaves the version of the task as it is.
                let waits = Memo::new(move |_| {
                    waiting.with(|tasks| tasks.iter().any(|task| task.id == id && task.needs_approval))
                });
                let approval = Memo::new(move |_| waits.get().then(|| needed.get()));
                view! {
                    <ScheduledTask
                        task=task saved=saved ahead=ahead draft=draft review=review approval=approval
                    />
                }
            }
        />
    }
}

/// When the version was saved that this task sends; `None`: it does not follow what is saved.
fn saved_for(article: &Article, task: TaskId) -> Option<LocalizedTime> {
    article.follows.filter(|follows| follows.task == task).map(|follows| follows.saved)
}

/// What is missing, before scheduling. It is said and stops nothing.
#[component]
fn Warnings(
    draft: Draft,
    /// What the checklist names on this page.
    #[prop(into)]
    listed: Signal<Vec<CheckItem>>,
    /// Whether nothing is said before something is typed.
    #[prop(optional)]
    is_new: bool,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let warnings = Memo::new(move |_| {
        let says = |item: CheckItem| !listed.with(|listed| listed.contains(&item));
        draft.text.with(|text| {
            let (title, body) = (text.title.trim(), text.body.trim());
            if is_new && title.is_empty() && body.is_empty() {
                return [None; 5];
            }
            let of = |name| text.details.get(name).trim();
            let has_mark = [title, body, of("summary")].into_iter().any(has_tk);
            let is_silent_cover = !of("cover").is_empty() && of("cover_alt").is_empty();
            [
                (says(CheckItem::Title) && title.is_empty()).then(|| texts.no_title()),
                body.is_empty().then(|| texts.no_text()),
                (says(CheckItem::Marks) && has_mark).then(|| texts.has_placeholder()),
                // Readers who hear the page learn nothing of it.
                (says(CheckItem::AltTexts) && has_silent_picture(body)).then(|| texts.no_description()),
                is_silent_cover.then(|| texts.no_cover_description()),
            ]
        })
    });
    move || {
        let lines = warnings.get().into_iter().flatten();
        lines.map(|line| view! { <p class="notice warn">{line}</p> }).collect_view()
    }
}

/// Whether a text contains the placeholder `TK` as a word.
fn has_tk(text: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == "TK")
}

/// Whether a picture of a Markdown text has no description.
fn has_silent_picture(body: &str) -> bool {
    body.split("![").skip(1).any(|rest| rest.trim_start().starts_with("]("))
}

/// Whether the card of a held task has all ways to publish the text. A task that is held takes the newest
/// approved text; where nothing is reviewed any more, only its own.
fn is_published_by_held_task(article: &Article) -> bool {
    let is_reviewed = article.workflow != Workflow::None;
    let held = article.row.held.as_ref();
    held.is_some_and(|task| task.may_change && (is_reviewed || !task.has_newer_revision))
}

/// The forms that apply in the current state.
#[component]
fn ScheduleForms(
    id: ArticleId,
    article: Signal<Article>,
    draft: Draft,
    presets: TimePresets,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let waits_for = move |kind: Kind| {
        Memo::new(move |_| article.with(|article| article.waiting.iter().any(|task| task.kind == kind)))
    };
    let (will_publish, will_unpublish) = (waits_for(Kind::ArticlePublish), waits_for(Kind::ArticleUnpublish));
    let is_public = Memo::new(move |_| article.with(|article| article.row.published.is_some()));
    let is_current =
        Memo::new(move |_| article.with(|article| article.published_revision == Some(article.row.revision)));
    let may_change = Memo::new(move |_| article.with(|article| article.may_change));
    let is_held = Memo::new(move |_| article.with(is_published_by_held_task));
    let can_publish = Memo::new(move |_| {
        may_change.get() && !will_publish.get() && !is_held.get() && (!is_current.get() || is_typed(draft))
    });
    let approved = Memo::new(move |_| article.with(|article| ApprovedVersion::of(article, is_typed(draft))));
    let needs = Memo::new(move |_| {
        let is_newest = approved.with(Option::is_none);
        article.with(|article| needed_now(article, is_typed(draft)).filter(|_| is_newest))
    });
    let can_unpublish = Memo::new(move |_| may_change.get() && is_public.get() && !will_unpublish.get());
    let (unpublish_presets, next_slot) = (presets.clone(), presets.next_slot);
    view! {
        <Show when=move || can_publish.get()>
            <ScheduleForm
                draft=draft kind=Kind::ArticlePublish is_public=is_public presets=presets.clone()
                approved=approved
            />
            <NextSlotForm draft=draft at=next_slot approved=approved />
            {move || needs.get().map(|needs| view! { <p class="hint">{needs}</p> })}
            <PublishForms draft=draft is_public=is_public approved=approved />
        </Show>
        <Show when=move || can_unpublish.get()>
            <details class="open-in-place">
                <summary class="button small">{texts.unpublish_at()}</summary>
                <ScheduleForm
                    draft=draft kind=Kind::ArticleUnpublish is_public=is_public presets=unpublish_presets.clone()

                />
                <UnpublishNowForm article=id />
            </details>
        </Show>
    }
}

/// Publishes now: the approved version or the newest one, if both are there.
#[component]
fn PublishForms(
    draft: Draft,
    is_public: Memo<bool>,
    approved: Memo<Option<ApprovedVersion>>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let now = move || if is_public.get() { texts.update_now() } else { texts.publish_now() };
    move || match approved.get() {
        None => {
            let label = Signal::derive(move || now().to_owned());
            view! { <PublishNowForm draft=draft label=label /> }.into_any()
        }
        Some(version) => {
            let newest = format!("{} · {}", texts.publish_now(), version.with_edits());
            view! {
                <div class="row">
                    <PublishNowForm draft=draft revision="approved" label=texts.publish_approved().to_owned() />
                    <PublishNowForm draft=draft revision="current" label=newest />
                </div>
            }
            .into_any()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{has_silent_picture, has_tk};

    #[test]
    fn a_picture_without_a_description_is_found() {
        assert!(has_silent_picture("a ![x](b.png) ![](c.png)"));
        assert!(has_silent_picture("![ ](b.png)"));
        assert!(!has_silent_picture("![A boat](b.png) [](c) []"));
    }

    #[test]
    fn tk_counts_as_a_word_only() {
        assert!(has_tk("numbers TK, later"));
        assert!(has_tk("补充TK。"));
        assert!(!has_tk("ATKINS"));
    }
}

/// The way into a release, while the article is in no scheduled one.
#[component]
fn ToRelease(article: Signal<Article>) -> impl IntoView {
    let link = Memo::new(move |_| {
        article.with(|Article { row, .. }| {
            let may_add = row.may_change && row.deleted.is_none() && row.release.is_none();
            may_add.then(|| format!("/releases/new?ids={}", row.id))
        })
    });
    move || link.get().map(|href| view! { <p><a href=href>{ReleaseTexts::here().add_to_release()}</a></p> })
}
