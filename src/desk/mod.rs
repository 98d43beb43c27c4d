//! What people can do: implements the traits of `domain::desk` with the store and the hints, one file a noun.
