//! Validates the details of an article.

pub mod authors;
pub mod body;
pub mod original;
pub mod tags;
pub mod tags_api;

use crate::{
    services::{internal_error, rendering},
    text::input,
    zone::Zone,
};
use domain::{
    DomainError, Timestamp,
    articles::details::{
        ArticleDetails, MAX_COVER_ALT_CHARS, MAX_COVER_CAPTION_CHARS, MAX_DETAIL_ADDRESS_BYTES,
        MAX_LANGUAGE_CHARS, MAX_SUMMARY_CHARS, MAX_TAG_CHARS, MAX_TAGS, TAG_SEPARATORS,
    },
    error::ValidationError,
    media::address::{self as media_address, MediaAddress},
};
use std::collections::HashSet;
use store::{
    Conn, StoreError,
    details::{StoredDetails, known_names, tag_key},
    setting,
};

/// Earliest date, seconds: the year 1900.
const EARLIEST_SECONDS: i64 = -2_208_988_800;

/// Validates changed details: limits, addresses and the date. Tags get the names by which the desk
/// knows them. `now`: a date is not in the future.
pub async fn checked(
    mut conn: Conn<'_>,
    typed: ArticleDetails,
    now: Timestamp,
) -> Result<(ArticleDetails, StoredDetails), DomainError> {
    let mut details = checked_fields(typed)?;
    details.tags = known_names(conn.reborrow(), details.tags).await.map_err(internal_error)?;
    details.authors = authors::checked(conn.reborrow(), details.authors).await?;
    details.cover = own_path(conn.reborrow(), details.cover).await?;
    let dated_at = match details.dated.as_str() {
        "" => None,
        date => {
            let desk = setting::site_settings(conn).await.map_err(internal_error)?;
            Some(instant(date, Zone::stored(&desk.zone), now)?)
        }
    };
    let stored = StoredDetails::of(&details, dated_at).map_err(internal_error)?;
    Ok((details, stored))
}

/// Returns the path of a cover that the library has, whatever host its address names; other addresses stay.
async fn own_path(conn: Conn<'_>, cover: String) -> Result<String, DomainError> {
    let Some(found) = media_address::parse(&cover).filter(MediaAddress::is_unresolved) else {
        return Ok(cover);
    };
    let mut paths = rendering::paths(conn, &[found.hash.to_owned()]).await?;
    Ok(paths.remove(found.hash).unwrap_or(cover))
}

/// Returns the stored form of details that were checked before.
pub fn stored(details: &ArticleDetails, dated_at: Option<i64>) -> Result<StoredDetails, StoreError> {
    StoredDetails::of(details, dated_at.map(Timestamp::from_millis))
}

/// Validates all fields but the date.
pub fn checked_fields(typed: ArticleDetails) -> Result<ArticleDetails, DomainError> {
    Ok(ArticleDetails {
        summary: line("summary", &typed.summary, MAX_SUMMARY_CHARS)?,
        tags: tags(&typed.tags)?,
        cover: address("cover", &typed.cover, true)?,
        cover_alt: line("cover_alt", &typed.cover_alt, MAX_COVER_ALT_CHARS)?,
        cover_caption: line("cover_caption", &typed.cover_caption, MAX_COVER_CAPTION_CHARS)?,
        language: language(&typed.language)?,
        canonical: address("canonical", &typed.canonical, false)?,
        translation_of: original::slug(&typed.translation_of)?,
        dated: typed.dated.trim().to_owned(),
        ..typed
    })
}

/// One paragraph: line ends become spaces.
fn line(field: &str, typed: &str, max: usize) -> Result<String, DomainError> {
    let refuse = |problem| DomainError::invalid(field, problem);
    if typed.len() > 16 * max {
        return Err(refuse(ValidationError::TooLong { max: whole(max) }));
    }
    let text = input::body(typed).map_err(refuse)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > max {
        return Err(refuse(ValidationError::TooLong { max: whole(max) }));
    }
    Ok(text)
}

/// Validates the name of one tag.
pub fn tag(field: &str, typed: &str) -> Result<String, DomainError> {
    let refuse = |problem| DomainError::invalid(field, problem);
    let name = tag_name(field, typed)?;
    if tag_key(&name).trim().is_empty() { Err(refuse(ValidationError::Empty)) } else { Ok(name) }
}

/// Validates the name of one tag, which may be empty.
fn tag_name(field: &str, typed: &str) -> Result<String, DomainError> {
    let refuse = |problem| DomainError::invalid(field, problem);
    let name = line(field, typed, MAX_TAG_CHARS)?;
    if name.contains(TAG_SEPARATORS) || name.contains('/') {
        return Err(refuse(ValidationError::BadCharacters));
    }
    if matches!(tag_key(&name).as_str(), "." | "..") {
        return Err(refuse(ValidationError::OnlyDots));
    }
    Ok(name)
}

/// Names without repetitions in another case or width.
fn tags(typed: &[String]) -> Result<Vec<String>, DomainError> {
    let refuse = |problem| DomainError::invalid("tags", problem);
    if typed.len() > 10 * MAX_TAGS {
        return Err(refuse(ValidationError::TooMany { max: whole(MAX_TAGS) }));
    }
    let (mut tags, mut keys) = (Vec::new(), HashSet::new());
    for name in typed {
        let name = tag_name("tags", name)?;
        let key = tag_key(&name);
        if !key.trim().is_empty() && keys.insert(key) {
            tags.push(name);
        }
    }
    if tags.len() > MAX_TAGS {
        return Err(refuse(ValidationError::TooMany { max: whole(MAX_TAGS) }));
    }
    Ok(tags)
}

