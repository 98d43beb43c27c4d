//! `/articles/{id}/links`: whether the links of an article answer.

use crate::{
    review::server_fns::check_links,
    ui::{async_view::AsyncView, empty::Empty, icon::Icon, page::header::PageHeader},
};
use domain::review::workflow::checklist::{CheckedLink, CheckedLinks, LinkProblem};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use texts::review::CheckTexts;

/// The links of the article in the URL. They are opened whenever the page is.
#[component]
pub fn LinksPage() -> impl IntoView {
    let texts = CheckTexts::here();
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let found = Resource::new(move || id.get(), check_links);
    view! {
        <PageHeader title=texts.links() lead=texts.links_lead() />
        <p class="links-back">
            <a href=move || format!("/articles/{}", id.get())><Icon name="left" />{texts.to_article()}</a>
        </p>
        <AsyncView from=found let:found>
            {move || view! { <Links found=found.get() /> }}
        </AsyncView>
    }
}

#[component]
fn Links(found: CheckedLinks) -> impl IntoView {
    let texts = CheckTexts::here();
    if found.links.is_empty() {
        return view! { <Empty title=texts.no_links() hint=texts.no_links_hint() /> }.into_any();
    }
    let (broken, fine): (Vec<_>, Vec<_>) = found.links.into_iter().partition(|link| link.problem.is_some());
    let verdict = match broken.len() {
        0 => texts.all_answer().to_owned(),
        1 => texts.one_broken().to_owned(),
        n => texts.broken(n),
    };
    let tone = if broken.is_empty() { "notice good" } else { "notice warn" };
    let rows = broken.into_iter().chain(fine).map(|link| view! { <Row link=link /> }).collect_view();
    view! {
        <h2 dir="auto">{found.title}</h2>
        <p class=tone role="status">{verdict}</p>
        <ul class="check-list links-list">{rows}</ul>
        {(found.more > 0).then(|| view! { <p class="muted">{texts.more_links(found.more)}</p> })}
    }
    .into_any()
}

#[component]
fn Row(link: CheckedLink) -> impl IntoView {
    let texts = CheckTexts::here();
    let (icon, word) = match link.problem {
        None => ("executed", texts.answers().to_owned()),
        Some(LinkProblem::Status { status }) => ("failed", texts.status(status)),
        Some(LinkProblem::NoConnection) => ("failed", texts.no_connection().to_owned()),
        Some(LinkProblem::TimedOut) => ("failed", texts.timed_out().to_owned()),
        Some(LinkProblem::Forbidden) => ("due", texts.forbidden().to_owned()),
        Some(LinkProblem::Redirects) => ("failed", texts.redirects().to_owned()),
    };
    let (is_done, url) = (link.problem.is_none(), link.url.clone());
    view! {
        <li class="check-item" data-done=is_done.to_string() data-mode="require">
            <Icon name=icon />
            " "
            <a href=url rel="external noopener noreferrer">{link.url}</a>
            " "
            <span class="muted">{texts.line(link.line)} " · " {word}</span>
        </li>
    }
}
