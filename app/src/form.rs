//! Forms that work with and without JavaScript, and lose nothing.
//!
//! A form posts to a server function. With JavaScript the refusal comes back as its error. Without, the web layer runs the
//! function, and if it was refused answers with the page the form stood on (its hidden field `from`), status 422, and an
//! [`Answer`] in the context: the page shows the refusal and puts back what was typed.

use crate::{
    calls::Refused,
    live,
    words::{frame::FrameWords, refusal::sentence},
};
use domain::Refusal;
use leptos::{form::ActionForm, prelude::*};
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use server_fn::{Http, ServerFn, client::Client, codec::PostUrl, request::ClientReq};
use std::sync::{Arc, Mutex};

/// Where a server function leaves its refusal for the web layer. Provided as context to every server function.
#[derive(Clone, Debug, Default)]
pub struct Outcome(pub Arc<Mutex<Option<Refusal>>>);

/// A refused form and what was typed into it. Provided as context to the page that answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Path of the server function, e.g. `/fn/schedule`.
    pub function: String,
    /// Names and values as sent; never passwords.
    pub fields: Vec<(String, String)>,
    /// Why it was refused.
    pub refusal: Refusal,
}

impl Answer {
    /// What was typed into `field`.
    #[must_use]
    pub fn typed(&self, field: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }
}

/// What the app keeps in the context.
#[derive(Clone, Copy)]
struct Answered(StoredValue<Option<Answer>>);

/// Carries the answer from the server to the browser. Called once, by the app.
pub fn provide() {
    let answer = SharedValue::new(use_context::<Answer>).into_inner();
    provide_context(Answered(StoredValue::new(answer)));
}

/// The form that waits for a log-in, as the log-in's own form carries it: JSON of function and fields.
#[must_use]
pub fn waiting_for_log_in(log_in: &str) -> Option<String> {
    let answer = use_context::<Answered>()?.0.get_value()?;
    if answer.function == log_in {
        return answer.typed(HELD).map(str::to_owned);
    }
    serde_json::to_string(&(&answer.function, &answer.fields)).ok()
}

/// Name of the field of the log-in that carries a form which waits for it.
pub const HELD: &str = "held";

/// The answer to the form of this function (and of this `about`, the value of its field `id`), if the page answers it.
#[must_use]
pub fn answer_of(function: &str, about: Option<&str>) -> Option<Answer> {
    let answer = use_context::<Answered>()?.0.get_value()?;
    let is_it = answer.function == function && about.is_none_or(|id| answer.typed("id") == Some(id));
    is_it.then_some(answer)
}

/// Whether this page answers a refused form, of whatever function.
#[must_use]
pub fn is_answer() -> bool {
    use_context::<Answered>().is_some_and(|answered| answered.0.with_value(Option::is_some))
}

/// What was typed into `field` of a refused form of `function`; empty if nothing was.
#[must_use]
pub fn typed(function: &str, field: &str) -> Option<String> {
    answer_of(function, None)?.typed(field).map(str::to_owned)
}

/// Why the form of this function was refused, if this page answers it.
#[must_use]
pub fn refusal_of(function: &str) -> Option<Refusal> {
    answer_of(function, None).map(|answer| answer.refusal)
}

/// A form for a server function: works without JavaScript, tells what was refused, brings the page up to date when it went well.
///
/// The function needs an argument `from: String`. Give `about` where one page holds several forms of one function: the value
/// of their field `id`.
#[component]
pub fn Form<F, P>(
    /// The action of the function.
    action: ServerAction<F>,
    /// The value of its field `id`, where a page holds several.
    #[prop(optional, into)]
    about: Option<String>,
    /// Its CSS class.
    #[prop(optional)]
    class: &'static str,
    /// Which refusals its fields tell themselves.
    #[prop(optional)]
    told: Option<fn(&Refusal) -> bool>,
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
    let first = answer_of(F::PATH, about.as_deref()).map(|answer| answer.refusal);
    let value = action.value();
    let refusal = Signal::derive(move || {
        let refusal = match &*value.read() {
            Some(Err(Refused(refusal))) => Some(refusal.clone()),
            Some(Ok(_)) => None,
            None => first.clone(),
        };
        refusal.filter(|refusal| !told.is_some_and(|is_told| is_told(refusal)))
    });
    live::touch_when(move || value.with(|value| matches!(value, Some(Ok(_)))));
    view! {
        <ActionForm action=action attr:class=class>
            <From />
            {children()}
            <Alert refusal=refusal />
        </ActionForm>
    }
}

/// A form that always loads the whole page anew: log in, log out, language. Posts to `function` (its `url()`).
#[component]
pub fn PlainForm(
    /// Address of the server function.
    function: &'static str,
    /// The value of its field `id`, where a page holds several.
    #[prop(optional, into)]
    about: Option<String>,
    /// Its CSS class.
    #[prop(optional)]
    class: &'static str,
    /// Fields and buttons.
    children: Children,
) -> impl IntoView {
    let refusal = answer_of(function, about.as_deref()).map(|answer| answer.refusal);
    view! {
        <form method="post" action=function class=class>
            <From />
            {children()}
            <Alert refusal=Signal::derive(move || refusal.clone()) />
        </form>
    }
}

/// The hidden field that says on which page the form stands.
#[component]
pub fn From() -> impl IntoView {
    let place = use_location();
    let from = move || {
        let (path, search) = (place.pathname.get(), place.search.get());
        match search.trim_start_matches('?') {
            "" => path,
            search => format!("{path}?{search}"),
        }
    };
    view! { <input type="hidden" name="from" value=from /> }
}

/// Says why a form was refused that is no longer on the page: what it was about has changed meanwhile. The stylesheet hides
/// it where a form says so itself.
#[component]
pub fn Unclaimed() -> impl IntoView {
    let language = crate::words::language();
    let answer = use_context::<Answered>().and_then(|answered| answered.0.get_value());
    answer.map(|answer| {
        view! { <p class="alert unclaimed" role="alert">{sentence(language, &answer.refusal)}</p> }
    })
}

/// Says why something was refused, in the reader's language; silent while nothing was.
#[component]
pub fn Alert(
    /// What to say.
    #[prop(into)]
    refusal: Signal<Option<Refusal>>,
) -> impl IntoView {
    let language = crate::words::language();
    move || {
        refusal.get().map(|refusal| {
            let said = sentence(language, &refusal);
            view! { <p class="alert" role="alert" tabindex="-1" autofocus=true>{said}<LogInLink refusal=refusal /></p> }
        })
    }
}

/// The way to the log-in, where that is what a refusal asks for. In a tab of its own: what is typed here stays, and this page
/// goes on by itself.
#[component]
pub fn LogInLink(
    /// The refusal.
    refusal: Refusal,
) -> impl IntoView {
    (refusal == Refusal::LogIn).then(
        || view! { " " <a href="/login" target="_blank" rel="external">{FrameWords::here().log_in()}</a> },
    )
}
