//! The second factor in the profile.

use crate::{
    accounts::{
        password_confirmation::PasswordConfirmation,
        second_factor_fns::{
            AddSecondFactor, CreateSecondFactor, RemoveSecondFactor, RenewRecoveryCodes, new_recovery_codes,
            second_factor,
        },
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        form::{
            PENDING_FORM, PlainForm, field::Field, form_awaiting_second_factor, form_to_send_again,
            refusal_of,
        },
        time::date_time::Relative,
    },
};
use domain::{
    Timestamp,
    accounts::second_factor::{NewSecondFactor, SecondFactor},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::second_factor::SecondFactorTexts;

/// Adds, shows and removes the second factor, and shows new recovery codes once.
#[component]
pub fn SecondFactorPanel() -> impl IntoView {
    let texts = SecondFactorTexts::here();
    let factor = Resource::new(|| (), |()| second_factor());
    let codes = Resource::new(|| (), |()| new_recovery_codes());
    view! {
        <section class="panel" id="second-factor">
            <header><h2>{texts.title()}</h2></header>
            <p>{texts.lead()}</p>
            <Suspense>
                {move || Suspend::new(async move {
                    codes.await.ok().flatten().map(|codes| view! { <RecoveryCodes codes=codes /> })
                })}
            </Suspense>
            <KeptForm />
            <AsyncView from=factor let:factor>
                {move || view! { <FactorState factor=factor.get() /> }}
            </AsyncView>
        </section>
    }
}

#[component]
fn RecoveryCodes(codes: Vec<String>) -> impl IntoView {
    let text = codes.join("\n");
    view! {
        <div class="notice good new-secret" role="status">
            <p>{SecondFactorTexts::here().codes_ready()}</p>
            <pre class="secret" tabindex="0">{text.clone()}</pre>
            <p><CopyButton text=text /></p>
        </div>
    }
}

/// The button that sends a form that was kept while the second factor was added.
#[component]
fn KeptForm() -> impl IntoView {
    form_to_send_again().map(|form| {
        let fields = form.fields.into_iter();
        let fields = fields.map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
        view! {
            <form method="post" action=form.function>
                {fields.collect_view()}
                <p><button class="button main" type="submit">{SecondFactorTexts::here().send_input()}</button></p>
            </form>
        }
    })
}

/// The hidden field with a form that waits until the second factor is added.
#[component]
fn KeptInput() -> impl IntoView {
    form_awaiting_second_factor(&[CreateSecondFactor::PATH, AddSecondFactor::PATH]).map(|form| {
        view! {
            <input type="hidden" name=PENDING_FORM value=form />
            <p class="notice">{SecondFactorTexts::here().input_is_kept()}</p>
        }
    })
}

#[component]
fn FactorState(factor: SecondFactor) -> impl IntoView {
    let required_at = factor.required_at.filter(|_| factor.since.is_none());
    let notice = required_at.map(|at| {
        let text = SecondFactorTexts::here().required();
        view! { <p class="notice warn">{text} " " <Relative at=at /></p> }
    });
    let state = match (factor.since, factor.new_secret) {
        (Some(since), _) => view! { <Active since=since recovery_codes=factor.recovery_codes /> }.into_any(),
        (None, Some(secret)) => view! { <FirstCode secret=secret /> }.into_any(),
        (None, None) => {
            let label = SecondFactorTexts::here().begin();
            view! { <ConfirmedForm function=CreateSecondFactor::PATH label=label /> }.into_any()
        }
    };
    view! {
        {notice}
        {state}
    }
}

/// Shows the key and asks for its first code.
#[component]
fn FirstCode(secret: NewSecondFactor) -> impl IntoView {
    let texts = SecondFactorTexts::here();
    let path = AddSecondFactor::PATH;
    let fields: &'static [&'static str] =
        if visitor().asks_password { &["code", "password"] } else { &["code"] };
    let refusal = Signal::stored(refusal_of(path));
    view! {
        <p>{texts.scan()}</p>
        {secret.qr_code.map(|svg| view! { <div role="img" aria-label=texts.qr_code() inner_html=svg></div> })}
        <p class="row">
            <span>{texts.key()}</span> " " <code class="secret" tabindex="0">{secret.text.clone()}</code> " "
            <CopyButton text=secret.text />
        </p>
        <p><a class="button" href=secret.url rel="external">{texts.open_app()}</a></p>
        <PlainForm function=path fields=fields class="stack">
            <KeptInput />
            <Field
                name="code" id="second-factor-code" label=texts.code() fill="one-time-code" hint=texts.code_hint()
                refusal=refusal
            />
            <PasswordConfirmation function=path />
            <p><button class="button main" type="submit">{texts.add()}</button></p>
        </PlainForm>
        <ConfirmedForm function=CreateSecondFactor::PATH label=texts.another_key() />
    }
}

/// Says since when log-ins ask for a code, and how many recovery codes are left.
#[component]
fn Active(since: Timestamp, recovery_codes: usize) -> impl IntoView {
    let texts = SecondFactorTexts::here();
    let left = match recovery_codes {
        0 => texts.no_codes().to_owned(),
        count => texts.codes_left(count),
    };
    view! {
        <p>{texts.is_on()} " " <Relative at=since is_past=true /></p>
        <p>{left}</p>
        <ConfirmedForm function=RenewRecoveryCodes::PATH label=texts.renew() />
        <ConfirmedForm function=RemoveSecondFactor::PATH label=texts.remove() />
    }
}

/// A button that may ask for the password.
#[component]
fn ConfirmedForm(function: &'static str, label: &'static str) -> impl IntoView {
    let fields: &'static [&'static str] = if visitor().asks_password { &["password"] } else { &[] };
    view! {
        <PlainForm function=function fields=fields class="stack">
            {(function == CreateSecondFactor::PATH).then(|| view! { <KeptInput /> })}
            <PasswordConfirmation function=function />
            <p><button class="button" type="submit">{label}</button></p>
        </PlainForm>
    }
}
