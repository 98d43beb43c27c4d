//! Forms that work with and without JavaScript and keep the input.
//!
//! A form posts to a server function. With JavaScript, a refusal is the error of the call. Without,
//! the web layer calls the function. If it was refused, the response is the page of the form (its
//! hidden field `from`) with the status of the error and a [`FormResult`] in the context. The page
//! shows the error and restores the input.

pub mod choice;
pub mod field;
pub mod focus;
pub mod in_use;
pub mod kept_view;
pub mod select;
pub mod textarea;
pub mod weekdays;

use crate::{
    live,
    server_fns::{codec::Refused, result_url::take_result},
};
use domain::DomainError;
use leptos::{form::ActionForm, prelude::*};
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use server_fn::{Http, ServerFn, client::Client, codec::PostUrl, request::ClientReq};
use texts::{layout::LayoutTexts, refusal::sentence};

/// A refused form with its input. Provided as context to the page that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormResult {
    /// Path of the server function, e.g. `/fn/schedule`.
    pub function: String,
    /// Names and values as submitted, without passwords.
    pub fields: Vec<(String, String)>,
    /// The error.
    pub refusal: DomainError,
}

impl FormResult {
    /// Returns the input of `field`.
    #[must_use]
    pub fn typed(&self, field: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }
}

/// The refused form, in the context of the app.
#[derive(Clone, Copy)]
struct FormContext(StoredValue<Option<FormResult>>);

/// Transfers the refused form from the server to the browser. Called once, by the app.
pub fn provide() {
    let result = SharedValue::new(use_context::<FormResult>).into_inner();
    provide_context(FormContext(StoredValue::new(result)));
}

/// Returns the form that waits for a login, for the login form: JSON of function and fields. `log_ins`: functions that
/// log in.
#[must_use]
pub fn form_awaiting_log_in(log_ins: &[&str]) -> Option<String> {
    let result = use_context::<FormContext>()?.0.get_value()?;
    if log_ins.contains(&result.function.as_str()) {
        return result.typed(PENDING_FORM).map(str::to_owned);
    }
    serde_json::to_string(&(&result.function, &result.fields)).ok()
}

/// Returns the form that waits until its account has a second factor, as [`form_awaiting_log_in`]. `steps`: functions
/// that add it.
#[must_use]
pub fn form_awaiting_second_factor(steps: &[&str]) -> Option<String> {
    let result = use_context::<FormContext>()?.0.get_value()?;
    let is_step = steps.contains(&result.function.as_str());
    (is_step || result.refusal == DomainError::SecondFactorRequired)
        .then(|| form_awaiting_log_in(steps))
        .flatten()
}

/// Returns the form that was kept and can be sent now.
#[must_use]
pub fn form_to_send_again() -> Option<FormResult> {
    let result = use_context::<FormContext>()?.0.get_value()?;
    (result.refusal == DomainError::SendAgain).then_some(result)
}

/// Name of the field of a result that is a report, not a refusal: its form comes back with it.
pub const REPORT: &str = "report";
/// Value of the button of an import that leaves out what the check refused.
pub const IMPORT_OTHERS: &str = "import_others";
/// Name of the login form's field that carries the form to show after the login.
pub const PENDING_FORM: &str = "pending_form";

/// Returns the refused form of this function, if the page shows it. `about`: only if its field `id`
/// has this value.
#[must_use]
pub fn result_of(function: &str, about: Option<&str>) -> Option<FormResult> {
    let result = use_context::<FormContext>()?.0.get_value()?;
    let is_it = result.function == function && about.is_none_or(|id| result.typed("id") == Some(id));
    is_it.then_some(result)
}

/// Whether this page shows a refused form.
#[must_use]
pub fn is_form_result() -> bool {
    use_context::<FormContext>().is_some_and(|context| context.0.with_value(Option::is_some))
}

/// Returns the input of `field` in the refused form of `function`.
#[must_use]
pub fn typed(function: &str, field: &str) -> Option<String> {
    result_of(function, None)?.typed(field).map(str::to_owned)
}

/// Returns the input of `field` in the refused form of this page, whatever its function is.
#[must_use]
pub fn typed_in_any(field: &str) -> Option<String> {
    let result = use_context::<FormContext>()?.0.get_value()?;
    result.typed(field).map(str::to_owned)
}

/// Returns the error of the refused form of this function.
#[must_use]
pub fn refusal_of(function: &str) -> Option<DomainError> {
    result_of(function, None).map(|result| result.refusal)
}

