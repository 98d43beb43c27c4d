//! Encodes many rows in one SQLite parameter: a JSON array of arrays, read with `jsonb_each` and
//! `unhex(value ->> n)`. PostgreSQL gets columns and `unnest` instead. Do not use `json_each`: its
//! rows are text that is parsed again for each cell.

use crate::StoreError;
use serde::{Serialize, de::DeserializeOwned, ser::Serializer as _};

/// Encodes rows as one JSON text; tuples become arrays of cells. Pass an id as
/// [`uuid::Uuid::simple`], for `unhex`.
pub(crate) fn encode<T: Serialize>(rows: impl IntoIterator<Item = T>) -> Result<String, StoreError> {
    let mut text = Vec::new();
    serde_json::Serializer::new(&mut text).collect_seq(rows).map_err(corrupt)?;
    String::from_utf8(text).map_err(corrupt)
}

/// Collects one column of the rows, for `unnest` on PostgreSQL.
pub(crate) fn column<'r, R, T>(rows: &'r [R], of: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// Decodes rows that SQLite encoded with `json_group_array(json_array(…))`.
pub(crate) fn decode<T: DeserializeOwned>(packed: &str) -> Result<Vec<T>, StoreError> {
    serde_json::from_str(packed).map_err(corrupt)
}

fn corrupt(error: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("JSON rows: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn rows_are_arrays_of_cells() -> Result<(), StoreError> {
        assert_eq!(encode([(1, None::<i64>), (2, Some(3))])?, "[[1,null],[2,3]]");
        assert_eq!(encode(["a \"word\"\n"])?, r#"["a \"word\"\n"]"#);
        assert_eq!(encode([(Uuid::nil().simple(),)])?, r#"[["00000000000000000000000000000000"]]"#);
        assert_eq!(decode::<(i32, String)>(r#"[[1,"a"]]"#)?, [(1, "a".to_owned())]);
        Ok(())
    }
}
