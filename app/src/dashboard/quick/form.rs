//! The form of quick add.

use crate::{
    dashboard::quick::{
        echo::Echo,
        server_fns::{QuickAdd, QuickWords},
    },
    ui::{
        debounce::Debounce,
        form::{PlainForm, choice::Choice, field::Field, focus::focus_first, refusal_of, typed},
    },
};
use domain::base::when::MAX_BYTES;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::dashboard::quick::QuickTexts;

/// Delay between the last key and the request that reads the words, in milliseconds.
const READ_AFTER_MS: u64 = 150;
/// Fields whose problems the form shows itself.
const FIELDS: &[&str] = &["title", "when"];

/// Title, kind and time.
#[component]
pub fn QuickForm(
    /// The words and what they mean.
    state: Signal<QuickWords>,
    /// The words to read.
    words: RwSignal<Option<String>>,
) -> impl IntoView {
    let texts = QuickTexts::here();
    let refusal = Signal::stored(refusal_of(QuickAdd::PATH));
    let query = use_query_map().get_untracked();
    let value = move |name: &str| typed(QuickAdd::PATH, name).or_else(|| query.get(name)).unwrap_or_default();
    let when =
        typed(QuickAdd::PATH, "when").unwrap_or_else(|| state.with_untracked(|state| state.text.clone()));
    let kinds = [("article", texts.article()), ("reminder", texts.reminder())];
    let kinds = kinds.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    let timer = Debounce::new();
    focus_first(&[".quick-form [name=title]"]);
    view! {
        <PlainForm function=QuickAdd::PATH class="quick-form" fields=FIELDS>
            <Field name="title" label=texts.what() value=value("title") refusal=refusal />
            <div class="fields">
                <Choice name="kind" label=texts.kind() options=kinds chosen=value("kind") />
                <div class="field grow">
                    <label for="when">{texts.when()}</label>
                    <input
                        id="when"
                        name="when"
                        type="text"
                        value=when
                        required
                        autocomplete="off"
                        spellcheck="false"
                        maxlength=MAX_BYTES.to_string()
                        aria-describedby="when-echo when-hint"
                        on:input:target=move |event| {
                            let typed = event.target().value();
                            timer.schedule(READ_AFTER_MS, move || words.set(Some(typed)));
                        }
                    />
                    <span class="hint" id="when-hint">{texts.when_hint()}</span>
                </div>
            </div>
            <Echo state=state />
            <p class="row">
                <button type="submit" class="button main">{texts.add()}</button>
                <a class="button bare" href="/meetings/new">{texts.meeting()}</a>
            </p>
        </PlainForm>
    }
}
