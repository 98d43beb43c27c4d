//! `/when`.

use crate::{
    http::{
        Web,
        api::{ApiError, ErrorBody, extract::AuthJson},
    },
    zone::offset_text,
};
use axum::{Json, extract::State};
use domain::{
    DomainError, Timestamp,
    base::when::{Question, TypedWords, WordsReading},
    error::ValidationError,
    time::{Disambiguation, local_time},
};
use serde::{Deserialize, Serialize};
use texts::{
    Language,
    time::{place, placed_text, relative},
};
use utoipa::ToSchema;

/// A time in words.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WhenBody {
    /// For example `tue 9am`, `in 2 hours`, `jun 9 9:00 berlin`, `明天上午九点`, or
    /// `next free slot`; at most 200 bytes. A place is read only after the time and by its whole name;
    /// holidays are refused.
    #[schema(max_length = 200)]
    text: String,
    /// IANA time zone, unless the text names one; that of the token's owner if absent.
    #[schema(max_length = 128)]
    zone: Option<String>,
    /// `en`, `zh` or `de`: language of `words`, and whether `6/9` is June 9 only (`zh`; `6/9/2026` may be
    /// September 6 too); all languages are understood. That of the token's owner if absent.
    language: Option<String>,
    /// The current time, RFC 3339; the server's clock if absent.
    #[schema(value_type = Option<String>, format = DateTime)]
    now: Option<Timestamp>,
}

/// What a time in words means. If there are several readings, ask: the first fields are null then.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeaningBody {
    /// The instant; null: there are several readings.
    #[schema(value_type = Option<String>, format = DateTime)]
    moment: Option<Timestamp>,
    /// Local time in `zone`; null: there are several readings.
    local: Option<String>,
    /// The time zone.
    zone: String,
    /// Offset from UTC at that time, e.g. `+02:00`; null: there are several readings.
    offset: Option<String>,
    /// What to ask: `which`, `doubled_time` (the local time occurs twice) or `skipped_time` (it does
    /// not exist; the readings are the times before and after the gap); null: there is one reading.
    question: Option<&'static str>,
    /// All moments that the text can mean, in order. Only if the day itself has two meanings
    /// (`6/9/2026`, or `tomorrow` in a zone where it is another day), one of them may have passed.
    readings: Vec<ReadingBody>,
}

/// A moment that a text can mean.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadingBody {
    /// The instant.
    #[schema(value_type = String, format = DateTime)]
    moment: Timestamp,
    /// Local time.
    local: String,
    /// Offset from UTC at that time, e.g. `+02:00`.
    offset: String,
    /// `earlier` or `later`, if the local time occurs twice.
    #[schema(value_type = Option<String>)]
    disambiguation: Option<Disambiguation>,
    /// In words, with the zone and the distance from now: `Tue 9 Jun 2026, 09:00 Berlin, in 5 d 23 h`.
    words: String,
}

/// Reads a time in words, in English, Chinese or German. Changes nothing.
#[utoipa::path(post, path = "/when", tag = "about", request_body = WhenBody, responses(
    (status = 200, description = "What it means", body = MeaningBody),
    (status = 422, description = "It is not understood, has passed or does not exist: `error.message` says which part", body = ErrorBody)))]
pub(crate) async fn read(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<WhenBody>,
) -> Result<Json<MeaningBody>, ApiError> {
    let language = match body.language.as_deref() {
        None => actor.language,
        Some(word) => word.parse().map_err(|_| {
            DomainError::invalid("language", ValidationError::NotOneOf { words: Language::NAMES.join(", ") })
        })?,
    };
    let now = body.now.unwrap_or_else(|| web.parts.clock.now());
    let words = TypedWords { text: body.text, zone: body.zone, language: Some(language), now: body.now };
    let found = web.services.tasks.read_words(&actor, words).await?;
    let readings: Vec<ReadingBody> =
        found.readings.iter().map(|reading| reading_body(reading, &found.zone, language, now)).collect();
    let only = if let [only] = &readings[..] { Some(only) } else { None };
    Ok(Json(MeaningBody {
        moment: only.map(|reading| reading.moment),
        local: only.map(|reading| reading.local.clone()),
        offset: only.map(|reading| reading.offset.clone()),
        question: found.question.map(|question| match question {
            Question::Which => "which",
            Question::DoubledTime => "doubled_time",
            Question::SkippedTime => "skipped_time",
        }),
        readings,
        zone: found.zone,
    }))
}

fn reading_body(reading: &WordsReading, zone: &str, language: Language, now: Timestamp) -> ReadingBody {
    let at = reading.moment.at;
    let minutes = reading.offset_seconds.div_euclid(60);
    let wall = local_time(at, minutes, reading.disambiguation.is_some());
    let name = place(language, zone);
    let separator = texts::punctuation::comma(language);
    ReadingBody {
        moment: at,
        local: reading.local.clone(),
        offset: offset_text(reading.offset_seconds),
        disambiguation: reading.disambiguation,
        words: format!(
            "{}{separator}{}",
            placed_text(language, wall, None, &name),
            relative(language, at, now)
        ),
    }
}
