//! Asks what happens to the scheduled tasks of an account that is disabled.

use crate::{
    accounts::{
        server_fns::{DisableAccount, scheduled_tasks_of},
        texts::AccountTexts,
    },
    ui::{async_view::AsyncView, form::PlainForm, time::date_time::DateTime},
};
use domain::account::Account;
use leptos::prelude::*;
use server_fn::ServerFn;

/// The scheduled tasks, and the two options.
#[component]
pub fn DisableForm(account: Account) -> impl IntoView {
    let texts = AccountTexts::here();
    let id = account.id;
    let scheduled = Resource::new(move || id, scheduled_tasks_of);
    let items = move |tasks: Vec<domain::task::TaskRow>| {
        tasks
            .into_iter()
            .map(|task| {
                let address = format!("/tasks/{}", task.id);
                view! { <li><a href=address>{task.title}</a> " · " <DateTime at=task.due /></li> }
            })
            .collect_view()
    };
    let option = move |on_disable: &'static str, class: &'static str, label: &'static str| {
        view! {
            <PlainForm function=DisableAccount::PATH class="inline">
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="on_disable" value=on_disable />
                <button class=class type="submit">{label}</button>
            </PlainForm>
        }
    };
    view! {
        <section class="prompt" aria-labelledby="disable">
            <h2 id="disable">{texts.disable_heading(account.name)}</h2>
            <p>{texts.disable_lead()}</p>
            <AsyncView from=scheduled let:scheduled>
                <ul class="scheduled-list">{move || items(scheduled.get())}</ul>
            </AsyncView>
            <div class="row">
                {option("keep", "button", texts.keep_tasks())}
                {option("cancel", "button danger", texts.cancel_tasks())}
                <a class="button bare" href="/settings/people">{texts.keep_account()}</a>
            </div>
        </section>
    }
}
