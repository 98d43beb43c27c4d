//! `/settings/notifications`: what the user is notified of, and how.

pub mod server_fns;

use crate::{
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{PlainForm, field::Field, refusal_of, result_of, typed},
        page::{header::PageHeader, settings_menu::SettingsMenu},
        result::flash::Flash,
    },
};
use domain::reminders::{MailTime, NotificationChoice, NotificationEvent, minutes_text};
use leptos::prelude::*;
use server_fn::ServerFn;
use server_fns::{ChoicesPage, SaveChoices, find_choices};
use texts::reminders::choices::ChoiceTexts;

/// The page.
#[component]
pub fn NotificationChoicesView() -> impl IntoView {
    let texts = ChoiceTexts::here();
    let read = Resource::new(|| (), |()| find_choices());
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        <Flash messages=vec![("save", texts.saved())] />
        <div class="settings">
            <AsyncView from=read let:page>
                <ChoicesForm page=page.get_untracked() />
            </AsyncView>
        </div>
    }
}

#[component]
fn ChoicesForm(page: ChoicesPage) -> impl IntoView {
    let (texts, path) = (ChoiceTexts::here(), SaveChoices::PATH);
    let ChoicesPage { choices, has_mail_server } = page;
    let refusal = Signal::stored(refusal_of(path));
    let rows = NotificationEvent::ALL
        .iter()
        .map(move |event| view! { <Row event=*event choice=choices.of(*event) /> });
    let time = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
    let value = |field: &str, stored: String| typed(path, field).unwrap_or(stored);
    let (from, until) =
        choices.quiet.map_or_else(Default::default, |quiet| (time(quiet.from), time(quiet.until)));
    let zone = visitor().zone().to_owned();
    view! {
        {(!has_mail_server).then(|| view! { <p class="notice warn">{texts.no_mail()}</p> })}
        <PlainForm function=path fields={&["quiet_from", "quiet_until", "daily_at", "meeting_reminder_minutes"]} class="stack">
            <table class="table notification-choices">
                <thead>
                    <tr>
                        <th scope="col">{texts.event()}</th>
                        <th scope="col">{texts.bell()}</th>
                        <th scope="col">{texts.mail()}</th>
                        <th scope="col">{texts.push()}</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            <fieldset class="field">
                <legend class="label">{texts.quiet()}</legend>
                <div class="fields">
                    <Field
                        name="quiet_from" label=texts.from() kind="time" is_optional=true
                        value=value("quiet_from", from) refusal=refusal
                    />
                    <Field
                        name="quiet_until" label=texts.until() kind="time" is_optional=true
                        value=value("quiet_until", until) refusal=refusal
                    />
                </div>
                <span class="hint">{texts.quiet_hint(&zone)}</span>
            </fieldset>
            <Field
                name="daily_at" label=texts.daily_at() kind="time" hint=texts.daily_hint(&zone)
                value=value("daily_at", time(choices.daily_at)) refusal=refusal
            />
            <Field
                name="meeting_reminder_minutes" label=texts.meetings() kind="text" is_optional=true
                hint=texts.meetings_hint()
                value=value("meeting_reminder_minutes", minutes_text(&choices.usual_minutes())) refusal=refusal
            />
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}

/// The choices of one event.
#[component]
fn Row(event: NotificationEvent, choice: NotificationChoice) -> impl IntoView {
    let (texts, path) = (ChoiceTexts::here(), SaveChoices::PATH);
    let name = texts.event_name(event);
    let field = move |part: &str| format!("{event}[{part}]");
    let is_on = move |part: &str, stored: bool| match result_of(path, None) {
        Some(_) => typed(path, &field(part)).is_some(),
        None => stored,
    };
    let chosen = typed(path, &field("mail")).unwrap_or_else(|| choice.mail.to_string());
    let options = MailTime::ALL.iter().map(|time| {
        let is_chosen = time.as_str() == chosen;
        view! { <option value=time.as_str() selected=is_chosen>{texts.mail_time(*time)}</option> }
    });
    let box_of = move |part: &'static str, stored: bool, column: &'static str| {
        let label = texts.of_event(name, column);
        view! { <input type="checkbox" name=field(part) value="true" checked=is_on(part, stored) aria-label=label /> }
    };
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td><label class="choice">{box_of("bell", choice.bell, texts.bell())}</label></td>
            <td><select name=field("mail") aria-label=texts.of_event(name, texts.mail())>{options.collect_view()}</select></td>
            <td><label class="choice">{box_of("push", choice.push, texts.push())}</label></td>
        </tr>
    }
}