/// A form for a server function. Works without JavaScript, shows the error, and refreshes the page
/// after a success.
///
/// The function needs an argument `from: String`. If a page has several forms of one function, set
/// `about` to the value of their field `id`.
#[component]
pub fn Form<F, P>(
    /// Action of the server function.
    action: ServerAction<F>,
    /// Value of its field `id`, if a page has several such forms.
    #[prop(optional, into)]
    about: Option<String>,
    /// Its CSS class.
    #[prop(optional)]
    class: &'static str,
    /// Its id, for buttons outside of it.
    #[prop(optional)]
    id: Option<&'static str>,
    /// Errors that its fields show themselves.
    #[prop(optional)]
    shown_by_fields: Option<fn(&DomainError) -> bool>,
    /// Fields and buttons.
    children: Children,
) -> impl IntoView
where
    F: DeserializeOwned
        + ServerFn<Protocol = Http<PostUrl, P>, Error = Refused>
        + Clone
        + Send
        + Sync
        + 'static,
    F::Output: Clone + Send + Sync + 'static,
    F::Client: Client<Refused>,
    <<F::Client as Client<Refused>>::Request as ClientReq<Refused>>::FormData:
        From<leptos::web_sys::FormData>,
{
    let first = result_of(F::PATH, about.as_deref()).map(|result| result.refusal);
    let value = action.value();
    let refusal = Signal::derive(move || {
        let refusal = match &*value.read() {
            Some(Err(Refused(refusal))) => Some(refusal.clone()),
            Some(Ok(_)) => None,
            None => first.clone(),
        };
        refusal.filter(|refusal| !shown_by_fields.is_some_and(|is_shown| is_shown(refusal)))
    });
    live::refetch_all_when(move || value.with(|value| matches!(value, Some(Ok(_)))));
    view! {
        <ActionForm action=action attr:class=class attr:id=id>
            <FromField />
            {children()}
            <Alert refusal=refusal />
        </ActionForm>
    }
}

/// A form that always loads a whole page, e.g. login, logout and language. Posts to `function` (its
/// `url()`).
#[component]
pub fn PlainForm(
    /// URL of the server function.
    function: &'static str,
    /// Value of its field `id`, if a page has several such forms.
    #[prop(optional, into)]
    about: Option<String>,
    /// Its CSS class.
    #[prop(optional)]
    class: &'static str,
    /// Names of fields that show their problems themselves: the form does not repeat them.
    #[prop(optional)]
    fields: &'static [&'static str],
    /// Fields and buttons.
    children: Children,
) -> impl IntoView {
    let refusal = result_of(function, about.as_deref()).map(|result| result.refusal);
    let refusal = refusal.filter(|refusal| !refusal.is_about(fields));
    view! {
        <form method="post" action=function class=class>
            <FromField />
            {children()}
            <Alert refusal=Signal::derive(move || refusal.clone()) />
        </form>
    }
}

/// The path of a page that has got another one without navigation, as a new article after its first save.
/// In the context of the page.
#[derive(Debug, Clone, Copy)]
pub struct PagePath(pub RwSignal<Option<String>>);

/// The hidden field with the URL of the form's page, without the result that it shows.
#[component]
pub fn FromField() -> impl IntoView {
    let (place, own) = (use_location(), use_context::<PagePath>());
    let from = move || {
        if let Some(path) = own.and_then(|own| own.0.get()) {
            return path;
        }
        let (path, search) = (place.pathname.get(), place.search.get());
        match search.trim_start_matches('?') {
            "" => path,
            search => take_result(&format!("{path}?{search}")).0,
        }
    };
    view! { <input type="hidden" name="from" value=from /> }
}

/// Shows the error of a refused form that is no longer on the page, because its object has changed.
/// Hidden by the stylesheet if a form shows the error itself.
#[component]
pub fn StaleRefusal() -> impl IntoView {
    let language = texts::language();
    let result = use_context::<FormContext>().and_then(|context| context.0.get_value());
    // The page that asks for a code is no error.
    let is_step = |refusal: &DomainError| matches!(refusal, DomainError::CodeNeeded { .. });
    result.filter(|result| result.typed(REPORT).is_none() && !is_step(&result.refusal)).map(|result| {
        view! { <p class="alert stale-refusal" role="alert">{sentence(language, &result.refusal)}</p> }
    })
}

/// Shows an error in the user's language.
#[component]
pub fn Alert(
    /// The error; `None`: nothing is shown.
    #[prop(into)]
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let language = texts::language();
    move || {
        refusal.get().map(|refusal| {
            let message = sentence(language, &refusal);
            view! { <p class="alert" role="alert" tabindex="-1" autofocus=true>{message}<LogInLink refusal=refusal /></p> }
        })
    }
}

/// Link to the login, if the error asks for it. Opens a new tab, so that this page keeps its input
/// and continues after the login.
#[component]
pub fn LogInLink(
    /// The error.
    refusal: DomainError,
) -> impl IntoView {
    let is_over = refusal == DomainError::LogIn;
    let live = live::live();
    // The banner above the page offers the login in place.
    Effect::new(move |_| {
        if is_over {
            live.check_session();
        }
    });
    let is_asked = matches!(refusal, DomainError::CodeNeeded { .. } | DomainError::ProofNeeded);
    (is_over || is_asked).then(
        || view! { " " <a href="/login" target="_blank" rel="external">{LayoutTexts::here().log_in()}</a> },
    )
}
