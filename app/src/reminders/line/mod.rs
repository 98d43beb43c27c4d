//! The line above the list: a reminder and its time in words, as `call the printer every monday 9am`.

pub mod server_fns;

use crate::{
    dashboard::quick::{echo::Echo, server_fns::QuickWords},
    reminders::{
        line::server_fns::{LineMeaning, RemindByLine, read_reminder_line},
        result::announce_reminder,
    },
    server_fns::Refused,
    ui::{
        async_view::AsyncView,
        debounce::Debounce,
        form::{Form, refusal_of, typed},
    },
};
use domain::{DomainError, reminders::MAX_TEXT_CHARS};
use leptos::{html, prelude::*};
use server_fn::ServerFn;
use texts::reminders::ReminderTexts;

/// Delay between the last key and the request that reads the line, in milliseconds.
const READ_AFTER_MS: u64 = 150;

/// The panel with the line.
#[component]
pub fn LinePanel() -> impl IntoView {
    let texts = ReminderTexts::here();
    let line = RwSignal::new(typed(RemindByLine::PATH, "line").unwrap_or_default());
    let read = Resource::new(
        move || line.get(),
        |line| async move {
            if line.is_empty() { Ok(LineMeaning::default()) } else { read_reminder_line(line).await }
        },
    );
    view! {
        <section class="panel" aria-labelledby="form-title">
            <header><h2 id="form-title">{texts.new_title()}</h2></header>
            <AsyncView from=read children=move |meaning| view! { <LineForm meaning=meaning line=line /> } />
        </section>
    }
}

#[component]
fn LineForm(
    /// What the line means.
    meaning: Signal<LineMeaning>,
    /// The line to read.
    line: RwSignal<String>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let action = ServerAction::<RemindByLine>::new();
    announce_reminder(action);
    let (field, timer) = (NodeRef::<html::Input>::new(), Debounce::new());
    let value = line.get_untracked();
    Effect::new(move || {
        let is_saved = matches!(&*action.value().read(), Some(Ok(_)));
        if let (true, Some(field)) = (is_saved, field.get_untracked()) {
            timer.cancel();
            field.set_value("");
            line.set(String::new());
        }
    });
    let answered = refusal_of(RemindByLine::PATH);
    let is_wrong = move || match &*action.value().read() {
        Some(Err(Refused(_))) => true,
        Some(Ok(_)) => false,
        None => answered.is_some(),
    };
    let time: Signal<QuickWords> = Signal::derive(move || meaning.with(|meaning| meaning.time.clone()));
    let text = move || meaning.with(|meaning| Some(meaning.text.clone()).filter(|text| !text.is_empty()));
    let shown_by_echo: fn(&DomainError) -> bool = is_shown_by_echo;
    view! {
        <Form action=action class="line-form" shown_by_fields=shown_by_echo>
            <label for="line" class="visually-hidden">{texts.line()}</label>
            <div class="line-fields">
                <input
                    id="line"
                    class="input"
                    name="line"
                    type="text"
                    value=value
                    required
                    autocomplete="off"
                    spellcheck="false"
                    maxlength=MAX_TEXT_CHARS.to_string()
                    placeholder=texts.line_example()
                    node_ref=field
                    aria-describedby="line-text when-echo line-hint"
                    aria-invalid=move || is_wrong().then_some("true")
                    on:input:target=move |event| {
                        let typed = event.target().value();
                        timer.schedule(READ_AFTER_MS, move || line.set(typed));
                    }
                />
                <button type="submit" class="button main">{texts.remind()}</button>
            </div>
            <p class="line-text" id="line-text" dir="auto">{text}</p>
            <Echo state=time />
            <span class="hint" id="line-hint">{texts.line_hint()}</span>
        </Form>
    }
}

/// The line below the field says what is wrong with the words of the time.
fn is_shown_by_echo(refusal: &DomainError) -> bool {
    refusal.is_about(&["when"])
}
