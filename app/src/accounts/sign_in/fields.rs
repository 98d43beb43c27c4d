//! The fields of the form of a provider.

use crate::ui::form::{
    field::{Field, is_of},
    textarea::TextareaField,
    typed,
};
use domain::{
    DomainError,
    accounts::{
        group::Group,
        sign_in::{ProviderSettings, Provisioning},
    },
};
use leptos::prelude::*;
use texts::{accounts::sign_in::SignInTexts, language, refusal};

/// Fields that show their problems themselves.
pub const FIELDS: &[&str] =
    &["issuer", "name", "client_id", "scopes", "member_group", "group_claim", "roles", "groups", "password"];

/// The fields, with what was typed into a refused form.
#[component]
pub fn ProviderFields(
    /// Path of the form's server function.
    function: &'static str,
    /// What the form shows at first.
    settings: ProviderSettings,
    /// Groups of the desk.
    groups: Vec<Group>,
    /// Whether there is a client secret.
    has_secret: bool,
    /// The error of the form.
    refusal: Option<DomainError>,
) -> impl IntoView {
    let texts = SignInTexts::here();
    let text = move |name: &str, value: String| typed(function, name).unwrap_or(value);
    let is_refused = refusal.is_some();
    let is_on =
        move |name: &str, value: bool| if is_refused { typed(function, name).is_some() } else { value };
    let wrong = Signal::stored(refusal.clone());
    let problem = |name: &str| {
        let wrong = refusal.as_ref()?.problem_of(|field| is_of(name, field))?;
        Some(refusal::problem(language(), wrong))
    };
    let (roles_problem, groups_problem) = (problem("form[roles]"), problem("form[groups]"));
    let roles = text("form[roles]", role_lines(&settings));
    let group_lines = text("form[groups]", group_lines(&settings, &groups));
    let secret_hint = if has_secret { texts.secret_kept() } else { texts.secret_hint() };
    let both = is_on("form[proves_both_factors]", settings.proves_both_factors);
    let enabled = is_on("form[is_enabled]", settings.is_enabled);
    let chosen = typed(function, "form[provisioning]").and_then(|word| word.parse().ok());
    let chosen = chosen.unwrap_or(settings.provisioning);
    view! {
        <Field name="form[name]" label=texts.name() value=text("form[name]", settings.name) refusal=wrong />
        <Field name="form[client_id]" label=texts.client_id() value=text("form[client_id]", settings.client_id) refusal=wrong />
        <Field name="form[client_secret]" label=texts.client_secret() kind="password" fill="new-password" hint=secret_hint is_optional=true />
        <Field name="form[scopes]" label=texts.scopes() value=text("form[scopes]", settings.scopes) hint=texts.scopes_hint() refusal=wrong />
        <ProvisioningChoice chosen=chosen />
        <Field name="form[member_group]" label=texts.member_group() value=text("form[member_group]", settings.member_group) is_optional=true refusal=wrong />
        <Field name="form[group_claim]" label=texts.group_claim() value=text("form[group_claim]", settings.group_claim) hint=texts.group_claim_hint() is_optional=true refusal=wrong />
        <TextareaField name="form[roles]" label=texts.roles() hint=texts.roles_hint() value=roles problem=roles_problem />
        <TextareaField name="form[groups]" label=texts.groups() hint=texts.groups_hint() value=group_lines problem=groups_problem />
        <label class="choice">
            <input type="checkbox" name="form[proves_both_factors]" value="true" checked=both />
            {texts.proves_both()}
        </label>
        <label class="choice">
            <input type="checkbox" name="form[is_enabled]" value="true" checked=enabled />
            {texts.is_enabled()}
        </label>
    }
}

#[component]
fn ProvisioningChoice(chosen: Provisioning) -> impl IntoView {
    let texts = SignInTexts::here();
    let choice = move |provisioning: Provisioning, name: &'static str| {
        view! {
            <label class="choice">
                <input
                    type="radio" name="form[provisioning]" value=provisioning.as_str()
                    checked=provisioning == chosen
                />
                {name}
            </label>
        }
    };
    view! {
        <fieldset class="field">
            <legend class="label">{texts.provisioning()}</legend>
            {choice(Provisioning::None, texts.for_none())}
            {choice(Provisioning::Invited, texts.for_invited())}
            {choice(Provisioning::Group, texts.for_group())}
        </fieldset>
    }
}

fn role_lines(settings: &ProviderSettings) -> String {
    let lines = settings.roles.iter().map(|rule| format!("{} = {}", rule.group, rule.role));
    lines.collect::<Vec<_>>().join("\n")
}

/// Rules about groups of the desk that were deleted are left out.
fn group_lines(settings: &ProviderSettings, groups: &[Group]) -> String {
    let name_of = |id| groups.iter().find(|group| group.id == id).map(|group| group.name.as_str());
    let lines =
        settings.groups.iter().filter_map(|rule| Some(format!("{} = {}", rule.group, name_of(rule.to)?)));
    lines.collect::<Vec<_>>().join("\n")
}
