//! Schedules all tasks of a card for one time.

use super::{outcome::Done, server_fns::MoveGroup};
use crate::{
    live::{is_server_rendered, live},
    session::visitor,
    ui::{
        form::{Form, FormResult, result_of},
        icon::Icon,
        result::announce,
        time::picker::{
            TimeFeedback, TimeFields, TimeInput, TimeSubmit, coming_date_and_time, shows_refusal,
            zone_as_typed,
        },
    },
};
use domain::{DomainError, attention::AttentionCard, input_limits::MAX_RETRY_ITEMS, task::TaskRow};
use leptos::{html, prelude::*};
use server_fn::ServerFn;
use texts::attention::card::CardTexts;

/// The card whose form is open. It stays with its input while its tasks change.
#[derive(Clone, Copy)]
pub struct Moving(RwSignal<Option<String>>);

impl Default for Moving {
    fn default() -> Self {
        Self(RwSignal::new(None))
    }
}

impl Moving {
    /// Whether it is the card with this id.
    #[must_use]
    pub fn is(self, id: &str) -> bool {
        self.0.with(|open| open.as_deref() == Some(id))
    }

    fn set(self, id: &str, is_open: bool) {
        if is_open {
            self.0.set(Some(id.to_owned()));
        } else if self.is(id) {
            self.0.set(None);
        }
    }
}

/// The form, collapsed by default. A refused one keeps its input and stays open.
#[component]
pub fn MoveGroupForm(
    /// The card.
    card: AttentionCard,
    /// The card whose form is open.
    moving: Moving,
) -> impl IntoView {
    let is_open = result_of(MoveGroup::PATH, Some(&card.id)).is_some();
    // Rendered when opened, unless the server rendered it.
    let is_rendered = RwSignal::new(is_open || is_server_rendered());
    let (details, id) = (NodeRef::<html::Details>::new(), card.id.clone());
    let toggle = move |_| {
        is_rendered.set(true);
        moving.set(&id, details.get_untracked().is_some_and(|details| details.open()));
    };
    view! {
        <details class="open-in-place" open=is_open node_ref=details on:toggle=toggle>
            <summary class="button small"><Icon name="move" />{CardTexts::here().move_all()}</summary>
            {move || is_rendered.get().then(|| view! { <Fields card=card.clone() moving=moving /> })}
        </details>
    }
}

#[component]
fn Fields(card: AttentionCard, moving: Moving) -> impl IntoView {
    let texts = CardTexts::here();
    let action = ServerAction::<MoveGroup>::new();
    announce(action, move |result| Done::Moved.result(texts, result));
    let result = result_of(MoveGroup::PATH, Some(&card.id));
    let input = initial_input(result, card.tasks.first());
    let name = format!("when-{}", card.id.replace([':', '.'], "-"));
    input.show_refusals(name.clone(), move || action.value().get()?.err());
    let shows_refusal: fn(&DomainError) -> bool = shows_refusal;
    let most = card.changeable.min(MAX_RETRY_ITEMS);
    let label = texts.move_yes(most);
    let id = card.id.clone();
    // After the other effects of the form: it may be replaced.
    Effect::new(move |_| {
        if action.value().with(|value| matches!(value, Some(Ok(_)))) {
            moving.set(&id, false);
        }
    });
    view! {
        <Form action=action about=card.id.clone() class="move-form" shown_by_fields=shows_refusal>
            <input type="hidden" name="id" value=card.id />
            <input type="hidden" name="most" value=most />
            <p>{texts.move_hint(most)}{texts.rest(card.changeable, most)}</p>
            <div class="time-sentence"><TimeFields input=input name=name.clone() /></div>
            <TimeFeedback input=input name=name.clone() />
            <TimeSubmit input=input name=name label=Signal::stored(label) no_js=texts.move_all() />
        </Form>
    }
}

/// Returns the input of the refused form, else the time of the newest task, or 09:00 of the next day if it has passed.
fn initial_input(result: Option<FormResult>, task: Option<&TaskRow>) -> TimeInput {
    let typed = |field: &str| Some(result.as_ref()?.typed(field)?.to_owned());
    let now = live().now().get_untracked();
    let due = task.map(|task| task.due).filter(|due| due.at > now).map(Ok);
    let (date, time) = task.map(|task| coming_date_and_time(task.due, now)).unwrap_or_default();
    TimeInput::new(
        (typed("date").unwrap_or(date), typed("time").unwrap_or(time)),
        typed("zone").unwrap_or_else(|| zone_as_typed(visitor().zone())),
        typed("which").unwrap_or_default(),
        result.map(|result| Err(result.refusal)).or(due),
    )
}
