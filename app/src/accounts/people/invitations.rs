//! The invitations that were not accepted yet, with the actions of an admin.

use crate::{
    accounts::{
        password_confirmation::PasswordConfirmation,
        server_fns::{RenewInvitation, WithdrawInvitation, list_invitations},
    },
    live::live,
    ui::{async_view::AsyncView, form::PlainForm},
};
use domain::account::InvitationRow;
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::AccountTexts;

const DAY_MS: i64 = 24 * 3_600_000;

/// The invitations; nothing if there is none.
#[component]
pub fn Invitations() -> impl IntoView {
    let texts = AccountTexts::here();
    let invitations = Resource::new(|| (), |()| list_invitations());
    let rows = move |rows: Vec<InvitationRow>| {
        rows.into_iter().map(|row| view! { <Invitation row=row /> }).collect_view()
    };
    view! {
        <AsyncView from=invitations let:invitations>
            {move || {
                let invited = invitations.get();
                (!invited.is_empty()).then(|| view! {
                    <section class="panel invitations" aria-labelledby="invitations">
                        <header><h2 id="invitations">{texts.invitations()}</h2></header>
                        <ul class="account-list">{rows(invited)}</ul>
                    </section>
                })
            }}
        </AsyncView>
    }
}

#[component]
fn Invitation(row: InvitationRow) -> impl IntoView {
    let texts = AccountTexts::here();
    let left = row.expires_at.since(live().now().get_untracked());
    let state = if left > 0 {
        let days = left.saturating_add(DAY_MS - 1) / DAY_MS;
        view! { <span class="muted invitation-state">{texts.days_left(days)}</span> }.into_any()
    } else {
        view! { <span class="mark invitation-state">{texts.expired()}</span> }.into_any()
    };
    let [renew, withdraw] = [texts.renew_link(), texts.withdraw()];
    let [renew_label, withdraw_label] =
        [renew, withdraw].map(|action| texts.of(action.to_owned(), row.name.clone()));
    let (id, withdrawn) = (row.id.clone(), row.id.clone());
    view! {
        <li class="account-row">
            <div class="account-name">
                <strong>{row.name.clone()}</strong> " " {state}
                <span class="muted">{row.email} " · " {texts.role_name(row.role)}</span>
            </div>
            <div class="row account-actions">
                <PlainForm function=RenewInvitation::PATH about=row.id class="inline">
                    <input type="hidden" name="id" value=id.clone() />
                    <input type="hidden" name="name" value=row.name />
                    <PasswordConfirmation function=RenewInvitation::PATH about=id />
                    <button class="button small" type="submit" aria-label=renew_label>{renew}</button>
                </PlainForm>
                <PlainForm function=WithdrawInvitation::PATH about=withdrawn.clone() class="inline">
                    <input type="hidden" name="id" value=withdrawn />
                    <button class="button small danger" type="submit" aria-label=withdraw_label>{withdraw}</button>
                </PlainForm>
            </div>
        </li>
    }
}
