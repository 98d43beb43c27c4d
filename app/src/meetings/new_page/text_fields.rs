//! Title, attendees and description of a meeting.

use super::fields::Problem;
use crate::{
    meetings::form_values::MeetingText,
    ui::form::{field::Field, textarea::Textarea, typed},
};
use domain::DomainError;
use leptos::prelude::*;
use texts::meetings::MeetingFormTexts;

/// The fields. A refused form brings back what was typed.
#[component]
pub fn TextFields(
    /// Path of the form's server function.
    path: &'static str,
    /// Initial values.
    #[prop(optional)]
    text: MeetingText,
    /// Error of the form.
    refusal: Signal<Option<DomainError>>,
    /// The reminders, see [`crate::reminders::meeting::ReminderChoice`].
    reminders: AnyView,
    /// What is between the title and the other fields.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let previous = move |field: &str, value: String| typed(path, field).unwrap_or(value);
    view! {
        <div class="title-field">
            <Field
                name="meeting[title]" label=texts.meeting_title() value=previous("meeting[title]", text.title) refusal=refusal
            />
        </div>
        {children.map(|children| children())}
        <div class="field">
            <label for="meeting[attendees]">{texts.optional(texts.with())}</label>
            <Textarea name="meeting[attendees]" value=previous("meeting[attendees]", text.attendees) rows=3 />
            <span class="hint">{texts.with_hint()}</span>
            <Problem refusal=refusal fields=&["meeting[attendees]"] id="attendees-problem".to_owned() />
        </div>
        <div class="field">
            <label for="meeting[description]">{texts.optional(texts.description())}</label>
            <Textarea name="meeting[description]" value=previous("meeting[description]", text.description) rows=4 />
            <Problem refusal=refusal fields=&["meeting[description]"] id="description-problem".to_owned() />
        </div>
        {reminders}
    }
}
