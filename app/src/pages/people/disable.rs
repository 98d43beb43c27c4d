//! What shutting an account asks: what shall become of what the person has scheduled.

use crate::{
    calls::people::{DisablePerson, waiting_of},
    components::{loaded::Loaded, moment::Moment},
    form::PlainForm,
    words::account::AccountWords,
};
use domain::person::Person;
use leptos::prelude::*;
use server_fn::ServerFn;

/// The list of what waits, and both answers.
#[component]
pub fn AskToDisable(person: Person) -> impl IntoView {
    let words = AccountWords::here();
    let id = person.id;
    let waiting = Resource::new(move || id, waiting_of);
    let items = move |tasks: Vec<domain::task::TaskRow>| {
        tasks
            .into_iter()
            .map(|task| {
                let address = format!("/tasks/{}", task.id);
                view! { <li><a href=address>{task.title}</a> " · " <Moment at=task.due /></li> }
            })
            .collect_view()
    };
    let answer = move |leftover: &'static str, class: &'static str, label: &'static str| {
        view! {
            <PlainForm function=DisablePerson::PATH class="tight">
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="leftover" value=leftover />
                <button class=class type="submit">{label}</button>
            </PlainForm>
        }
    };
    view! {
        <section class="offer" aria-labelledby="disable">
            <h2 id="disable">{words.disable_heading(person.name)}</h2>
            <p>{words.disable_lead()}</p>
            <Loaded from=waiting let:waiting>
                <ul class="leftovers">{move || items(waiting.get())}</ul>
            </Loaded>
            <div class="row">
                {answer("keep", "button", words.keep_tasks())}
                {answer("cancel", "button danger", words.cancel_tasks())}
                <a class="button bare" href="/settings/people">{words.not_now()}</a>
            </div>
        </section>
    }
}
