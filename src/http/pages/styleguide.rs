//! `/styleguide` of development builds: shows the elements of the pages, holds no data of the desk.

use super::super::{Web, assets};
use app::{server_fns::ssr::Caller, session::Visitor, shell::styleguide::document};
use axum::{
    extract::{Query, Request, State},
    response::Response,
};
use domain::{
    AccountId, Role,
    account::{Account, AnswerNotices, Client, Language, Theme},
};
use leptos::prelude::provide_context;
use serde::Deserialize;

/// Path of the page.
pub const PATH: &str = "/styleguide";

/// What the URL chooses.
#[derive(Debug, Deserialize)]
pub struct Look {
    theme: Option<Theme>,
    language: Option<Language>,
    live: Option<u8>,
}

/// Renders the page.
pub async fn page(State(web): State<Web>, Query(look): Query<Look>, request: Request) -> Response {
    let now = web.parts.clock.now();
    let mut visitor = Visitor::default();
    (visitor.heartbeat.now, visitor.heartbeat.heartbeat_at) = (now, now);
    visitor.account = Some(Account {
        id: AccountId::generate(),
        email: "ada@example.org".to_owned(),
        name: "Ada".to_owned(),
        role: Role::Admin,
        is_disabled: false,
        zone: "Europe/Berlin".to_owned(),
        language: look.language.unwrap_or(Language::En),
        theme: look.theme.unwrap_or(Theme::Auto),
        has_shortcuts: true,
        answer_notices: AnswerNotices::Bell,
        about: String::new(),
        picture: String::new(),
        created_at: now,
    });
    let caller = Caller {
        actor: None,
        client: Client::default(),
        is_secure: web.address.is_secure(),
        public_url: web.address.public_url.clone(),
    };
    let (services, manifest) = (web.services.clone(), assets::manifest());
    let provide = move || {
        provide_context(services.clone());
        provide_context(caller.clone());
        provide_context(visitor.clone());
    };
    let is_live = look.live != Some(0);
    let render =
        leptos_axum::render_app_async_with_context(provide, move || document(manifest.clone(), is_live));
    render(request).await
}
