//! The form that moves a task to another moment, folded away.

use super::when::{Label, Meaning, QuickPicks, Wanted, WhenFields, is_told, typed_of};
use crate::{
    calls::{
        Refused,
        schedule::{Picks, usual_times},
        tasks::MoveTask,
    },
    form::{Form, answer_of},
    live::{comes_from_server, live},
    visitor::visitor,
    words::{language, schedule::ScheduleWords},
};
use domain::{Refusal, task::TaskRow};
use leptos::{prelude::*, task::spawn_local};
use server_fn::ServerFn;

/// Asks for date, time and zone, and what is meant where that is not one moment. Keeps what was typed when it is refused, and
/// stands open then.
#[component]
pub fn MoveInPlace(
    /// The task.
    row: TaskRow,
    /// What moves it.
    action: ServerAction<MoveTask>,
    /// Beginning of the ids of its fields.
    #[prop(into)]
    name: String,
    /// What the button that opens it is called, where its words are not enough.
    #[prop(optional, into)]
    label: Option<String>,
    /// CSS class of that button.
    #[prop(default = "button small")]
    class: &'static str,
    /// What stands on that button.
    children: Children,
) -> impl IntoView {
    let id = row.id.to_string();
    let answer = answer_of(MoveTask::PATH, Some(&id));
    let is_open = answer.is_some();
    let picks = RwSignal::new(None);
    // A form costs more than the row it stands in: one the page did not come with is made when it is opened.
    let is_made = RwSignal::new(is_open || comes_from_server());
    let open = move |_| {
        is_made.set(true);
        fetch(picks);
    };
    view! {
        <details class="open-in-place" open=is_open on:toggle=open>
            <summary class=class aria-label=label>{children()}</summary>
            {move || is_made.get().then(|| view! {
                <MoveForm row=row.clone() action=action name=name.clone() picks=picks />
            })}
        </details>
    }
}

/// Reads the usual times, once.
fn fetch(picks: RwSignal<Option<Picks>>) {
    if picks.with_untracked(Option::is_none) {
        spawn_local(async move {
            if let Ok(found) = usual_times(String::new()).await {
                picks.try_set(Some(found));
            }
        });
    }
}

#[component]
fn MoveForm(
    row: TaskRow,
    action: ServerAction<MoveTask>,
    name: String,
    picks: RwSignal<Option<Picks>>,
) -> impl IntoView {
    let words = ScheduleWords::here();
    let id = row.id.to_string();
    let first = answer_of(MoveTask::PATH, Some(&id)).map(|answer| answer.refusal);
    let wanted = wanted_at_first(&row);
    let is_past = wanted.is_past();
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(Refused(refusal))) => Some(refusal.clone()),
        Some(Ok(_)) => None,
        None => first.clone(),
    });
    let label = Signal::derive(move || {
        let spoken = wanted.spoken(language());
        spoken.map_or_else(|| words.move_it().to_owned(), |when| words.move_to_moment(when))
    });
    let tells: fn(&Refusal) -> bool = is_told;
    view! {
        <Form action=action about=id.clone() class="move-form" told=tells>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=row.version.0 />
            <p class="when-sentence"><WhenFields wanted=wanted name=name /></p>
            <Meaning wanted=wanted refusal=refusal />
            <button type="submit" class="button main" disabled=move || is_past.get()>
                <Label live=label paper=words.move_it() />
            </button>
        </Form>
        {move || picks.get().map(|picks| view! { <QuickPicks picks=picks wanted=wanted /> })}
    }
}

/// What was typed into the refused form, else the moment the task has.
fn wanted_at_first(row: &TaskRow) -> Wanted {
    let answer = answer_of(MoveTask::PATH, Some(&row.id.to_string()));
    let typed = |field: &str| answer.as_ref().and_then(|answer| answer.typed(field)).map(str::to_owned);
    let now = live().now().get_untracked();
    let known = (answer.is_none() && row.due.at > now).then_some(row.due);
    let (date, time) = typed_of(row.due);
    Wanted::new(
        typed("date").unwrap_or(date),
        typed("time").unwrap_or(time),
        typed("zone").unwrap_or_else(|| visitor().zone().to_owned()),
        typed("which").unwrap_or_default(),
        known,
    )
}
