//! Quick add.

#[cfg(feature = "ssr")]
use crate::articles::form_paths::create_scheduled;
#[cfg(feature = "ssr")]
use crate::server_fns::result_url::schedule_path;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
#[cfg(feature = "ssr")]
use domain::{
    Actor, Kind, Services, Timestamp,
    article::NewArticle,
    base::when::{TypedWords, WordsMeaning, WordsReading, problem::WhenProblem},
    calendar::{NewSlotTask, SlotPlace},
    error::ValidationError,
    reminders::{NewReminder, Recipient, ReminderTime},
};
use domain::{DomainError, reminders::ReminderWords};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
#[cfg(feature = "ssr")]
use texts::dashboard::quick::QuickTexts;

/// What the typed words mean, or why they mean nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct QuickWords {
    /// The words.
    pub text: String,
    /// Their meaning, as that of a reminder.
    pub meaning: Option<ReminderWords>,
    /// Why there is none.
    pub refusal: Option<DomainError>,
}

/// Reads a time in words. Without words: the next free slot, or tomorrow if there is none.
#[server(name = ReadQuickWords, prefix = "/fn", endpoint = "quick_words", output = JsonOutput)]
pub async fn read_quick_words(words: Option<String>) -> Result<QuickWords, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let texts = QuickTexts(actor.language);
            let Some(text) = words else {
                let slot = texts.next_slot().to_owned();
                let found = read(&services, &actor, &slot).await;
                return Ok(match found {
                    Ok(meaning) => QuickWords { text: slot, meaning: Some(meaning), refusal: None },
                    Err(_) => understood(&services, &actor, texts.tomorrow().to_owned()).await,
                });
            };
            Ok(understood(&services, &actor, text).await)
        }
        .await,
    )
}

/// Returns what the words mean, or why they mean nothing.
#[cfg(feature = "ssr")]
pub async fn understood(services: &Services, actor: &Actor, text: String) -> QuickWords {
    match read(services, actor, &text).await {
        Ok(meaning) => QuickWords { text, meaning: Some(meaning), refusal: None },
        Err(refusal) => QuickWords { text, meaning: None, refusal: Some(refusal) },
    }
}

/// Reads the words; a refusal is about the field `when`.
///
/// # Errors
/// Returns why the words mean nothing.
#[cfg(feature = "ssr")]
pub async fn read(services: &Services, actor: &Actor, text: &str) -> Result<ReminderWords, DomainError> {
    let words = TypedWords { text: text.to_owned(), ..TypedWords::default() };
    services.reminders.read_words(actor, words).await.map_err(|refusal| refusal.in_field("when"))
}

/// Adds an article that is scheduled, or a reminder. `reading`: the instant of the chosen reading, if
/// the words have several.
#[server(name = QuickAdd, prefix = "/fn", endpoint = "quick_add", output = JsonOutput)]
pub async fn quick_add(
    kind: String,
    title: String,
    when: String,
    #[server(default)] reading: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let ReminderWords { meaning, repeats } = read(&services, &actor, &when).await?;
            let time = meaning.when(chosen(&meaning, &reading)?);
            let path = match (kind.as_str(), meaning.is_slot) {
                ("reminder", _) if repeats.is_some() => {
                    let words = ReminderTime::Words { text: when, zone: None };
                    remind(&services, &actor, title, words).await?
                }
                ("reminder", _) => remind(&services, &actor, title, ReminderTime::At(time)).await?,
                _ if repeats.is_some() => return Err(only_reminders_repeat()),
                (_, true) => in_next_slot(&services, &actor, title).await?,
                (_, false) => create_scheduled(&services, &actor, titled(title), time).await?,
            };
            ssr::redirect(&path);
            Ok(())
        }
        .await,
    )
}

/// The refusal of an article that repeats.
#[cfg(feature = "ssr")]
fn only_reminders_repeat() -> DomainError {
    // The line below the field shows the rule: the form says what is wrong with it.
    DomainError::invalid("time", ValidationError::When { why: WhenProblem::Repeats })
}

/// The reading with this instant, or the only one.
///
/// # Errors
/// Returns `Invalid` if there are several and none has this instant.
#[cfg(feature = "ssr")]
pub fn chosen<'a>(meaning: &'a WordsMeaning, reading: &str) -> Result<&'a WordsReading, DomainError> {
    let at: Option<Timestamp> = reading.parse().ok();
    let named = meaning.readings.iter().find(|one| Some(one.moment.at) == at);
    named.or_else(|| meaning.only()).ok_or_else(|| {
        let why = WhenProblem::Several { locals: meaning.locals() };
        DomainError::invalid("when", ValidationError::When { why })
    })
}

#[cfg(feature = "ssr")]
fn titled(title: String) -> NewArticle {
    NewArticle { title, ..NewArticle::default() }
}

/// Creates an article and schedules it in the next free slot.
#[cfg(feature = "ssr")]
async fn in_next_slot(services: &Services, actor: &Actor, title: String) -> Result<String, DomainError> {
    let id = services.articles.create(actor, titled(title)).await?.row.id;
    let (kind, place) = (Kind::ArticlePublish, SlotPlace::Next);
    let new = NewSlotTask { kind, target_id: id.0, priority: None, place, revision: None };
    Ok(match services.slots.schedule_next(actor, new).await {
        Ok(done) => schedule_path(id, "schedule", Some(done.task.id)),
        // The article exists: its page says that it is saved, and has the form.
        Err(_) => schedule_path(id, "save", None),
    })
}

/// Creates a reminder for the user.
#[cfg(feature = "ssr")]
async fn remind(
    services: &Services,
    actor: &Actor,
    text: String,
    time: ReminderTime,
) -> Result<String, DomainError> {
    let recipient = Some(Recipient::Account(actor.account));
    let new = NewReminder { text, recipient, time, repeats: None };
    let row = services.reminders.create(actor, new).await.map_err(|refusal| match refusal {
        DomainError::Invalid { field, problem } if field == "text" => DomainError::invalid("title", problem),
        other => other,
    })?;
    Ok(with_done("/reminders", &format!("reminder-set.{}.{}", row.id, row.version.0)))
}
