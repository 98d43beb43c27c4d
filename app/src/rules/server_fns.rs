//! Rules: list, one rule, changes, dry run, trial, and waits.

use super::form_values::RuleForm;
#[cfg(feature = "ssr")]
use super::form_values::{about_form, data_of};
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
use domain::{
    ChannelId, Page,
    channel::Transport,
    rule::{DryRun, Rule, RuleTrial},
    signal::SignalName,
    wait::{WaitEntry, WaitQuery},
};
#[cfg(feature = "ssr")]
use domain::{
    DomainError, RuleId, Version, WaitId,
    error::ValidationError,
    rule::{Action, RuleSettings, Waiting},
    signal::NewSignal,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A channel as rules name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelName {
    /// Id.
    pub id: ChannelId,
    /// Name.
    pub name: String,
    /// How it sends.
    pub transport: Transport,
}

/// All rules, with the channels that they name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleList {
    /// By name.
    pub rules: Vec<Rule>,
    /// All channels.
    pub channels: Vec<ChannelName>,
}

/// A rule, with the channels that it can name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenedRule {
    /// The rule.
    pub rule: Rule,
    /// All channels.
    pub channels: Vec<ChannelName>,
    /// Names of signals to propose.
    pub signals: Vec<SignalName>,
}

/// What the form of a new rule offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleOptions {
    /// All channels.
    pub channels: Vec<ChannelName>,
    /// Names of signals to propose.
    pub signals: Vec<SignalName>,
}

#[cfg(feature = "ssr")]
async fn signal_names() -> Result<Vec<SignalName>, DomainError> {
    ssr::services()?.rules.signal_names(&ssr::actor()?).await
}

#[cfg(feature = "ssr")]
async fn channel_names() -> Result<Vec<ChannelName>, DomainError> {
    let channels = ssr::services()?.channels.list(&ssr::actor()?).await?.into_iter();
    let name = |channel: domain::channel::Channel| ChannelName {
        id: channel.id,
        transport: channel.settings.endpoint.transport(),
        name: channel.settings.name,
    };
    Ok(channels.filter(domain::channel::Channel::sends_messages).map(name).collect())
}

/// All rules, by name.
#[server(name = ListRules, prefix = "/fn", endpoint = "rules", output = JsonOutput)]
pub async fn list_rules() -> Result<RuleList, Refused> {
    ssr::respond(
        async {
            let rules = ssr::services()?.rules.list(&ssr::actor()?).await?;
            Ok(RuleList { rules, channels: channel_names().await? })
        }
        .await,
    )
}

/// What the form of a new rule offers.
#[server(name = ReadRuleOptions, prefix = "/fn", endpoint = "rule_options", output = JsonOutput)]
pub async fn rule_options() -> Result<RuleOptions, Refused> {
    ssr::respond(
        async { Ok(RuleOptions { channels: channel_names().await?, signals: signal_names().await? }) }.await,
    )
}

/// A rule by its id, or by the id of one of its waits.
#[server(name = FindRule, prefix = "/fn", endpoint = "rule", output = JsonOutput)]
pub async fn find_rule(id: String) -> Result<OpenedRule, Refused> {
    ssr::respond(
        async {
            let (rules, actor) = (ssr::services()?.rules, ssr::actor()?);
            let rule = match rules.find(&actor, read_id(&id)?).await {
                Err(DomainError::NoSuch { .. }) => {
                    let wait: WaitId = id.parse().map_err(|_| DomainError::no_such("rule"))?;
                    rules.rule_of_wait(&actor, wait).await?
                }
                other => other?,
            };
            Ok(OpenedRule { rule, channels: channel_names().await?, signals: signal_names().await? })
        }
        .await,
    )
}

/// A page of the waits of a rule.
#[server(name = ListWaits, prefix = "/fn", endpoint = "waits", output = JsonOutput)]
pub async fn list_waits(
    rule: String,
    #[server(default)] query: WaitQuery,
) -> Result<Page<WaitEntry>, Refused> {
    ssr::respond(
        async { ssr::services()?.rules.waits_with_tasks(&ssr::actor()?, read_id(&rule)?, query).await }.await,
    )
}

/// What a rule would have done; `None` without a number of days.
#[server(name = DryRunRule, prefix = "/fn", endpoint = "dry_run", output = JsonOutput)]
pub async fn dry_run(rule: String, days: Option<u32>) -> Result<Option<DryRun>, Refused> {
    ssr::respond(
        async {
            let Some(days) = days else { return Ok(None) };
            ssr::services()?.rules.dry_run(&ssr::actor()?, read_id(&rule)?, days).await.map(Some)
        }
        .await,
    )
}

/// A signal to try, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedSignal {
    /// Its name.
    pub name: String,
    /// Whom or what it is about.
    pub subject: String,
    /// Part of the subject.
    pub key: String,
    /// Lines like `name: value`.
    pub data: String,
}

