//! What the typed words mean: the moment in words, or the choice between several.

use crate::{
    dashboard::quick::server_fns::QuickWords,
    live::live,
    session::visitor,
    ui::{form::typed_in_any, time::picker::TimePreview},
};
use domain::{
    base::when::{Question, WordsMeaning, WordsReading},
    reminders::ReminderWords,
    time::local_time,
};
use leptos::prelude::*;
use texts::{
    calendar::rule_text::rule_text,
    dashboard::quick::QuickTexts,
    language,
    refusal::sentence,
    time::{place, placed_text, relative},
};

/// The line below the field.
#[component]
pub fn Echo(
    /// The words and what they mean.
    state: Signal<QuickWords>,
) -> impl IntoView {
    let shown = Memo::new(move |_| state.get());
    view! {
        <div class="time-feedback" role="status" id="when-echo">
            {move || {
                let QuickWords { meaning, refusal, .. } = shown.get();
                let refusal = refusal.map(|refusal| {
                    view! { <p class="notice warn">{sentence(language(), &refusal)}</p> }
                });
                view! {
                    {refusal}
                    {meaning.map(|words| view! { <Meaning words=words /> })}
                }
            }}
        </div>
    }
}

#[component]
fn Meaning(words: ReminderWords) -> impl IntoView {
    let texts = QuickTexts::here();
    let ReminderWords { meaning, repeats } = words;
    let rule = repeats.map(|rule| rule_text(language(), &rule));
    let is_elsewhere = meaning.zone != visitor().zone();
    match meaning.only() {
        Some(only) => {
            let typed = is_elsewhere.then(|| text_of(only, &meaning.zone));
            view! {
                {meaning.is_slot.then(|| view! { <p class="hint">{texts.slot()}</p> })}
                {rule.map(|rule| view! { <p class="hint">{rule}</p> })}
                <TimePreview at=only.moment typed=typed />
            }
            .into_any()
        }
        None => view! { <Choice meaning=meaning /> }.into_any(),
    }
}

/// All readings, as radio buttons of the form.
#[component]
fn Choice(meaning: WordsMeaning) -> impl IntoView {
    let texts = QuickTexts::here();
    let legend = match meaning.question {
        Some(Question::SkippedTime) => texts.skipped(),
        Some(Question::DoubledTime) => texts.doubled(),
        _ => texts.which(),
    };
    let now = live().now().get_untracked();
    let chosen = typed_in_any("reading").unwrap_or_default();
    let options = meaning.readings.iter().map(|reading| {
        let value = reading.moment.at.to_string();
        let is_chosen = value == chosen;
        let apart = relative(language(), reading.moment.at, now);
        let text = format!("{} · {apart}", text_of(reading, &meaning.zone));
        view! {
            <label class="choice">
                <input type="radio" name="reading" value=value required checked=is_chosen />
                {text}
            </label>
        }
    });
    view! { <fieldset class="choices"><legend>{legend}</legend>{options.collect_view()}</fieldset> }
}

/// A reading in words, with its zone; where a local time occurs twice, with its offset.
fn text_of(reading: &WordsReading, zone: &str) -> String {
    let minutes = reading.offset_seconds.div_euclid(60);
    let wall = local_time(reading.moment.at, minutes, reading.disambiguation.is_some());
    placed_text(language(), wall, None, &place(language(), zone))
}
