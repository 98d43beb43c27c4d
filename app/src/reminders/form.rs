//! The form of a reminder: new, or changed.

use crate::{
    live::live,
    reminders::{
        form_values::KEEP_RULE,
        result::announce_reminder,
        server_fns::{ReminderList, SaveReminder},
    },
    server_fns::Refused,
    session::visitor,
    ui::{
        form::{Form, field::Field, result_of, textarea::Textarea, typed},
        time::picker::{
            CityList, TimeFeedback, TimeFields, TimeInput, TimeSubmit, date_and_time, shows_refusal,
            zone_as_typed,
        },
    },
};
use domain::{
    DomainError, LocalizedTime,
    reminders::{Recipient, Reminder},
    series::RuleFields,
};
use leptos::{html, prelude::*};
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::{
    calendar::rule_text::rule_text, language, meetings::RepeatTexts, refusal::problem,
    reminders::ReminderTexts,
};

/// Prefix of the ids of the time fields.
const NAME: &str = "reminder";
/// Fields that show their errors themselves.
const FIELDS: [&str; 2] = ["text", "mail"];
/// A full hour.
const HOUR_MS: i64 = 3_600_000;

/// Text, recipient and time. `reminder`: the one that is changed.
#[component]
pub fn ReminderForm(
    /// What the form offers.
    list: ReminderList,
    /// The reminder that is changed; `None`: a new one.
    reminder: Option<Reminder>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let action = ServerAction::<SaveReminder>::new();
    announce_reminder(action);
    let id = reminder.as_ref().map(|one| one.id.to_string()).unwrap_or_default();
    let seen = reminder.as_ref().map(|one| one.version.0.to_string()).unwrap_or_default();
    let refused = result_of(SaveReminder::PATH, None);
    let answered = refused.as_ref().map(|form| form.refusal.clone());
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(Refused(refusal))) => Some(refusal.clone()),
        Some(Ok(_)) => None,
        None => answered.clone(),
    });
    let input = time_input(reminder.as_ref());
    input.show_refusals(NAME.to_owned(), move || action.value().get()?.err());
    let is_new = reminder.is_none();
    let label = Signal::derive(move || match (input.as_sentence(), is_new) {
        (Some(when), true) => texts.remind_on(when),
        (Some(when), false) => texts.save_for(when),
        (None, true) => texts.remind().to_owned(),
        (None, false) => texts.save().to_owned(),
    });
    let text = reminder.as_ref().map(|one| one.text.clone()).unwrap_or_default();
    let text = typed(SaveReminder::PATH, "text").unwrap_or(text);
    let text_field = emptied_when_saved(action, is_new);
    let rule = reminder.as_ref().and_then(|one| one.repeats.as_ref()).map(|repeats| repeats.rule.clone());
    let can_repeat = reminder.as_ref().is_none_or(|one| one.about.is_none());
    let no_js = if is_new { texts.remind() } else { texts.save() };
    let shown_by_fields: fn(&DomainError) -> bool = is_shown_by_fields;
    view! {
        <Form action=action class="reminder-form" shown_by_fields=shown_by_fields>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=seen />
            <div class="field">
                <label for="text">{texts.text()}</label>
                <Textarea name="text" value=text rows=2 node_ref=text_field />
                <FieldProblem refusal=refusal field="text" />
            </div>
            <Whom list=list reminder=reminder refusal=refusal />
            <div class="time-sentence"><span class="js-only">{texts.at()}</span><TimeFields input=input name=NAME has_words=true /></div>
            <TimeFeedback input=input name=NAME />
            {can_repeat.then(|| view! { <Repeat rule=rule /> })}
            <p class="row">
                <TimeSubmit input=input name=NAME label=label no_js=no_js />
                {(!is_new).then(|| view! { <a class="button bare" href="/reminders">{texts.keep()}</a> })}
            </p>
        </Form>
        <CityList />
    }
}

/// The field of the text. A new reminder empties it when it is set: a second click does not set it again.
fn emptied_when_saved(action: ServerAction<SaveReminder>, is_new: bool) -> NodeRef<html::Textarea> {
    let field = NodeRef::<html::Textarea>::new();
    Effect::new(move || {
        let is_saved = matches!(&*action.value().read(), Some(Ok(_)));
        if let (true, Some(field)) = (is_new && is_saved, field.get_untracked()) {
            field.set_value("");
        }
    });
    field
}

/// How it repeats, and which reminders of a series change.
#[component]
fn Repeat(
    /// The rule of the reminder that is changed; `None`: it does not repeat.
    rule: Option<RuleFields>,
) -> impl IntoView {
    let (texts, repeat_texts) = (ReminderTexts::here(), RepeatTexts::here());
    let has_series = rule.is_some();
    let first = match rule {
        Some(rule) => (KEEP_RULE, rule_text(language(), &rule)),
        None => ("", repeat_texts.every_word("").to_owned()),
    };
    let chosen = typed(SaveReminder::PATH, "repeats").unwrap_or_else(|| first.0.to_owned());
    let words = ["daily", "weekdays", "weekly", "monthly", "yearly"].map(|word| {
        let label = if word == "weekdays" { texts.weekdays() } else { repeat_texts.every_word(word) };
        (word, label.to_owned())
    });
    let options = [first].into_iter().chain(words).map(|(value, label)| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{label}</option> }
    });
    let options = options.collect_view();
    let reach = has_series.then(|| {
        let is_this = typed(SaveReminder::PATH, "reach").as_deref() == Some("this");
        view! {
            <div class="field">
                <label for="reach">{texts.reach()}</label>
                <select id="reach" name="reach">
                    <option value="all" selected=!is_this>{texts.all_coming()}</option>
                    <option value="this" selected=is_this>{texts.only_next()}</option>
                </select>
            </div>
        }
    });
    view! {
        <div class="repeat-fields row">
            <div class="field">
                <label for="repeats">{repeat_texts.repeats()}</label>
                <select id="repeats" name="repeats">{options}</select>
            </div>
            {reach}
        </div>
    }
}