/// What a rule would do with a signal; `None` without one.
#[server(name = TrySignal, prefix = "/fn", endpoint = "try_signal", output = JsonOutput)]
pub async fn try_signal(rule: String, signal: Option<TypedSignal>) -> Result<Option<RuleTrial>, Refused> {
    ssr::respond(
        async {
            let Some(typed) = signal else { return Ok(None) };
            let signal = NewSignal {
                name: typed.name.trim().to_owned(),
                subject: typed.subject.trim().to_owned(),
                id: None,
                key: typed.key.trim().to_owned(),
                at: None,
                data: data_of(&typed.data)?,
            };
            ssr::services()?.rules.try_signal(&ssr::actor()?, read_id(&rule)?, signal).await.map(Some)
        }
        .await,
    )
}

/// Creates a rule.
#[server(name = CreateRule, prefix = "/fn", endpoint = "create_rule", output = JsonOutput)]
pub async fn create_rule(rule: RuleForm) -> Result<(), Refused> {
    ssr::respond(
        async {
            let new = settings_of(rule, None).await?;
            let created = ssr::services()?.rules.add(&ssr::actor()?, new).await.map_err(about_form)?;
            ssr::redirect(&format!("/rules/{}?done=create", created.id));
            Ok(())
        }
        .await,
    )
}

/// Reads the form; refuses a mail while no channel can send it. `was`: the rule that is edited.
#[cfg(feature = "ssr")]
async fn settings_of(form: RuleForm, was: Option<&RuleSettings>) -> Result<RuleSettings, DomainError> {
    let settings = form.read(was)?;
    if matches!(settings.action, Action::Reminder { channel_id: None, .. }) {
        let channels = channel_names().await?;
        if !channels.iter().any(|channel| channel.transport == Transport::Mail) {
            return Err(DomainError::invalid("channel_id", ValidationError::Empty));
        }
    }
    Ok(settings)
}

/// Changes a rule. `waiting`: what becomes of those that wait.
#[server(name = EditRule, prefix = "/fn", endpoint = "edit_rule", output = JsonOutput)]
pub async fn edit_rule(
    id: String,
    seen: i32,
    #[server(default)] waiting: String,
    rule: RuleForm,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (rules, actor, rule_id) = (ssr::services()?.rules, ssr::actor()?, read_id(&id)?);
            let was = rules.find(&actor, rule_id).await?.settings;
            let waiting = read_waiting(&waiting)?.unwrap_or(Waiting::Keep);
            let edit = (settings_of(rule, Some(&was)).await?, waiting);
            rules.edit(&actor, rule_id, edit, Some(Version(seen))).await.map_err(about_form)?;
            ssr::redirect(&format!("/rules/{id}?done=save"));
            Ok(())
        }
        .await,
    )
}

/// Deletes a rule. `waiting`: what becomes of those that wait.
#[server(name = DeleteRule, prefix = "/fn", endpoint = "delete_rule", output = JsonOutput)]
pub async fn delete_rule(id: String, #[server(default)] waiting: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let waiting = read_waiting(&waiting)?;
            ssr::services()?.rules.delete(&ssr::actor()?, read_id(&id)?, waiting).await?;
            ssr::redirect("/rules?done=delete");
            Ok(())
        }
        .await,
    )
}

/// Pauses a rule, or resumes it.
#[server(name = PauseRule, prefix = "/fn", endpoint = "pause_rule", output = JsonOutput)]
pub async fn pause_rule(id: String, is_paused: bool, #[server(default)] from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.rules.pause(&ssr::actor()?, read_id(&id)?, is_paused).await?;
            ssr::redirect(&with_done(&page_of(&from, &id), if is_paused { "pause" } else { "resume" }));
            Ok(())
        }
        .await,
    )
}

/// Makes the user the owner of a rule.
#[server(name = TakeOverRule, prefix = "/fn", endpoint = "take_over_rule", output = JsonOutput)]
pub async fn take_over_rule(id: String, #[server(default)] from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.rules.take_over(&ssr::actor()?, read_id(&id)?).await?;
            ssr::redirect(&with_done(&page_of(&from, &id), "take-over"));
            Ok(())
        }
        .await,
    )
}

/// The page of a form; that of the rule if the form does not say it.
#[cfg(feature = "ssr")]
fn page_of(from: &str, id: &str) -> String {
    if from.starts_with("/rules/") { from.to_owned() } else { format!("/rules/{id}") }
}

#[cfg(feature = "ssr")]
fn read_id(id: &str) -> Result<RuleId, DomainError> {
    id.parse().map_err(|_| DomainError::no_such("rule"))
}

#[cfg(feature = "ssr")]
fn read_waiting(word: &str) -> Result<Option<Waiting>, DomainError> {
    let unknown = |_| {
        let words = Waiting::NAMES.join(", ");
        DomainError::invalid("waiting", ValidationError::NotOneOf { words })
    };
    if word.is_empty() { Ok(None) } else { word.parse().map(Some).map_err(unknown) }
}
