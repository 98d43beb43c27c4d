//! Deserialises whole numbers as the document allows them. In JSON `2.0` is the same number as `2`;
//! in a query a limit may have any number of digits.

use serde::{Deserialize, Deserializer, Serialize, de};
use std::{fmt, marker::PhantomData};

/// Reads a required integer.
pub fn required_integer<'de, D: Deserializer<'de>, T: TryFrom<i64>>(json: D) -> Result<T, D::Error> {
    optional_integer(json)?.ok_or_else(|| de::Error::invalid_type(de::Unexpected::Unit, &"a whole number"))
}

/// Reads an integer or null.
pub fn optional_integer<'de, D: Deserializer<'de>, T: TryFrom<i64>>(json: D) -> Result<Option<T>, D::Error> {
    json.deserialize_any(IntegerVisitor(PhantomData))
}

/// A whole number in a list.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WholeNumber(#[serde(deserialize_with = "required_integer")] pub i32);

/// Reads the limit of a query. A number above `u64::MAX` becomes `u64::MAX`.
pub fn query_limit<'de, D: Deserializer<'de>>(text: D) -> Result<Option<u64>, D::Error> {
    text.deserialize_str(LimitVisitor).map(Some)
}

struct IntegerVisitor<T>(PhantomData<T>);

impl<T: TryFrom<i64>> de::Visitor<'_> for IntegerVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Option<T>, E> {
        let integer = T::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self));
        integer.map(Some)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Option<T>, E> {
        let integer = i64::try_from(value).ok().and_then(|value| T::try_from(value).ok());
        integer.map(Some).ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(value), &self))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Option<T>, E> {
        let whole = (value.fract() == 0.0).then(|| format!("{value:.0}").parse::<i64>().ok()).flatten();
        let integer = whole.and_then(|value| T::try_from(value).ok());
        integer.map(Some).ok_or_else(|| E::invalid_type(de::Unexpected::Float(value), &self))
    }

    fn visit_unit<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }
}

struct LimitVisitor;

impl de::Visitor<'_> for LimitVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, 0 or more")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<u64, E> {
        let digits = text.strip_suffix(".0").unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(E::invalid_value(de::Unexpected::Str(text), &self));
        }
        Ok(digits.parse().unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Body {
        #[serde(deserialize_with = "super::required_integer")]
        seen: i32,
        #[serde(default, deserialize_with = "super::optional_integer")]
        port: Option<u16>,
    }

    #[derive(Debug, Deserialize)]
    struct ListQuery {
        #[serde(default, deserialize_with = "super::query_limit")]
        limit: Option<u64>,
    }

    #[test]
    fn a_whole_number_may_have_a_decimal_point() {
        let read = |text: &str| serde_json::from_str::<Body>(text);
        assert_eq!(read(r#"{"seen":-7.0,"port":2.5e1}"#).unwrap(), Body { seen: -7, port: Some(25) });
        assert_eq!(read(r#"{"seen":7,"port":null}"#).unwrap(), Body { seen: 7, port: None });
        assert_eq!(serde_json::from_value::<Body>(json!({"seen": 7.0})).unwrap().seen, 7);
        for invalid in ["1.5", "null", "\"1\"", "true", "2147483648", "2147483648.0", "-3e9", "1e300", "[]"] {
            assert!(read(&format!(r#"{{"seen":{invalid}}}"#)).is_err(), "{invalid}");
        }
        for invalid in ["-1", "65536", "65536.0", "0.5", "18446744073709551615"] {
            assert!(read(&format!(r#"{{"seen":1,"port":{invalid}}}"#)).is_err(), "{invalid}");
        }
        assert!(read("{}").is_err());
    }

    #[test]
    fn a_query_limit_may_have_any_number_of_digits() {
        let read = |query: &str| {
            let uri = format!("/list?{query}").parse().unwrap();
            axum::extract::Query::<ListQuery>::try_from_uri(&uri).map(|query| query.limit)
        };
        assert_eq!(read("limit=0").unwrap(), Some(0));
        assert_eq!(read("").unwrap(), None);
        assert_eq!(read("limit=9223372036854775808").unwrap(), Some(9_223_372_036_854_775_808));
        assert_eq!(read("limit=99999999999999999999999").unwrap(), Some(u64::MAX));
        for invalid in ["limit=-1", "limit=", "limit=1.5", "limit=many", "limit=%2B1"] {
            assert!(read(invalid).is_err(), "{invalid}");
        }
    }
}
