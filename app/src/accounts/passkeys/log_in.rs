//! The log-in with a passkey.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::{accounts::passkeys::fns::LogInWithPasskey, ui::form::PlainForm};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use server_fn::ServerFn;
use texts::accounts::passkeys::PasskeyTexts;

/// Whether the address of this page can have passkeys.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct PasskeyAddress {
    is_possible: bool,
    /// Another address of the same desk that can; `None`: unknown.
    localhost_url: Option<String>,
}

impl PasskeyAddress {
    #[cfg(feature = "ssr")]
    fn of_page() -> Self {
        use domain::accounts::passkey::{PasskeySite, localhost_url};
        let url = ssr::browser_url().unwrap_or_default();
        Self { is_possible: PasskeySite::of(&url).is_some(), localhost_url: localhost_url(&url) }
    }

    /// The browser has it from the server.
    #[cfg(not(feature = "ssr"))]
    fn of_page() -> Self {
        Self::default()
    }
}

/// The button that logs in with a passkey. Where there can be none, the address that can have them, or nothing.
#[component]
pub fn PasskeyLogIn(
    /// Hidden fields with which the log-in continues.
    children: Children,
) -> impl IntoView {
    let texts = PasskeyTexts::here();
    let address = SharedValue::new(PasskeyAddress::of_page).into_inner();
    if address.is_possible {
        return view! {
            <div class="stack" data-passkey="log_in">
                <p class="hint" data-state="none">{texts.needs_script()}</p>
                <p class="hint" data-state="unsupported" hidden=true>{texts.unsupported()}</p>
                <div data-state="ready" hidden=true>
                    <PlainForm function=LogInWithPasskey::PATH class="stack">
                        {children()}
                        <AnswerFields />
                        <input type="hidden" name="stay" value="true" disabled=true />
                        <p><button class="button" type="submit">{texts.log_in()}</button></p>
                    </PlainForm>
                </div>
                <p class="alert" role="alert" data-failed="" hidden=true>{texts.failed()}</p>
            </div>
        }
        .into_any();
    }
    address
        .localhost_url
        .map(|url| {
            let path = format!("{url}/login");
            view! {
                <p class="muted">
                    {texts.no_site()} " " <a href=path rel="external">{texts.open_localhost()}</a>
                </p>
            }
        })
        .into_any()
}

/// The hidden fields that the script fills.
#[component]
fn AnswerFields() -> impl IntoView {
    let names = ["credential", "client_data", "authenticator_data", "signature", "handle"];
    let field = |name: &str| {
        let name = format!("answer[{name}]");
        view! { <input type="hidden" name=name /> }
    };
    names.map(field).collect_view()
}
