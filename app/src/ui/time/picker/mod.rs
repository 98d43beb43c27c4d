//! The time field: a typed time or the calendar, a time zone, what they mean, and presets.
//!
//! Without JavaScript it is a date, a time and the name of a zone; with it, one text field and a
//! search for cities.

mod choices;
mod feedback;
mod presets;
mod submit;
mod time_input;
mod typed_field;
mod typed_text;
mod zone_field;

pub use feedback::{TimeFeedback, TimePreview};
pub use presets::PresetButtons;
use submit::EnterSubmit;
pub use submit::TimeSubmit;
pub use time_input::{TimeInput, coming_date_and_time, date_and_time, shows_refusal, zone_as_typed};
pub use typed_field::TypedTimeField;
use typed_field::WordsField;
pub use zone_field::{CityList, ZoneChip};

use leptos::prelude::*;

/// Before hydration and without JavaScript, the fields belong to another form of the page, whose
/// button they have. Provided as context around the fields.
#[derive(Clone, Copy)]
pub struct OuterForm {
    /// Id of the form.
    pub form: &'static str,
    /// Name and value of the button.
    pub button: (&'static str, &'static str),
}

/// Returns the outer form until the page is hydrated.
fn outer_form() -> Signal<Option<OuterForm>> {
    let outer = use_context::<OuterForm>();
    let is_live = RwSignal::new(false);
    Effect::new(move |_| is_live.set(true));
    Signal::derive(move || outer.filter(|_| !is_live.get()))
}

/// The fields of the time. `name` makes the ids unique if a page has several forms.
#[component]
pub fn TimeFields(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    #[prop(into)]
    name: String,
    /// Whether the form reads words without JavaScript, see
    /// [`crate::server_fns::time_of_form::TimeOfForm`].
    #[prop(optional)]
    has_words: bool,
) -> impl IntoView {
    view! {
        <EnterSubmit input=input name=name.clone() />
        <TypedTimeField input=input name=name.clone() />
        {has_words.then(|| view! { <WordsField input=input name=name.clone() /> })}
        <ZoneChip input=input name=name />
    }
}

/// Connects a field with a signal. Input that was typed before hydration is passed to `adopt`.
pub fn bind_field(
    signal: RwSignal<String>,
    adopt: impl Fn(String) + 'static,
) -> NodeRef<leptos::html::Input> {
    let field = NodeRef::<leptos::html::Input>::new();
    Effect::new(move |was: Option<()>| {
        let value = signal.get();
        let Some(field) = field.get() else { return };
        match (field.value() == value, was) {
            (true, _) => {}
            (false, None) => adopt(field.value()),
            (false, Some(())) => field.set_value(&value),
        }
    });
    field
}

/// Moves the focus to the element with this id, after the page is updated.
fn focus_later(id: String) {
    request_animation_frame(move || {
        use wasm_bindgen::JsCast;
        if let Some(element) = document().get_element_by_id(&id) {
            _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}
