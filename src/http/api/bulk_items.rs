//! Reads a list of objects from JSON with bounded memory. Without this, 8 MB of JSON could
//! become 250 MB of values.

use crate::http::api::json_input::read_item;
use domain::{DomainError, error::ValidationError, input_limits};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use std::fmt;

/// Maximum number of fields kept of an object; a valid one has fewer.
const MAX_FIELDS: usize = 40;

/// Items of a bulk request. At most one item more than the limit is kept. Of each item scalar values
/// are kept, and objects of scalar values down to the depth `DEPTH`. Lists and deeper objects are
/// kept empty, which is refused all the same.
#[derive(Debug)]
pub struct Items<const DEPTH: u8 = 1>(pub Vec<Value>);

impl<const DEPTH: u8> Items<DEPTH> {
    /// Converts all items. If some have a wrong shape, `check` checks the others too, and all invalid
    /// ones are refused together, by index.
    pub async fn read<B, T>(
        self,
        check: impl AsyncFnOnce(Vec<T>) -> Result<(), DomainError>,
    ) -> Result<Vec<T>, DomainError>
    where
        B: DeserializeOwned,
        T: TryFrom<B, Error = DomainError>,
    {
        if self.0.is_empty() {
            return Err(DomainError::invalid("items", ValidationError::Empty));
        }
        if self.0.len() > input_limits::MAX_BULK_ITEMS {
            return Err(DomainError::invalid("items", ValidationError::TooMany { max: 10_000 }));
        }
        let mut read =
            ReadItems { valid: Vec::with_capacity(self.0.len()), places: Vec::new(), invalid: Vec::new() };
        for (index, item) in self.0.into_iter().enumerate() {
            match read_item::<B>(item).and_then(T::try_from) {
                Ok(new) => {
                    read.valid.push(new);
                    read.places.push(index);
                }
                Err(refusal) => read.invalid.push((index, refusal)),
            }
        }
        read.checked(check).await
    }
}

/// Items of a bulk request that were read.
struct ReadItems<T> {
    valid: Vec<T>,
    /// Index of each valid item in the request.
    places: Vec<usize>,
    invalid: Vec<(usize, DomainError)>,
}

impl<T> ReadItems<T> {
    async fn checked(
        self,
        check: impl AsyncFnOnce(Vec<T>) -> Result<(), DomainError>,
    ) -> Result<Vec<T>, DomainError> {
        let Self { valid, places, mut invalid } = self;
        if invalid.is_empty() {
            return Ok(valid);
        }
        let mut all = invalid.len();
        match if valid.is_empty() { Ok(()) } else { check(valid).await } {
            Ok(()) => {}
            Err(DomainError::Bulk { items, count }) => {
                let place = |(place, refusal)| Some((*places.get(place)?, refusal));
                invalid.extend(items.into_iter().filter_map(place));
                invalid.sort_unstable_by_key(|(index, _)| *index);
                all += count;
            }
            Err(refusal) => return Err(refusal),
        }
        invalid.truncate(input_limits::MAX_REPORTED_ITEMS);
        Err(DomainError::Bulk { items: invalid, count: all })
    }
}

impl<'de, const DEPTH: u8> Deserialize<'de> for Items<DEPTH> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_seq(ListVisitor { depth: DEPTH }).map(Self)
    }
}

struct ListVisitor {
    depth: u8,
}

impl<'de> Visitor<'de> for ListVisitor {
    type Value = Vec<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Value>, A::Error> {
        let mut items = Vec::new();
        while items.len() <= input_limits::MAX_BULK_ITEMS {
            match list.next_element_seed(Shallow { depth: self.depth })? {
                Some(item) => items.push(item),
                None => return Ok(items),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(items)
    }
}

/// Deserialises an item, or a field of an item.
#[derive(Clone, Copy)]
struct Shallow {
    /// Number of levels of objects that are kept.
    depth: u8,
}

impl<'de> DeserializeSeed<'de> for Shallow {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Shallow {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an item")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Array(Vec::new()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while self.depth > 0 && fields.len() < MAX_FIELDS {
            let Some(name) = object.next_key::<String>()? else { return Ok(Value::Object(fields)) };
            fields.insert(name, object.next_value_seed(Self { depth: self.depth - 1 })?);
        }
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Value {
        serde_json::from_str::<Items>(text).unwrap().0.into()
    }

    /// An even number; `check` refuses those above 100.
    struct Even(i64);

    impl TryFrom<i64> for Even {
        type Error = DomainError;
        fn try_from(number: i64) -> Result<Self, DomainError> {
            if number % 2 == 0 { Ok(Self(number)) } else { Err(DomainError::no_such("number")) }
        }
    }

    async fn refused(items: Vec<Value>) -> (Vec<usize>, usize) {
        let check = async |all: Vec<Even>| {
            let wrong = all.iter().enumerate().filter(|(_, one)| one.0 > 100);
            Err(DomainError::bulk(wrong.map(|(place, _)| (place, DomainError::no_such("number"))).collect()))
        };
        match Items::<1>(items).read::<i64, Even>(check).await {
            Err(DomainError::Bulk { items, count }) => {
                (items.into_iter().map(|(index, _)| index).collect(), count)
            }
            Ok(_) => panic!("all are valid"),
            Err(other) => panic!("{other}"),
        }
    }

    #[tokio::test]
    async fn all_invalid_items_are_counted_and_the_first_are_listed() {
        let items = vec![json!(102), json!("2"), json!(2), json!(3), json!(104)];
        assert_eq!(refused(items).await, (vec![0, 1, 3, 4], 4));
        let many: Vec<Value> = (0..150).map(|number| json!(if number % 2 == 0 { 102 } else { 1 })).collect();
        assert_eq!(refused(many).await, ((0..100).collect(), 150));
    }

    #[test]
    fn objects_are_kept_down_to_the_depth() {
        let items = json!([{"a": {"b": 1, "c": {"d": 1}, "e": [1]}}]);
        let deep: Items<2> = serde_json::from_str(&items.to_string()).unwrap();
        assert_eq!(deep.0, [json!({"a": {"b": 1, "c": {}, "e": []}})]);
    }

    #[test]
    fn flat_items_are_kept_as_they_are() {
        let items =
            json!([{"kind": "a", "n": 1, "f": 1.5, "i": -1, "t": true, "none": null}, "text", 7, null, {}]);
        assert_eq!(read(&items.to_string()), items);
    }

    #[test]
    fn nested_or_surplus_items_are_not_kept() {
        assert_eq!(read(r#"[{"a":[1,[2]],"b":{"c":1}},[1,2]]"#), json!([{"a": [], "b": {}}, []]));
        let many: Map<String, Value> = (0..100).map(|number| (number.to_string(), json!(1))).collect();
        assert_eq!(read(&json!([many]).to_string())[0].as_object().unwrap().len(), MAX_FIELDS);
        let items = format!("[{}1]", "1,".repeat(50_000));
        assert_eq!(read(&items).as_array().unwrap().len(), input_limits::MAX_BULK_ITEMS + 1);
        assert!(serde_json::from_str::<Items>("{}").is_err() && serde_json::from_str::<Items>("[1").is_err());
    }
}
