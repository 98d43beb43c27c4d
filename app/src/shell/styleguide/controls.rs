//! Fields, states and charts.

use crate::shell::styleguide::{Part, Specimen};
use crate::{
    tasks::phase::icon_of,
    ui::{
        chart::{Bar, Chart, Scale},
        form::{field::Field, select::LanguageChoice, textarea::Textarea},
        icon::Icon,
    },
};
use domain::{DomainError, Kind, account::Language, error::ValidationError, task::Phase};
use leptos::prelude::*;
use texts::tasks::TaskTexts;

#[component]
pub fn Fields() -> impl IntoView {
    let refusal = DomainError::invalid("refused", ValidationError::Empty);
    view! {
        <Part title="Fields">
            <div class="settings">
                <Field name="empty" label="Title" hint="At most 300 characters." />
                <Field name="filled" label="Title" value="Zones" />
                <Field name="refused" label="Refused" refusal=Signal::stored(Some(refusal)) />
                <Field name="optional" label="Not required" is_optional=true />
                <Field name="secret" label="Password" kind="password" value="12345678" />
                <LanguageChoice chosen=Language::En />
                <div class="field"><label for="body">"Text"</label><Textarea name="body" value="One line\nand another".to_owned() rows=3 /></div>
                <fieldset class="field">
                    <legend class="label">"Choices"</legend>
                    <label class="choice"><input type="radio" name="one" checked />"Chosen"</label>
                    <label class="choice"><input type="radio" name="one" />"Not chosen"</label>
                    <label class="choice"><input type="checkbox" checked />"On"</label>
                    <label class="choice"><input type="checkbox" />"Off"</label>
                    <label class="choice"><input type="checkbox" disabled />"Not possible"</label>
                </fieldset>
            </div>
        </Part>
    }
}

/// States as icon and word, and charts.
#[component]
pub fn Pictures() -> impl IntoView {
    let texts = TaskTexts::here();
    let phases =
        [Phase::Scheduled, Phase::Due, Phase::Executed, Phase::Failed, Phase::Missed, Phase::Cancelled];
    let icon = move |phase: Phase| {
        let word = texts.phase(phase, Kind::ArticlePublish);
        view! { <span class="phase" data-phase=phase.as_str()><Icon name=icon_of(phase) />{word}</span> }
    };
    let shape = move |phase: Phase| {
        let word = texts.phase(phase, Kind::ArticlePublish);
        view! { <span class="phase state-mark" data-phase=phase.as_str()>{word}</span> }
    };
    let bar = |(at, value)| Bar { label: format!("{at} ms"), value, is_bad: at > 3 };
    let bars = [0, 3, 12, 40, 9, 1].into_iter().enumerate().map(bar).collect::<Vec<_>>();
    let none = (0..6).map(|at| bar((at, 0))).collect::<Vec<_>>();
    let line = Scale {
        ticks: vec![(0, "0".to_owned()), (5, "5 ms".to_owned())],
        line: Some((4, "on time".to_owned(), "late".to_owned())),
    };
    view! {
        <Part title="States and charts">
            <Specimen name="With an icon"><p class="row">{phases.map(icon)}</p></Specimen>
            <Specimen name="In a list, with a shape"><p class="row">{phases.map(shape)}</p></Specimen>
            <Specimen name="Marks">
                <p class="row"><span class="mark">"disabled"</span><span class="lateness">"+3 ms"</span><span class="lateness late">"+2 s"</span></p>
            </Specimen>
            <Specimen name="Chart with a limit">
                <Chart title="Lateness" summary="65 tasks".to_owned() bars=bars scale=line columns=("Lateness", "Tasks") />
            </Specimen>
            <Specimen name="Chart without values">
                <Chart
                    title="Throughput" summary="0 tasks".to_owned()
                    bars=none scale=Scale::default() columns=("Minute", "Tasks")
                />
            </Specimen>
        </Part>
    }
}
