//! Asks what happens to the scheduled tasks of an account that is disabled.

use crate::{
    accounts::server_fns::{DisableAccount, scheduled_tasks_of},
    session::visitor,
    tasks::target::title_of,
    ui::{async_view::AsyncView, form::PlainForm, time::date_time::DateTime},
};
use domain::{account::Account, task::TaskRow};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{accounts::AccountTexts, language, tasks::TaskTexts};

/// The scheduled tasks, and the options: hand them over, cancel them, or keep the account.
#[component]
pub fn DisableForm(
    /// The account to disable.
    account: Account,
    /// All accounts.
    accounts: Vec<Account>,
) -> impl IntoView {
    let texts = AccountTexts::here();
    let id = account.id;
    let scheduled = Resource::new(move || id, scheduled_tasks_of);
    let items = move |tasks: Vec<TaskRow>| {
        tasks
            .into_iter()
            .map(|task| {
                let address = format!("/tasks/{}", task.id);
                let kind = TaskTexts::here().kind(task.kind);
                view! { <li>{kind} " " <a href=address>{title_of(language(), &task)}</a> " · " <DateTime at=task.due /></li> }
            })
            .collect_view()
    };
    view! {
        <section class="prompt" aria-labelledby="disable">
            <h2 id="disable">{texts.disable_heading(account.name)}</h2>
            <AsyncView from=scheduled let:scheduled>
                <p>{move || match scheduled.with(Vec::len) {
                    0 => texts.disable_lead_managed().to_owned(),
                    count => texts.disable_lead(count),
                }}</p>
                <ul class="scheduled-list">{move || items(scheduled.get())}</ul>
            </AsyncView>
            <PlainForm function=DisableAccount::PATH class="inline">
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="on_disable" value="keep" />
                <label for="hand-over-to">{texts.hand_over_to()}</label>
                <select class="input" id="hand-over-to" name="to">
                    {accounts.into_iter().filter(|other| other.id != id && !other.is_disabled).map(recipient).collect_view()}
                </select>
                <button class="button main" type="submit">{texts.hand_over()}</button>
            </PlainForm>
            <div class="row">
                <PlainForm function=DisableAccount::PATH class="inline">
                    <input type="hidden" name="id" value=id.to_string() />
                    <input type="hidden" name="on_disable" value="cancel" />
                    <button class="button danger" type="submit">{texts.cancel_tasks()}</button>
                </PlainForm>
                <a class="button bare" href="/settings/people">{texts.keep_account()}</a>
            </div>
        </section>
    }
}

/// An account as an option. The admin who disables the account is selected.
fn recipient(account: Account) -> impl IntoView {
    let is_me = visitor().account.is_some_and(|me| me.id == account.id);
    let name = if is_me {
        AccountTexts::here().name_of_you(account.name)
    } else {
        format!("{} · {}", account.name, account.email)
    };
    view! { <option value=account.id.to_string() selected=is_me>{name}</option> }
}
