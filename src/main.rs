//! Verbs: parses, calls, exits.

fn main() {}
