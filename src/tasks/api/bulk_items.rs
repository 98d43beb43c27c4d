//! Reads a list of flat objects from JSON with bounded memory. Without this, 8 MB of JSON could
//! become 250 MB of values.

use domain::input_limits;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use std::fmt;

/// Maximum number of fields kept of an item; a valid item has fewer.
const MAX_FIELDS: usize = 16;

/// Items of a bulk request. At most one item more than the limit is kept. Of each item only scalar
/// values are kept; nested lists and objects are kept empty, which is refused all the same.
#[derive(Debug)]
pub struct Items(pub Vec<Value>);

impl<'de> Deserialize<'de> for Items {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_seq(ListVisitor)
    }
}

struct ListVisitor;

impl<'de> Visitor<'de> for ListVisitor {
    type Value = Items;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Items, A::Error> {
        let mut items = Vec::new();
        while items.len() <= input_limits::MAX_BULK_ITEMS {
            match list.next_element_seed(Shallow { is_item: true })? {
                Some(item) => items.push(item),
                None => return Ok(Items(items)),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Items(items))
    }
}

/// Deserialises an item, or a field of an item.
#[derive(Clone, Copy)]
struct Shallow {
    is_item: bool,
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
        while self.is_item && fields.len() < MAX_FIELDS {
            let Some(name) = object.next_key::<String>()? else { return Ok(Value::Object(fields)) };
            fields.insert(name, object.next_value_seed(Self { is_item: false })?);
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
