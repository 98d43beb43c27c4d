//! Macro for structs that are read from rows; each field is the column of its name.

/// Defines a struct with `FromRow`. A field marked `flat` is such a struct itself, read from the
/// same row.
///
/// Not derived, because sqlx's derive would compile both drivers, SQLite included, a second time
/// for the host.
macro_rules! row {
    (
        $(#[$about:meta])*
        $seen:vis struct $name:ident {
            $(#[$flat_about:meta])*
            flat $flat_seen:vis $flat:ident: $flat_type:ty,
            $($(#[$field_about:meta])* $field_seen:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        $seen struct $name {
            $(#[$flat_about])*
            $flat_seen $flat: $flat_type,
            $($(#[$field_about])* $field_seen $field: $type,)*
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            $flat_type: sqlx::FromRow<'r, R>,
            $($type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok(Self {
                    $flat: <$flat_type>::from_row(row)?,
                    $($field: row.try_get(stringify!($field))?,)*
                })
            }
        }
    };
    (
        $(#[$about:meta])*
        $seen:vis struct $name:ident {
            $($(#[$field_about:meta])* $field_seen:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        $seen struct $name {
            $($(#[$field_about])* $field_seen $field: $type,)*
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: row.try_get(stringify!($field))?,)* })
            }
        }
    };
}
pub(crate) use row;
