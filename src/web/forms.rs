//! Server functions, and the forms that post to them with or without JavaScript.
//!
//! Without JavaScript a refused form is answered by the page it stood on, with the refusal and everything that was typed.

use super::{Web, pages};
use app::{
    calls::account::LogIn,
    form::{Answer, HELD, Outcome},
};
use axum::{
    body::{Body, Bytes},
    extract::{Form, FromRequest, Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{Refusal, refusal::Problem};
use http_body_util::BodyExt;
use leptos::prelude::provide_context;
use server_fn::ServerFn as _;
use std::sync::PoisonError;

/// Stands for the page of the form in the `Referer` that Leptos sees, so that "back to where you came from" can be told
/// from a redirect of the function's own.
const BACK: &str = "http://form.invalid";

/// Runs a server function.
pub async fn call(State(web): State<Web>, request: Request) -> Response {
    let (mut head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    if server_fn::axum::get_server_fn_service(&path, Method::POST).is_none() {
        return (StatusCode::NOT_FOUND, "there is nothing at this address").into_response();
    }
    let bytes = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let came_from = own_page(&web, &head);
    head.headers.remove(header::REFERER);
    if !pages::text(&head.headers, &header::ACCEPT).contains("text/html") {
        return call_by_script(&web, head, bytes).await;
    }
    let fields = fields(&head, &bytes).await;
    let from = fields.iter().find(|(name, _)| name == "from").map(|(_, from)| from.as_str());
    let from = from.filter(|from| is_own_path(from)).or(came_from.as_deref()).unwrap_or("/").to_owned();
    if let Ok(back) = HeaderValue::try_from(format!("{BACK}{from}")) {
        head.headers.insert(header::REFERER, back);
    }
    let outcome = Outcome::default();
    let answer = run(&web, head.clone(), bytes, outcome.clone()).await;
    let refusal = outcome.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    match refusal.or_else(|| unreadable(&answer)) {
        Some(refusal) => say_no(&web, head, from, Answer { function: path, fields, refusal }).await,
        None => match held(&path, &fields) {
            Some((page, held)) => show_again(&web, head, page, held, answer).await,
            None => lead_on(answer, &from),
        },
    }
}

/// The form that a log-in carried, and the page it stands on.
fn held(path: &str, fields: &[(String, String)]) -> Option<(Uri, Answer)> {
    let field = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let text = field(HELD).filter(|_| path == LogIn::PATH)?;
    let (function, fields) = serde_json::from_str(text).ok()?;
    let page = field("next").filter(|next| is_own_path(next))?;
    Some((page.parse().ok()?, Answer { function, fields, refusal: Refusal::SendAgain }))
}

/// After a log-in: the page of the form that waited for it, with what was typed. It is not sent by itself: another person may
/// have logged in.
async fn show_again(web: &Web, mut head: Parts, page: Uri, held: Answer, log_in: Response) -> Response {
    let fresh: Vec<HeaderValue> = log_in.headers().get_all(header::SET_COOKIE).iter().cloned().collect();
    let pairs = fresh.iter().filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
    let Ok(cookies) = HeaderValue::from_str(&pairs.collect::<Vec<_>>().join("; ")) else {
        return lead_on(log_in, page.path());
    };
    head.headers.insert(header::COOKIE, cookies);
    (head.uri, head.method) = (page, Method::GET);
    let mut answer = pages::show(web, Request::from_parts(head, Body::empty()), Some(held), None).await;
    for cookie in fresh {
        answer.headers_mut().append(header::SET_COOKIE, cookie);
    }
    answer
}

/// With JavaScript the refusal is the answer. A form that could not be read never reached its function: 422, not 500.
async fn call_by_script(web: &Web, head: Parts, bytes: Bytes) -> Response {
    let outcome = Outcome::default();
    let mut answer = run(web, head, bytes, outcome.clone()).await;
    let is_refused = outcome.0.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    if answer.status() == StatusCode::INTERNAL_SERVER_ERROR && !is_refused {
        *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    answer
}

async fn run(web: &Web, head: Parts, bytes: Bytes, outcome: Outcome) -> Response {
    let caller = match pages::caller(web, &head).await {
        Ok(caller) => caller,
        Err(refusal) => return super::health::refused(&refusal),
    };
    let desk = web.desk.clone();
    let context = move || {
        provide_context(desk.clone());
        provide_context(caller.clone());
        provide_context(outcome.clone());
    };
    let request = Request::from_parts(head, Body::from(bytes));
    leptos_axum::handle_server_fns_with_context(context, request).await.into_response()
}

/// The refusal of a function that could not even read its form; Leptos writes it into the address.
fn unreadable(answer: &Response) -> Option<Refusal> {
    let place = pages::text(answer.headers(), &header::LOCATION);
    let why = "the form could not be read".to_owned();
    (place.starts_with(BACK) && place.contains("__err="))
        .then(|| Refusal::invalid("form", Problem::Unreadable { why }))
}

/// A form that went well leads where its function says, else back to its page.
fn lead_on(answer: Response, from: &str) -> Response {
    let place = pages::text(answer.headers(), &header::LOCATION);
    if place.is_empty() && answer.status().is_server_error() {
        return answer;
    }
    let place = if place.is_empty() || place.starts_with(BACK) { from } else { place };
    let place = if is_own_path(place) { place } else { "/" };
    let mut onward = pages::see_other(place);
    for name in [header::SET_COOKIE, HeaderName::from_static("clear-site-data")] {
        for value in answer.headers().get_all(&name) {
            onward.headers_mut().append(&name, value.clone());
        }
    }
    onward
}

/// The page the form stood on, with the refusal and what was typed.
async fn say_no(web: &Web, mut head: Parts, from: String, answer: Answer) -> Response {
    let Ok(uri) = Uri::try_from(from) else { return pages::see_other("/") };
    if answer.refusal == Refusal::LogIn {
        return ask_to_log_in(web, head, &uri, answer).await;
    }
    let status = StatusCode::from_u16(answer.refusal.status()).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
    head.uri = uri;
    head.method = Method::GET;
    pages::show(web, Request::from_parts(head, Body::empty()), Some(answer), Some(status)).await
}

/// The log-in, which carries the form through where something was typed into it.
async fn ask_to_log_in(web: &Web, mut head: Parts, uri: &Uri, answer: Answer) -> Response {
    let log_in = pages::log_in_first(uri);
    let is_typed = answer.fields.iter().any(|(name, value)| name != "from" && !value.is_empty());
    let Some(page) = Uri::try_from(log_in.as_str()).ok().filter(|_| is_typed) else {
        return pages::see_other(&log_in);
    };
    (head.uri, head.method) = (page, Method::GET);
    let request = Request::from_parts(head, Body::empty());
    pages::show(web, request, Some(answer), Some(StatusCode::UNAUTHORIZED)).await
}

/// What was typed, by name; never passwords and secrets.
async fn fields(head: &Parts, bytes: &Bytes) -> Vec<(String, String)> {
    let request = Request::from_parts(head.clone(), Body::from(bytes.clone()));
    let Ok(Form(fields)) = Form::<Vec<(String, String)>>::from_request(request, &()).await else {
        return Vec::new();
    };
    let is_secret = |name: &str| name.contains("password") || name.contains("secret") || name == "old";
    fields.into_iter().filter(|(name, _)| !is_secret(name)).collect()
}

/// The path of the page the browser says it came from, if that is one of ours.
fn own_page(web: &Web, head: &Parts) -> Option<String> {
    let referer: Uri = pages::text(&head.headers, &header::REFERER).parse().ok()?;
    let host = referer.authority()?.as_str();
    let is_own = host == pages::text(&head.headers, &header::HOST)
        || web.address.public_url.split_once("://").is_some_and(|(_, own)| own == host);
    let path = referer.path_and_query()?.as_str();
    (is_own && is_own_path(path)).then(|| path.to_owned())
}

/// Whether it is a path of this desk and nothing a browser could read as another host.
fn is_own_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && path.bytes().all(|byte| byte.is_ascii_graphic())
}
