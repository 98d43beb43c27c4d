//! `/styleguide` of development builds: every element of [`crate::ui`] in every state. Rendered by the
//! server only, without script; `?theme=dark`, `?language=zh` and `?live=0` (as before hydration).

mod actions;
mod controls;
mod lists;
mod times;

use crate::shell::styleguide::actions::{Buttons, Messages, Results};
use crate::shell::styleguide::controls::{Fields, Pictures};
use crate::shell::styleguide::lists::{Empties, Lists};
use crate::shell::styleguide::times::Times;
use crate::{
    live, session,
    shell::document::Manifest,
    ui::{form, icon, page::header::PageHeader, result as action_result},
};
use leptos::prelude::*;
use leptos_meta::MetaTags;
use leptos_router::components::Router;

/// The page as a document. Needs a [`session::Visitor`] and the services in the context. `is_live`:
/// as after hydration.
pub fn document(manifest: Manifest, is_live: bool) -> impl IntoView {
    let visitor = session::visitor();
    view! {
        <!DOCTYPE html>
        <html lang=visitor.language().as_str() data-theme=visitor.theme().as_str() data-live=is_live.then_some("")>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta name="robots" content="noindex" />
                <link rel="stylesheet" href=manifest.css />
                <MetaTags />
            </head>
            <body>
                <Styleguide />
            </body>
        </html>
    }
}

#[component]
fn Styleguide() -> impl IntoView {
    leptos_meta::provide_meta_context();
    session::provide();
    form::provide();
    live::provide();
    action_result::provide();
    view! {
        <Router>
            <main id="main" class="styleguide" tabindex="-1">
                <PageHeader title="Styleguide".to_owned() lead="Every element in every state. Documented in docs/DESIGN.md.">
                    <a class="button" href="?theme=light">"Light"</a>
                    <a class="button" href="?theme=dark">"Dark"</a>
                    <a class="button" href="?language=zh" rel="external">"中文"</a>
                    <a class="button" href="?language=de" rel="external">"Deutsch"</a>
                    <a class="button" href="?live=0">"Before hydration"</a>
                </PageHeader>
                <Buttons />
                <Messages />
                <Results />
                <Fields />
                <Times />
                <Lists />
                <Empties />
                <Pictures />
                <Icons />
            </main>
        </Router>
    }
}

/// A part of the page.
#[component]
fn Part(
    /// Its title.
    title: &'static str,
    /// Its elements.
    children: Children,
) -> impl IntoView {
    let id = title.to_lowercase().replace(' ', "-");
    let labelled_by = id.clone();
    view! {
        <section class="panel" aria-labelledby=labelled_by>
            <header><h2 id=id>{title}</h2></header>
            {children()}
        </section>
    }
}

/// An element and the name of its state.
#[component]
fn Specimen(
    /// Name of the state.
    name: &'static str,
    /// The element.
    children: Children,
) -> impl IntoView {
    view! { <div class="specimen"><p class="hint">{name}</p>{children()}</div> }
}

#[component]
fn Icons() -> impl IntoView {
    let one = |name: &'static str| view! { <li class="row"><icon::Icon name=name />{name}</li> };
    view! { <Part title="Icons"><ul class="specimen-grid">{icon::names().map(one).collect_view()}</ul></Part> }
}
