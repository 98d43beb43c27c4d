//! The buttons of the providers in the forms before the log-in: links, which need no script.

use super::sign_in_fns::offered_providers;
use crate::ui::html::encoded;
use domain::{
    DomainError,
    accounts::sign_in::{OfferedProvider, SignInProblem},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use texts::{accounts::sign_in::SignInTexts, language, refusal::sentence};

/// A button for each provider. Shows nothing without providers.
#[component]
pub fn SignInButtons(
    /// Token of the invitation that is accepted; `None`: it is a log-in.
    #[prop(optional, into)]
    invitation: Option<String>,
) -> impl IntoView {
    let next = use_query_map().with_untracked(|query| query.get("next"));
    let offered = Resource::new(|| (), |()| offered_providers());
    view! {
        <Suspense>
            {move || {
                let (invitation, next) = (invitation.clone(), next.clone());
                Suspend::new(async move {
                    let offered = offered.await.unwrap_or_default();
                    links(offered, invitation.as_deref(), next.as_deref())
                })
            }}
        </Suspense>
    }
}

fn links(offered: Vec<OfferedProvider>, invitation: Option<&str>, next: Option<&str>) -> AnyView {
    let texts = SignInTexts::here();
    let fits = |provider: &OfferedProvider| invitation.is_none() || provider.takes_invitations;
    let offered: Vec<OfferedProvider> = offered.into_iter().filter(fits).collect();
    if offered.is_empty() {
        return ().into_any();
    }
    let link = |provider: OfferedProvider| {
        let path = format!("/oidc/{}", provider.id);
        let (path, label) = match (invitation, next) {
            (Some(token), _) => {
                (format!("{path}?invitation={}", encoded(token)), texts.accept_with(&provider.name))
            }
            (None, Some(next)) => (format!("{path}?next={}", encoded(next)), texts.with(&provider.name)),
            (None, None) => (path, texts.with(&provider.name)),
        };
        view! { <p><a class="button" href=path rel="external"><span dir="auto">{label}</span></a></p> }
    };
    let links = offered.into_iter().map(link).collect_view();
    view! { <p class="muted">{texts.or()}</p> {links} }.into_any()
}

/// Says why a sign-in failed, if the address of the page names it.
#[component]
pub fn SignInNotice() -> impl IntoView {
    let word = use_query_map().with_untracked(|query| query.get("sign_in"));
    let text = word.and_then(|word| problem_text(&word));
    text.map(|text| view! { <p class="alert" role="alert" tabindex="-1">{text}</p> })
}

fn problem_text(word: &str) -> Option<String> {
    match word {
        "too_many" => Some(sentence(language(), &DomainError::TooMany { seconds: 60 })),
        "password" => Some(SignInTexts::here().confirm_first().to_owned()),
        word => {
            let problem = word.parse::<SignInProblem>().ok()?;
            Some(sentence(language(), &DomainError::SignIn { problem }))
        }
    }
}
