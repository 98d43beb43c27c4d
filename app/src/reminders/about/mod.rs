//! Reminders about an article or a meeting, on its page: those there are, and a form for one more.

pub mod server_fns;

use crate::{
    live::live_resource,
    reminders::{
        about::server_fns::{AFTER, BEFORE, RemindAbout, UNITS, reminders_about},
        result::announce_reminder,
        row::{ROW_FORM, ReminderItem, key},
        server_fns::ActOnReminder,
    },
    server_fns::Refused,
    ui::{
        async_view::AsyncView,
        form::{Form, choice::Choice, field::Field, refusal_of, typed},
    },
};
use domain::{
    DomainError,
    reminders::{Anchor, Reminder, Subject},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::reminders::{AboutTexts, ReminderTexts};

/// Fields that show their errors themselves.
const FIELDS: [&str; 3] = ["text", "amount", "mail"];

/// The panel. It follows changes of the reminders.
#[component]
pub fn RemindersAbout(
    /// What they are about.
    subject: Subject,
    /// Its id.
    #[prop(into)]
    id: Signal<String>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let read = live_resource(
        |change| {
            change.entity == "reminder"
                || change.entity == "task" && matches!(change.verb.as_str(), "execute" | "fail")
        },
        move || id.get(),
        reminders_about,
    );
    let act = ServerAction::<ActOnReminder>::new();
    announce_reminder(act);
    view! {
        <section class="panel" aria-labelledby="reminders-about">
            <header><h2 id="reminders-about">{AboutTexts::here().title()}</h2></header>
            <Form action=act id=ROW_FORM>""</Form>
            <AsyncView from=read children=move |rows| view! { <Rows rows=rows /> } />
            <details class="open-in-place" open=refusal_of(RemindAbout::PATH).is_some()>
                <summary class="button small">{texts.new_title()}</summary>
                <AboutForm subject=subject id=id />
            </details>
        </section>
    }
}

#[component]
fn Rows(rows: Signal<Vec<Reminder>>) -> impl IntoView {
    let latest = Memo::new(move |_| rows.get());
    view! {
        <ul class="reminder-list">
            <For each=move || latest.get() key=key children=move |row| view! { <ReminderItem row=row /> } />
        </ul>
    }
}

/// Text, distance and recipient.
#[component]
fn AboutForm(subject: Subject, id: Signal<String>) -> impl IntoView {
    let (texts, about) = (ReminderTexts::here(), AboutTexts::here());
    let action = ServerAction::<RemindAbout>::new();
    announce_reminder(action);
    let answered = refusal_of(RemindAbout::PATH);
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(Refused(refusal))) => Some(refusal.clone()),
        Some(Ok(_)) => None,
        None => answered.clone(),
    });
    let shown_by_fields: fn(&DomainError) -> bool = |refusal| refusal.is_about(&FIELDS);
    let of = |name: &str| typed(RemindAbout::PATH, name).unwrap_or_default();
    view! {
        <Form action=action class="reminder-form" shown_by_fields=shown_by_fields>
            <input type="hidden" name="subject" value=subject.as_str() />
            <input type="hidden" name="about" prop:value=move || id.get() value=id.get_untracked() />
            <Field name="text" label=texts.text() value=of("text") hint=texts.text_hint() refusal=refusal />
            <Distance subject=subject refusal=refusal />
            <Field
                name="address" label=about.recipient() kind="email" value=of("address")
                hint=texts.address_hint() is_optional=true refusal=of_mail(refusal)
            />
            <p class="row"><button class="button main" type="submit">{texts.remind()}</button></p>
        </Form>
    }
}

/// Errors of an address, under the name of its field.
fn of_mail(refusal: Signal<Option<DomainError>>) -> Signal<Option<DomainError>> {
    Signal::derive(move || match refusal.get()? {
        DomainError::Invalid { field, problem } if field == "mail" => {
            Some(DomainError::Invalid { field: "address".to_owned(), problem })
        }
        _ => None,
    })
}

/// How long before or after what.
#[component]
fn Distance(subject: Subject, refusal: Signal<Option<DomainError>>) -> impl IntoView {
    let texts = AboutTexts::here();
    let of = |name: &str, first: &str| typed(RemindAbout::PATH, name).unwrap_or_else(|| first.to_owned());
    let options = |all: &[(&str, &str)]| -> Vec<(String, String)> {
        all.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect()
    };
    let units = [(UNITS[0].0, texts.minutes()), (UNITS[1].0, texts.hours()), (UNITS[2].0, texts.days())];
    let sides = [(BEFORE, texts.before()), (AFTER, texts.after())];
    let anchors = [(Anchor::Start.as_str(), texts.the_start()), (Anchor::End.as_str(), texts.the_end())];
    let anchor = match subject {
        Subject::Article => view! { <p class="field">{texts.the_publication()}</p> }.into_any(),
        Subject::Meeting => view! {
            <Choice name="anchor" label=texts.of_what() options=options(&anchors) chosen=of("anchor", "start") />
        }
        .into_any(),
    };
    view! {
        <div class="row distance">
            <Field name="amount" label=texts.amount() kind="number" value=of("amount", "2") refusal=refusal />
            <Choice name="unit" label=texts.unit() options=options(&units) chosen=of("unit", UNITS[2].0) />
            <Choice name="side" label=texts.side() options=options(&sides) chosen=of("side", BEFORE) />
            {anchor}
        </div>
        <p class="hint">{texts.hint()}</p>
    }
}
