//! The form that reschedules a task, collapsed by default.

use crate::{
    live::{is_server_rendered, live},
    server_fns::Refused,
    session::visitor,
    tasks::{result::announce_change, server_fns::MoveTask, target::title_of},
    ui::{
        form::{Form, result_of},
        shortcut::single_key,
        table::{
            address::{ListAddress, MOVE},
            form_row::{OpenForm, close},
        },
        time::{
            picker::{
                PresetButtons, TimeFeedback, TimeFields, TimeInput, TimeSubmit, coming_date_and_time,
                shows_refusal, zone_as_typed,
            },
            time_fns::time_presets,
        },
    },
};
use domain::TimePresets;
use domain::{DomainError, State, task::TaskRow};
use leptos::{ev, html, prelude::*, task::spawn_local};
use server_fn::ServerFn;
use texts::{articles::schedule::ScheduleTexts, language, tasks::TaskTexts};

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
    let details = NodeRef::<html::Details>::new();
    let close = move |event: ev::KeyboardEvent| {
        if let ("Escape", Some(details)) = (event.key().as_str(), details.get_untracked()) {
            details.set_open(false);
            _ = details.query_selector("summary").ok().flatten().map(focus);
        }
    };
    view! {
        <details class="open-in-place" open=is_open node_ref=details on:toggle=open on:keydown=close>
            <summary class=class aria-label=label>{children()}</summary>
            {move || is_rendered.get().then(|| view! {
                <MoveForm row=row.clone() action=action name=name.clone() presets=presets />
            })}
        </details>
    }
}

/// Whether the user may reschedule the task.
#[must_use]
pub fn can_move(row: &TaskRow) -> bool {
    row.may_change && matches!(row.state, State::Scheduled | State::Failed | State::Missed)
}

/// A link that opens the form in a list, by the URL.
#[component]
pub fn MoveLink(
    /// The task.
    row: TaskRow,
    /// The URL of the list.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = TaskTexts::here();
    let (id, title) = (row.id.to_string(), title_of(language(), &row));
    let href = move || address.with(|address| address.with(MOVE, &id).to_string());
    view! {
        <a class="button small bare" href=href data-noscroll="" aria-label=texts.reschedule_of(title) aria-keyshortcuts=single_key("m")>
            {texts.reschedule()}
        </a>
    }
}

/// The form in a list, while the URL names it. After a success the URL no longer does.
#[component]
pub fn OpenMoveForm(
    /// The task.
    row: TaskRow,
    /// The URL of the list.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let action = ServerAction::<MoveTask>::new();
    announce_change(action);
    let presets = RwSignal::new(None);
    Effect::new(move |_| load_presets(presets));
    let name = format!("when-{}", row.id);
    let close = close(address, MOVE);
    let form = view! {
        <OpenForm address=address name=MOVE><MoveForm row=row action=action name=name presets=presets /></OpenForm>
    };
    // After the effects of the form: closing disposes them.
    Effect::new(move |_| {
        if action.value().with(|value| matches!(value, Some(Ok(_)))) {
            close();
        }
    });
    form
}

/// The form as a row of a table.
#[component]
pub fn MoveFormRow(
    /// The task as it was when the form was opened.
    task: TaskRow,
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// Number of columns.
    columns: u8,
) -> impl IntoView {
    view! {
        <tr class="form-row"><td colspan=columns><OpenMoveForm row=task address=address /></td></tr>
    }
}

/// Returns the id by which the URL names the form, and the task, see [`crate::ui::table::entries`];
/// `None`: the user may not reschedule it.
#[must_use]
pub fn move_form_of(task: &TaskRow) -> Option<(String, TaskRow)> {
    can_move(task).then(|| (task.id.to_string(), task.clone()))
}

fn focus(element: web_sys::Element) {
    use wasm_bindgen::JsCast;
    _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
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
    let input = initial_input(&row);
    input.show_refusals(name.clone(), move || action.value().get()?.err());
    // After the conflict is shown, the next submit is about the task as it is now.
    let seen = RwSignal::new(row.version.0);
    Effect::new(move |_| {
        if let Some(Err(Refused(DomainError::TaskConflict { task, .. }))) = &*action.value().read() {
            seen.set(task.version.0);
        }
    });
    let label = Signal::derive(move || {
        input.as_sentence().map_or_else(|| texts.reschedule().to_owned(), |when| texts.reschedule_to(when))
    });
    let shows_refusal: fn(&DomainError) -> bool = shows_refusal;
    view! {
        <Form action=action about=id.clone() class="move-form" shown_by_fields=shows_refusal>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=move || seen.get() />
            <div class="time-sentence"><TimeFields input=input name=name.clone() has_words=true /></div>
            <TimeFeedback input=input name=name.clone() />
            <TimeSubmit input=input name=name label=label no_js=texts.reschedule() />
        </Form>
        <PresetButtons presets=presets input=input />
    }
}

/// Returns the input of the refused form, else the due time of the task, or 09:00 of the next day if it has passed.
fn initial_input(row: &TaskRow) -> TimeInput {
    let result = result_of(MoveTask::PATH, Some(&row.id.to_string()));
    let typed = |field: &str| Some(result.as_ref()?.typed(field)?.to_owned());
    let now = live().now().get_untracked();
    let due = (row.due.at > now).then_some(Ok(row.due));
    let (date, time) = coming_date_and_time(row.due, now);
    TimeInput::new(
        (typed("date").unwrap_or(date), typed("time").unwrap_or(time)),
        typed("zone").unwrap_or_else(|| zone_as_typed(visitor().zone())),
        typed("which").unwrap_or_default(),
        result.map(|result| Err(result.refusal)).or(due),
    )
}
