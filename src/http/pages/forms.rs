//! Server functions, and the forms that post to them with or without JavaScript.
//!
//! Without JavaScript, a refused form is answered with its page, the error and the entered data.

use crate::http::{
    Web,
    header::header_text,
    limits::admission,
    pages::{self, result_cookie},
};
use app::{
    accounts::{
        own_account_fns::LogIn,
        passkeys::fns::LogInWithPasskey,
        second_factor_fns::{AddSecondFactor, CompleteLogIn, CreateSecondFactor},
    },
    server_fns::{
        result_url,
        ssr::{Outcome, is_local_path},
    },
    ui::form::{FormResult, PENDING_FORM},
};
use axum::{
    body::{Body, Bytes},
    extract::{Form, FromRequest, Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{DomainError, error::ValidationError};
use http_body_util::BodyExt;
use leptos::prelude::provide_context;
use server_fn::ServerFn as _;
use std::sync::PoisonError;

/// Origin of the `Referer` that Leptos sees. It distinguishes a redirect back to the form from a
/// redirect by the function.
const FORM_ORIGIN: &str = "http://form.invalid";
/// The page that adds a second factor.
const PROFILE: &str = "/settings/profile";

/// Calls a server function.
pub async fn call(State(web): State<Web>, request: Request) -> Response {
    let (mut head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    if server_fn::axum::get_server_fn_service(&path, Method::POST).is_none() {
        return (StatusCode::NOT_FOUND, "not found").into_response();
    }
    let bytes = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let referer = referer_page(&web, &head);
    head.headers.remove(header::REFERER);
    if !header_text::text(&head.headers, &header::ACCEPT).contains("text/html") {
        return call_by_script(&web, head, bytes).await;
    }
    let fields = fields(&head, &bytes).await;
    let from = fields.iter().find(|(name, _)| name == "from").map(|(_, from)| from.as_str());
    let from = from.filter(|from| is_local_path(from)).or(referer.as_deref()).unwrap_or("/").to_owned();
    if let Ok(back) = HeaderValue::try_from(format!("{FORM_ORIGIN}{from}")) {
        head.headers.insert(header::REFERER, back);
    }
    let outcome = Outcome::default();
    let response = run(&web, head.clone(), bytes, outcome.clone()).await;
    let refusal = outcome.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    match refusal.or_else(|| not_admitted(&response)).or_else(|| unreadable(&response)) {
        Some(refusal) => render_error(&web, head, from, FormResult { function: path, fields, refusal }).await,
        None => match pending_form(&path, &fields) {
            Some((page, form)) => show_pending_form(&web, head, page, form, response).await,
            None => redirect(&web, &head, response, &from),
        },
    }
}

/// Whether the path is of a function that logs in.
fn is_log_in(path: &str) -> bool {
    [LogIn::PATH, CompleteLogIn::PATH, LogInWithPasskey::PATH].contains(&path)
}

/// Returns the form that a form carries which logs in or adds a second factor, and the page to show next.
fn pending_form(path: &str, fields: &[(String, String)]) -> Option<(Uri, FormResult)> {
    let field = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let (page, refusal) = if is_log_in(path) {
        (field("next").filter(|next| is_local_path(next))?, DomainError::SendAgain)
    } else if path == AddSecondFactor::PATH {
        (PROFILE, DomainError::SendAgain)
    } else if path == CreateSecondFactor::PATH {
        (PROFILE, DomainError::SecondFactorRequired)
    } else {
        return None;
    };
    let (function, fields): (String, Vec<(String, String)>) =
        serde_json::from_str(field(PENDING_FORM)?).ok()?;
    let is_own = function.starts_with("/fn/");
    Some((page.parse().ok()?, FormResult { function, fields, refusal })).filter(|_| is_own)
}

/// After a login or a step of adding a second factor, shows the page of the pending form with the entered data. It is
/// not submitted automatically: a different account may have logged in.
async fn show_pending_form(
    web: &Web,
    mut head: Parts,
    page: Uri,
    form: FormResult,
    log_in: Response,
) -> Response {
    let set_cookies: Vec<HeaderValue> =
        log_in.headers().get_all(header::SET_COOKIE).iter().cloned().collect();
    // A log-in has a new session; a second factor is added in the current one.
    let current = header_text::text(&head.headers, &header::COOKIE).to_owned();
    let current = Some(current.as_str()).filter(|text| !is_log_in(head.uri.path()) && !text.is_empty());
    let pairs = set_cookies.iter().filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
    let Ok(cookies) = HeaderValue::from_str(&current.into_iter().chain(pairs).collect::<Vec<_>>().join("; "))
    else {
        return redirect(web, &head, log_in, page.path());
    };
    head.headers.insert(header::COOKIE, cookies);
    (head.uri, head.method) = (page, Method::GET);
    let mut response = pages::show(web, Request::from_parts(head, Body::empty()), Some(form), None).await;
    // What is shown once is on this page.
    for cookie in set_cookies.into_iter().filter(|cookie| !cookie.as_bytes().starts_with(b"once-")) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Calls a server function for a script, which gets the error as response. A form that could not be
/// read is 422, not 500. A redirect gets its result in a cookie, as one without a script.
async fn call_by_script(web: &Web, head: Parts, bytes: Bytes) -> Response {
    let outcome = Outcome::default();
    let cookies = head.headers.clone();
    let mut response = run(web, head, bytes, outcome.clone()).await;
    result_cookie::keep(web, &cookies, &mut response);
    let is_refused = outcome.0.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    if response.status() == StatusCode::INTERNAL_SERVER_ERROR && !is_refused {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

async fn run(web: &Web, head: Parts, bytes: Bytes, outcome: Outcome) -> Response {
    let caller = match pages::caller(web, &head).await {
        Ok(caller) => caller,
        Err(refusal) => return admission::refuse(&head, &refusal),
    };
    let services = web.services.clone();
    let context = move || {
        provide_context(services.clone());
        provide_context(caller.clone());
        provide_context(outcome.clone());
    };
    let request = Request::from_parts(head, Body::from(bytes));
    leptos_axum::handle_server_fns_with_context(context, request).await.into_response()
}

/// Returns the error of a form whose function did not run, because the account must add a second factor or log in again
/// first.
fn not_admitted(response: &Response) -> Option<DomainError> {
    let refusal = response.extensions().get::<DomainError>()?;
    let is_kept = matches!(refusal, DomainError::SecondFactorRequired | DomainError::ProofNeeded);
    is_kept.then(|| refusal.clone())
}

/// Returns the error of a function that could not read its form. Leptos writes it into the redirect
/// URL.
fn unreadable(response: &Response) -> Option<DomainError> {
    let location = header_text::text(response.headers(), &header::LOCATION);
    let why = "the form could not be read".to_owned();
    (location.starts_with(FORM_ORIGIN) && location.contains("__err="))
        .then(|| DomainError::invalid("form", ValidationError::Sentence { why }))
}

/// Redirects after a successful form: where its function says, else back to its page.
fn redirect(web: &Web, head: &Parts, response: Response, from: &str) -> Response {
    let location = header_text::text(response.headers(), &header::LOCATION);
    if location.is_empty() && response.status().is_server_error() {
        return response;
    }
    let is_back = location.is_empty() || location.starts_with(FORM_ORIGIN);
    // The page of the form may still have the result before.
    let target = if is_back { result_url::take_result(from).0 } else { location.to_owned() };
    let target = if is_local_path(&target) { target.as_str() } else { "/" };
    let mut redirect = pages::see_other(target);
    for name in [header::SET_COOKIE, HeaderName::from_static("clear-site-data")] {
        for value in response.headers().get_all(&name) {
            redirect.headers_mut().append(&name, value.clone());
        }
    }
    result_cookie::keep(web, &head.headers, &mut redirect);
    redirect
}

/// Renders the page of a refused form, with the error and the entered data.
pub async fn render_error(web: &Web, mut head: Parts, from: String, form: FormResult) -> Response {
    let Ok(uri) = Uri::try_from(from) else { return pages::see_other("/") };
    if matches!(form.refusal, DomainError::LogIn | DomainError::ProofNeeded) {
        return ask_to_log_in(web, head, &uri, form).await;
    }
    if form.refusal == DomainError::SecondFactorRequired && is_typed(&form) {
        return ask_for_second_factor(web, head, &uri, form).await;
    }
    let uri =
        if matches!(form.refusal, DomainError::CodeNeeded { .. }) { page_for_code(uri, &form) } else { uri };
    let status = StatusCode::from_u16(form.refusal.status()).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
    head.uri = uri;
    head.method = Method::GET;
    pages::show(web, Request::from_parts(head, Body::empty()), Some(form), Some(status)).await
}

/// Returns the page that asks for the code of a second factor: the log-in page, which continues at `uri` unless that
/// was the page of a one-time link.
fn page_for_code(uri: Uri, form: &FormResult) -> Uri {
    if uri.path() == "/login" {
        return uri;
    }
    let log_in = if form.function == LogIn::PATH { pages::login_path(&uri) } else { "/login".to_owned() };
    log_in.parse().unwrap_or_else(|_| Uri::from_static("/login"))
}

/// Shows the login, whose form carries the refused form if it has entered data.
async fn ask_to_log_in(web: &Web, mut head: Parts, uri: &Uri, form: FormResult) -> Response {
    let log_in = pages::login_path(uri);
    let Some(page) = Uri::try_from(log_in.as_str()).ok().filter(|_| is_typed(&form)) else {
        return pages::see_other(&log_in);
    };
    (head.uri, head.method) = (page, Method::GET);
    let request = Request::from_parts(head, Body::empty());
    pages::show(web, request, Some(form), Some(StatusCode::UNAUTHORIZED)).await
}

/// Whether a form has entered data.
fn is_typed(form: &FormResult) -> bool {
    form.fields.iter().any(|(name, value)| name != "from" && !value.is_empty())
}

/// Shows the profile, whose forms for the second factor carry the refused form.
async fn ask_for_second_factor(web: &Web, mut head: Parts, uri: &Uri, mut form: FormResult) -> Response {
    if !form.fields.iter().any(|(name, _)| name == "from") {
        form.fields.push(("from".to_owned(), uri.to_string()));
    }
    (head.uri, head.method) = (Uri::from_static(PROFILE), Method::GET);
    let request = Request::from_parts(head, Body::empty());
    pages::show(web, request, Some(form), Some(StatusCode::FORBIDDEN)).await
}

/// Returns the entered data by field name, without passwords and secrets.
async fn fields(head: &Parts, bytes: &Bytes) -> Vec<(String, String)> {
    let request = Request::from_parts(head.clone(), Body::from(bytes.clone()));
    let Ok(Form(fields)) = Form::<Vec<(String, String)>>::from_request(request, &()).await else {
        return Vec::new();
    };
    let is_secret = |name: &str| {
        ["password", "secret", "admin_key"].iter().any(|word| name.contains(word))
            || matches!(name, "old" | "code")
    };
    fields.into_iter().filter(|(name, _)| !is_secret(name)).collect()
}

/// Returns the path of the referring page, if it is a page of this server.
fn referer_page(web: &Web, head: &Parts) -> Option<String> {
    let referer: Uri = header_text::text(&head.headers, &header::REFERER).parse().ok()?;
    let host = referer.authority()?.as_str();
    let is_own = host == header_text::text(&head.headers, &header::HOST)
        || web.address.public_url.split_once("://").is_some_and(|(_, own)| own == host);
    let path = referer.path_and_query()?.as_str();
    (is_own && is_local_path(path)).then(|| path.to_owned())
}
