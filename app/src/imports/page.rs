//! `/settings/import`: imports exports of other systems. For admins.

use crate::imports::{
    report::ImportPanel,
    server_fns::{UPLOAD_PATH, list_imports},
};
use crate::{
    articles::list_page::plan::IMPORT_PAGE,
    ui::{
        async_view::AsyncView,
        form::{Alert, FromField, field::Field, is_form_result, refusal_of, typed},
        page::settings_menu::AdminSettings,
        time::zone_options::TimeZoneOptions,
    },
};
use domain::imports::{Import, ImportSystem};
use leptos::prelude::*;
use texts::articles::plan::PlanTexts;
use texts::settings::import::ImportTexts;

/// The page.
#[component]
pub fn ImportView() -> impl IntoView {
    let texts = ImportTexts::here();
    let plan = PlanTexts::here();
    view! {
        <AdminSettings title=texts.title() lead=texts.lead() messages=vec![("discard", texts.discarded()), ("stop", texts.stopped())]>
            <ForAdmins />
            <p class="hint"><a href=IMPORT_PAGE>{plan.title()}</a>{plan.from_settings()}</p>
        </AdminSettings>
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| list_imports());
    view! {
        <AsyncView from=read let:imports>
            <Imports imports=imports.get_untracked() />
        </AsyncView>
    }
}

#[component]
fn Imports(imports: Vec<Import>) -> impl IntoView {
    let texts = ImportTexts::here();
    let is_active = imports.iter().any(|import| import.state.is_active());
    if is_active && !is_form_result() {
        refresh();
    }
    let is_empty = imports.is_empty();
    view! {
        {match is_active {
            true => view! { <p class="notice">{texts.one_at_a_time()}</p> }.into_any(),
            false => view! { <UploadForm /> }.into_any(),
        }}
        {(!is_empty).then(|| view! {
            <section class="stack" aria-labelledby="imports">
                <h2 id="imports">{texts.earlier()}</h2>
                {imports.into_iter().map(|import| view! { <ImportPanel import=import /> }).collect_view()}
            </section>
        })}
    }
}

/// Lets the browser load the page again: also without a script.
fn refresh() {
    #[cfg(feature = "ssr")]
    {
        use leptos_meta::Meta;
        _ = view! { <Meta http_equiv="refresh" content="3" /> }.to_html();
    }
}

/// Uploads an export.
#[component]
fn UploadForm() -> impl IntoView {
    let texts = ImportTexts::here();
    let refusal = refusal_of(UPLOAD_PATH);
    let is_again = refusal.is_some();
    let refusal = Signal::stored(refusal);
    let general =
        Signal::derive(move || refusal.get().filter(|refusal| !refusal.is_about(&["site", "zone"])));
    let is_set = |name: &str, first: bool| if is_again { typed(UPLOAD_PATH, name).is_some() } else { first };
    view! {
        <form method="post" action=UPLOAD_PATH enctype="multipart/form-data" class="stack">
            <FromField />
            <SystemChoice />
            <Field name="site" label=texts.site() hint=texts.site_hint() is_optional=true
                value=typed(UPLOAD_PATH, "site").unwrap_or_default() refusal=refusal />
            <Field name="zone" label=texts.zone() hint=texts.zone_hint() is_optional=true list="zones"
                value=typed(UPLOAD_PATH, "zone").unwrap_or_default() refusal=refusal />
            <TimeZoneOptions />
            <div class="field">
                <label class="choice">
                    <input type="checkbox" name="drafts" value="true" checked=is_set("drafts", false) />
                    <span>{texts.drafts()}</span>
                </label>
                <label class="choice">
                    <input type="checkbox" name="pictures" value="true" checked=is_set("pictures", true) />
                    <span>{texts.pictures()}</span>
                </label>
            </div>
            <div class="field">
                <label for="import-file">{texts.file()}</label>
                <input id="import-file" name="file" type="file" required=true accept=".xml,.json,.zip"
                    aria-describedby="import-file-hint" />
                <span class="hint" id="import-file-hint">{texts.check_hint()}</span>
            </div>
            <p><button class="button main" type="submit">{texts.check()}</button></p>
            <Alert refusal=general />
        </form>
    }
}

#[component]
fn SystemChoice() -> impl IntoView {
    let texts = ImportTexts::here();
    let chosen = typed(UPLOAD_PATH, "system").and_then(|word| word.parse().ok());
    let chosen = chosen.unwrap_or(ImportSystem::Wordpress);
    let option = |system: ImportSystem| {
        view! {
            <label class="choice">
                <input type="radio" name="system" value=system.as_str() checked=system == chosen />
                <span>{texts.name_of(system)}<span class="hint">{texts.hint_of(system)}</span></span>
            </label>
        }
    };
    view! {
        <fieldset class="field review-workflow">
            <legend class="label">{texts.system()}</legend>
            {option(ImportSystem::Wordpress)}
            {option(ImportSystem::Ghost)}
            {option(ImportSystem::Markdown)}
        </fieldset>
    }
}
