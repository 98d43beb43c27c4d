//! The form that reschedules a task, collapsed by default.

use crate::{
    articles::{
        schedule_fns::{TimePresets, time_presets},
        schedule_texts::ScheduleTexts,
    },
    live::{is_server_rendered, live},
    server_fns::Refused,
    shell::session::visitor,
    tasks::server_fns::MoveTask,
    texts::language,
    ui::{
        form::{Form, result_of},
        time::picker::{
            PresetButtons, SubmitLabel, TimeFeedback, TimeFields, TimeInput, date_and_time, shows_refusal,
        },
    },
};
use domain::{DomainError, task::TaskRow};
use leptos::{prelude::*, task::spawn_local};
use server_fn::ServerFn;

/// Asks for date, time and time zone, and resolves an ambiguous or skipped time. A refused form
/// keeps its input and stays open.
#[component]
pub fn MoveInPlace(
    /// The task.
    row: TaskRow,
    /// The action that reschedules it.
    action: ServerAction<MoveTask>,
    /// Prefix of the field ids.
    #[prop(into)]
    name: String,
    /// Accessible name of the button that opens it, if its text is not enough.
    #[prop(optional, into)]
    label: Option<String>,
    /// CSS class of that button.
    #[prop(default = "button small")]
    class: &'static str,
    /// Content of that button.
    children: Children,
) -> impl IntoView {
    let id = row.id.to_string();
    let result = result_of(MoveTask::PATH, Some(&id));
    let is_open = result.is_some();
    let presets = RwSignal::new(None);
    // A form is more expensive than its row, so it is rendered when opened, unless the server
    // rendered it.
    let is_rendered = RwSignal::new(is_open || is_server_rendered());
    let open = move |_| {
        is_rendered.set(true);
        load_presets(presets);
    };
    view! {
        <details class="open-in-place" open=is_open on:toggle=open>
            <summary class=class aria-label=label>{children()}</summary>
            {move || is_rendered.get().then(|| view! {
                <MoveForm row=row.clone() action=action name=name.clone() presets=presets />
            })}
        </details>
    }
}

/// Loads the presets once.
fn load_presets(presets: RwSignal<Option<TimePresets>>) {
    if presets.with_untracked(Option::is_none) {
        spawn_local(async move {
            if let Ok(found) = time_presets(String::new()).await {
                presets.try_set(Some(found));
            }
        });
    }
}

#[component]
fn MoveForm(
    row: TaskRow,
    action: ServerAction<MoveTask>,
    name: String,
    presets: RwSignal<Option<TimePresets>>,
) -> impl IntoView {
    let texts = ScheduleTexts::here();
    let id = row.id.to_string();
    let first = result_of(MoveTask::PATH, Some(&id)).map(|result| result.refusal);
    let input = initial_input(&row);
    let is_past = input.is_past();
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(Refused(refusal))) => Some(refusal.clone()),
        Some(Ok(_)) => None,
        None => first.clone(),
    });
    let label = Signal::derive(move || {
        let as_sentence = input.as_sentence(language());
        as_sentence.map_or_else(|| texts.reschedule().to_owned(), |when| texts.reschedule_to(when))
    });
    let shows_refusal: fn(&DomainError) -> bool = shows_refusal;
    view! {
        <Form action=action about=id.clone() class="move-form" shown_by_fields=shows_refusal>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=row.version.0 />
            <p class="time-sentence"><TimeFields input=input name=name /></p>
            <TimeFeedback input=input refusal=refusal />
            <button type="submit" class="button main" disabled=move || is_past.get()>
                <SubmitLabel text=label no_js=texts.reschedule() />
            </button>
        </Form>
        {move || presets.get().map(|presets| view! { <PresetButtons presets=presets input=input /> })}
    }
}

/// Returns the input of the refused form, else the due time of the task.
fn initial_input(row: &TaskRow) -> TimeInput {
    let result = result_of(MoveTask::PATH, Some(&row.id.to_string()));
    let typed = |field: &str| result.as_ref().and_then(|result| result.typed(field)).map(str::to_owned);
    let now = live().now().get_untracked();
    let known = (result.is_none() && row.due.at > now).then_some(row.due);
    let (date, time) = date_and_time(row.due);
    TimeInput::new(
        typed("date").unwrap_or(date),
        typed("time").unwrap_or(time),
        typed("zone").unwrap_or_else(|| visitor().zone().to_owned()),
        typed("which").unwrap_or_default(),
        known,
    )
}
