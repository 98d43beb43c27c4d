//! `/settings/site`: how the public site looks, with a preview. For admins.

use super::site_fns::{KeepSiteStyle, PublishSiteStyle, SaveSiteLook, find_site_look, find_site_style};
use crate::{
    live::live,
    media::{
        picker::{MediaPicker, Picker},
        picture_field::PictureField,
    },
    ui::{
        async_view::AsyncView,
        form::{
            PlainForm,
            field::{Field, is_of},
            refusal_of,
            textarea::TextareaField,
            typed,
        },
        page::settings_menu::AdminSettings,
    },
};
use domain::accounts::site_look::{SiteLayout, SiteLook, SiteStyle};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::settings::site::SiteSettingsTexts;
use texts::{language, refusal::problem};

/// How far the time zone of a desk can be behind UTC, in milliseconds.
const MAX_BEHIND_UTC_MS: i64 = 12 * 3_600_000;

/// The page.
#[component]
pub fn SiteSettingsView() -> impl IntoView {
    let texts = SiteSettingsTexts::here();
    view! {
        <AdminSettings title=texts.title() lead=texts.lead() messages=vec![("save", texts.saved()), ("style", texts.style_kept())]><ForAdmins /></AdminSettings>
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| find_site_look());
    Picker::provide();
    view! {
        <AsyncView from=read let:look>
            <LookForm look=look.get_untracked() />
        </AsyncView>
        <SiteStylesheet />
        <MediaPicker />
    }
}

#[component]
fn LookForm(look: SiteLook) -> impl IntoView {
    let texts = SiteSettingsTexts::here();
    let path = SaveSiteLook::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let layout = typed(path, "layout").and_then(|word| word.parse().ok()).unwrap_or(look.layout);
    let links: Vec<String> = look.links.iter().map(|link| format!("{} {}", link.name, link.url)).collect();
    let text = |name: &str, stored: String| typed(path, name).unwrap_or(stored);
    view! {
        <PlainForm function=path fields={&["description", "accent", "footer", "links", "navigation", "logo", "favicon"]} class="stack">
            <input type="hidden" name="seen" value=look.version.0 />
            <LayoutChoice chosen=layout />
            <Field name="description" label=texts.description() hint=texts.description_hint() is_optional=true
                value=text("description", look.description) refusal=refusal />
            <Field name="accent" label=texts.accent() hint=texts.accent_hint() is_optional=true
                value=text("accent", look.accent) refusal=refusal />
            <Field name="footer" label=texts.footer() hint=texts.footer_hint() is_optional=true
                value=text("footer", look.footer) refusal=refusal />
            <TextareaField name="links" label=texts.links() hint=texts.links_hint() value=text("links", links.join("\n"))
                problem=wrong(path, "links") />
            <TextareaField name="navigation" label=texts.navigation() hint=texts.navigation_hint()
                value=text("navigation", look.navigation.join("\n")) problem=wrong(path, "navigation") />
            <PictureField name="logo" label=texts.logo() hint=texts.logo_hint()
                value=text("logo", look.logo) refusal=refusal />
            <PictureField name="favicon" label=texts.favicon() hint=texts.favicon_hint()
                value=text("favicon", look.favicon) refusal=refusal />
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
        <Preview chosen=layout />
    }
}

/// The stylesheet: a draft that is previewed before it is published.
#[component]
fn SiteStylesheet() -> impl IntoView {
    let read = Resource::new(|| (), |()| find_site_style());
    view! {
        <AsyncView from=read let:style>
            <StyleForm style=style.get_untracked() />
        </AsyncView>
    }
}

#[component]
fn StyleForm(style: SiteStyle) -> impl IntoView {
    let texts = SiteSettingsTexts::here();
    let path = KeepSiteStyle::PATH;
    let preview = format!("/settings/site/preview?style={}", style.hash);
    let hash = style.hash;
    view! {
        <section class="panel" id="stylesheet">
            <header><h2>{texts.stylesheet()}</h2></header>
            <PlainForm function=path fields={&["css"]} class="stack">
                <TextareaField name="css" label=texts.stylesheet() hint=texts.stylesheet_hint()
                    value=typed(path, "css").unwrap_or(style.css) rows=12 problem=wrong(path, "css") />
                <p><button class="button" type="submit">{texts.keep_style()}</button></p>
            </PlainForm>
            {(!style.is_published).then(|| view! {
                <p>{texts.style_draft()} " " <a href=preview target="_blank" rel="external">{texts.preview_style()}</a></p>
                <PlainForm function=PublishSiteStyle::PATH>
                    <input type="hidden" name="hash" value=hash />
                    <button class="button" type="submit">{texts.publish_style()}</button>
                </PlainForm>
            })}
        </section>
    }
}

/// What is wrong with a field of the form at `path`.
fn wrong(path: &'static str, name: &str) -> Option<String> {
    let refusal = refusal_of(path)?;
    refusal.problem_of(|field| is_of(name, field)).map(|wrong| problem(language(), wrong))
}

#[component]
fn LayoutChoice(chosen: SiteLayout) -> impl IntoView {
    let texts = SiteSettingsTexts::here();
    let option = move |layout: &SiteLayout| {
        let (name, hint) = texts.layout_of(*layout);
        view! {
            <label class="choice">
                <input type="radio" name="layout" value=layout.as_str() checked=*layout == chosen />
                <span>{name}<span class="hint">{hint}</span></span>
            </label>
        }
    };
    view! {
        <fieldset class="field review-workflow">
            <legend class="label">{texts.layout()}</legend>
            {SiteLayout::ALL.iter().map(option).collect_view()}
        </fieldset>
    }
}

/// A form that opens the preview, which is a page of its own.
#[component]
fn Preview(chosen: SiteLayout) -> impl IntoView {
    let texts = SiteSettingsTexts::here();
    // The day that is today in the westernmost time zone: the offset of the desk is not known here.
    let mut first_day = live().now().get_untracked().plus(-MAX_BEHIND_UTC_MS).to_string();
    first_day.truncate("2027-03-08".len());
    let option = move |layout: &SiteLayout| {
        view! {
            <option value=layout.as_str() selected=*layout == chosen>{texts.layout_of(*layout).0}</option>
        }
    };
    view! {
        <section class="site-preview">
            <h2>{texts.preview()}</h2>
            <p class="hint">{texts.preview_lead()}</p>
            <form method="get" action="/settings/site/preview" target="_blank" class="fields">
                <div class="field">
                    <label for="preview-at">{texts.day()}</label>
                    <input id="preview-at" type="date" name="at" min=first_day />
                </div>
                <div class="field">
                    <label for="preview-layout">{texts.layout()}</label>
                    <select id="preview-layout" name="layout">{SiteLayout::ALL.iter().map(option).collect_view()}</select>
                </div>
                <button class="button" type="submit">{texts.show()}</button>
            </form>
        </section>
    }
}