fn is_shown_by_fields(refusal: &DomainError) -> bool {
    shows_refusal(refusal) || refusal.is_about(&FIELDS)
}

#[component]
fn FieldProblem(refusal: Signal<Option<DomainError>>, field: &'static str) -> impl IntoView {
    let language = language();
    let wrong = Memo::new(move |_| {
        refusal.with(|refusal| Some(problem(language, refusal.as_ref()?.problem_of(|name| name == field)?)))
    });
    move || wrong.get().map(|wrong| view! { <span class="problem">{wrong}</span> })
}

/// Whom it reaches: the user, an address, or a channel.
#[component]
fn Whom(
    list: ReminderList,
    reminder: Option<Reminder>,
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let (to, address) = recipient_as_typed(reminder.map(|one| one.recipient));
    let to = typed(SaveReminder::PATH, "to").unwrap_or(to);
    let address = typed(SaveReminder::PATH, "address").unwrap_or(address);
    let option = {
        let to = to.clone();
        move |value: String, label: String| {
            let is_chosen = value == to;
            view! { <option value=value selected=is_chosen>{label}</option> }
        }
    };
    let channels = list.channels.into_iter().map({
        let option = option.clone();
        move |(id, name)| option(format!("channel.{id}"), texts.channel(&name))
    });
    let mails = (!list.has_mail_server).then(|| {
        let link =
            visitor().is_admin().then(|| view! { " " <a href="/settings/mail">{texts.set_mail()}</a> });
        view! { <p class="hint">{texts.no_mail()}{link}</p> }
    });
    let (select, input) = (NodeRef::<html::Select>::new(), NodeRef::<html::Input>::new());
    let chosen = RwSignal::new(());
    // The field is hidden unless an address is chosen: then it is not submitted.
    Effect::new(move || {
        chosen.track();
        if let (Some(select), Some(input)) = (select.get(), input.get()) {
            input.set_disabled(select.value() != "address");
        }
    });
    view! {
        <input type="hidden" name="address_before" value=address.clone() />
        <div class="fields">
            <div class="field">
                <label for="to">{texts.to()}</label>
                <select id="to" name="to" node_ref=select on:change=move |_| chosen.set(())>
                    {option("me".to_owned(), texts.me().to_owned())}
                    {option("address".to_owned(), texts.mail_address().to_owned())}
                    {channels.collect_view()}
                </select>
            </div>
            <div class="field grow address">
                <Field
                    name="address" label=texts.address() kind="email" value=address hint=texts.address_hint() is_optional=true
                    node_ref=input
                />
                <FieldProblem refusal=refusal field="mail" />
            </div>
        </div>
        {mails}
    }
}

/// Returns the values of the fields `to` and `address`.
fn recipient_as_typed(recipient: Option<Recipient>) -> (String, String) {
    let own = visitor().account.map(|account| account.id);
    match recipient {
        Some(Recipient::Channel(id)) => (format!("channel.{id}"), String::new()),
        Some(Recipient::Account(id)) if Some(id) == own => ("me".to_owned(), String::new()),
        Some(Recipient::Mail(address)) => ("address".to_owned(), address),
        // The name of an account is not its address: it is typed again.
        Some(Recipient::Account(_)) => ("address".to_owned(), String::new()),
        _ => ("me".to_owned(), String::new()),
    }
}

/// Returns the typed time of a refused form, that of the reminder, that of the URL, or the next full
/// hour.
fn time_input(reminder: Option<&Reminder>) -> TimeInput {
    let result = result_of(SaveReminder::PATH, None);
    let query = use_query_map().get_untracked();
    let of_url = |field: &str| query.get(field).filter(|_| reminder.is_none());
    let typed = |field: &str| match &result {
        Some(result) => result.typed(field).map(str::to_owned),
        None => of_url(field),
    };
    let now = live().now().get_untracked();
    let offset = visitor().heartbeat.heartbeat_offset;
    let hour = now.plus(HOUR_MS);
    let hour = hour.plus(-hour.millis().rem_euclid(HOUR_MS));
    let next = LocalizedTime::new(hour, offset, offset);
    let due = reminder.map(|one| one.due).filter(|due| due.at > now);
    let (date, time) = date_and_time(due.unwrap_or(next));
    let known = due.map(Ok);
    TimeInput::new(
        (typed("date").unwrap_or(date), typed("time").unwrap_or(time)),
        typed("zone").unwrap_or_else(|| zone_as_typed(visitor().zone())),
        typed("which").unwrap_or_default(),
        result.map(|result| result.refusal).filter(|refusal| !refusal.is_about(&FIELDS)).map(Err).or(known),
    )
}
