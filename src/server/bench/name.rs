//! Names of the driver's tasks: `PREFIX:NUMBER`. The name is encoded in the target id, so that no
//! column is needed.

use uuid::Uuid;

/// Encodes a name as a target id; `None`: the prefix is empty or longer than eight letters.
pub fn target(prefix: &str, number: u64) -> Option<Uuid> {
    let mut bytes = [0; 16];
    let letters = prefix.as_bytes();
    if letters.is_empty() || letters.len() > 8 {
        return None;
    }
    bytes[..letters.len()].copy_from_slice(letters);
    bytes[8..].copy_from_slice(&number.to_be_bytes());
    Some(Uuid::from_bytes(bytes))
}

/// Decodes the name from a target id.
pub fn read(target: Uuid) -> String {
    let (letters, number) = target.as_bytes().split_at(8);
    let prefix = String::from_utf8_lossy(letters);
    let number = number.iter().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
    format!("{}:{number}", prefix.trim_end_matches('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_parsed_back() {
        assert_eq!(target("far", 499_999).map(read).as_deref(), Some("far:499999"));
        assert!(target("", 1).is_none() && target("ninewords", 1).is_none());
    }
}