/// An `https` address; `has_paths`: or a path of the media library.
fn address(field: &str, typed: &str, has_paths: bool) -> Result<String, DomainError> {
    let typed = typed.trim();
    let refuse = |problem| DomainError::invalid(field, problem);
    if typed.is_empty() {
        return Ok(String::new());
    }
    if typed.len() > MAX_DETAIL_ADDRESS_BYTES {
        return Err(refuse(ValidationError::TooLarge { max: whole(MAX_DETAIL_ADDRESS_BYTES) }));
    }
    if typed
        .chars()
        .any(|letter| letter.is_control() || letter.is_whitespace() || "\"'<>\\`".contains(letter))
    {
        return Err(refuse(ValidationError::BadCharacters));
    }
    let is_path = has_paths && typed.starts_with("/media/") && !typed.contains("..");
    let is_address = || {
        url::Url::parse(typed).is_ok_and(|url| {
            url.scheme() == "https"
                && url.host_str().is_some()
                && url.username().is_empty()
                && url.password().is_none()
        })
    };
    if is_path || is_address() {
        return Ok(typed.to_owned());
    }
    Err(refuse(ValidationError::NotHttps))
}

/// A language tag such as `en`, `zh-Hans` or `pt-BR`.
fn language(typed: &str) -> Result<String, DomainError> {
    let typed = typed.trim();
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let begins = |tag: &str| tag.bytes().take_while(u8::is_ascii_alphabetic).count() >= 2;
    let is_tag = typed.len() <= MAX_LANGUAGE_CHARS && begins(typed) && typed.split('-').all(is_part);
    if typed.is_empty() || is_tag {
        return Ok(typed.to_owned());
    }
    Err(DomainError::invalid("language", ValidationError::NotALanguage))
}

/// Returns the instant that a date means: the begin of a day on the desk's clock, or the instant itself.
fn instant(date: &str, zone: Zone, now: Timestamp) -> Result<Timestamp, DomainError> {
    let refuse = |problem| DomainError::invalid("dated", problem);
    let unreadable = || ValidationError::NotATime { like: "2019-05-03".to_owned() };
    if date.len() > 40 {
        return Err(refuse(unreadable()));
    }
    let at = match date.parse::<Timestamp>() {
        Ok(at) => at,
        Err(_) => zone.day_bounds("dated", date).map_err(|_| refuse(unreadable()))?.0,
    };
    if at > now {
        return Err(refuse(ValidationError::InTheFuture));
    }
    if at.millis() < EARLIEST_SECONDS * 1_000 { Err(refuse(unreadable())) } else { Ok(at) }
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_differ_in_case_or_width_are_one() {
        let typed = ["Rust", " rust ", "ＲＵＳＴ", "Straße", "STRASSE", "", "新闻"].map(str::to_owned);
        assert_eq!(tags(&typed).unwrap(), ["Rust", "Straße", "新闻"]);
    }

    #[test]
    fn a_tag_of_dots_is_refused_because_it_has_no_address() {
        for dots in [".", "..", " .. ", "．．"] {
            let refused = DomainError::invalid("tags", ValidationError::OnlyDots);
            assert_eq!(tag("tags", dots), Err(refused), "{dots}");
            assert!(tags(&[dots.to_owned()]).is_err(), "{dots}");
        }
        assert_eq!(tags(&[".NET".to_owned(), "...".to_owned()]).unwrap(), [".NET", "..."]);
    }

    #[test]
    fn addresses_are_https_or_media() {
        assert_eq!(address("cover", " https://a.example/x.png ", true).unwrap(), "https://a.example/x.png");
        assert_eq!(address("cover", "/media/a.webp", true).unwrap(), "/media/a.webp");
        for bad in [
            "http://a.example",
            "javascript:alert(1)",
            "/media/../x",
            "https://",
            "//a.example",
            "https://u:p@a.example/",
        ] {
            assert!(address("cover", bad, true).is_err(), "{bad}");
        }
        assert!(address("canonical", "/media/a.webp", false).is_err());
    }

    #[test]
    fn a_date_is_a_day_or_an_instant_in_the_past() {
        let (zone, now) = (Zone::stored("Europe/Berlin"), "2026-11-26T10:00:00Z".parse().unwrap());
        let at = |date: &str| instant(date, zone, now).map(|at| at.to_string());
        assert_eq!(
            at("2019-05-03").unwrap(),
            "2019-05-02T22:00:00Z".parse::<Timestamp>().unwrap().to_string()
        );
        assert!(at("2019-05-03T10:00:00Z").is_ok());
        for bad in ["2026-11-27", "yesterday", "1850-01-01", "2019-13-01"] {
            assert!(at(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_language_is_a_tag() {
        for good in ["", "en", "zh-Hans", "pt-BR"] {
            assert!(language(good).is_ok(), "{good}");
        }
        for bad in ["e", "english language", "en_US", "\"><script>"] {
            assert!(language(bad).is_err(), "{bad}");
        }
    }
}
