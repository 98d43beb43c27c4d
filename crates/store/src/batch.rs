//! Many rows in one parameter for SQLite: a JSON array of arrays, read with `jsonb_each` and `unhex(value ->> n)`.
//! PostgreSQL takes columns and `unnest`. Not with `json_each`: its rows are texts again, parsed anew for each cell.

use crate::StoreError;
use serde::{Serialize, de::DeserializeOwned, ser::Serializer as _};

/// Rows as one JSON text: tuples become arrays of their cells. An identity goes as [`uuid::Uuid::simple`], for `unhex`.
pub(crate) fn pack<T: Serialize>(rows: impl IntoIterator<Item = T>) -> Result<String, StoreError> {
    let mut text = Vec::new();
    serde_json::Serializer::new(&mut text).collect_seq(rows).map_err(unfit)?;
    String::from_utf8(text).map_err(unfit)
}

/// The other way: rows that SQLite packed into one JSON text with `json_group_array(json_array(…))`.
pub(crate) fn unpack<T: DeserializeOwned>(packed: &str) -> Result<Vec<T>, StoreError> {
    serde_json::from_str(packed).map_err(unfit)
}

fn unfit(error: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("packed rows: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn rows_are_arrays_of_cells() -> Result<(), StoreError> {
        assert_eq!(pack([(1, None::<i64>), (2, Some(3))])?, "[[1,null],[2,3]]");
        assert_eq!(pack(["a \"word\"\n"])?, r#"["a \"word\"\n"]"#);
        assert_eq!(pack([(Uuid::nil().simple(),)])?, r#"[["00000000000000000000000000000000"]]"#);
        assert_eq!(unpack::<(i32, String)>(r#"[[1,"a"]]"#)?, [(1, "a".to_owned())]);
        Ok(())
    }
}
