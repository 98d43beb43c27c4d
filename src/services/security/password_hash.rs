//! Password hashes: Argon2id with a fixed cost, in working memory that the caller can reuse.

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::phc::{Output, ParamsString, PasswordHash, Salt},
};

/// Memory of a new hash, KiB.
const MEMORY_KIB: u32 = 32 * 1024;
/// Passes over the memory. With 32 MiB they take 100 ms or more on one core of a small virtual
/// machine.
const PASSES: u32 = 8;
/// Prefix of a hash with the current cost.
const PRESENT_COST: &str = "$argon2id$v=19$m=32768,t=8,p=1$";
/// Maximum memory that a stored hash may require, KiB.
const MEMORY_KIB_MAX: u32 = 128 * 1024;

/// Working memory for hashing. Allocated on first use and reused afterwards.
#[derive(Default)]
pub struct Memory(Vec<Block>);

/// Returns the Argon2id hash of a password with a random salt, as text. Takes 100 ms and 32 MiB:
/// never call it on a thread that serves requests. `None`: the hash could not be computed.
#[must_use]
pub fn hash(password: &str, memory: &mut Memory) -> Option<String> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).ok()?;
    let mut salt = [0; 16];
    rand::fill(&mut salt);
    let output = derive(password, &salt, &params, Params::DEFAULT_OUTPUT_LEN, memory)?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params).ok()?,
        salt: Some(Salt::new(&salt).ok()?),
        hash: Some(output),
    };
    Some(hash.to_string())
}

/// Whether the password matches the hash. As costly as [`hash`].
#[must_use]
pub fn verify(password: &str, hash: &str, memory: &mut Memory) -> bool {
    is_match(password, hash, memory).unwrap_or(false)
}

fn is_match(password: &str, hash: &str, memory: &mut Memory) -> Option<bool> {
    let stored = PasswordHash::new(hash).ok()?;
    let params = Params::try_from(&stored.params).ok()?;
    let (salt, expected) = (stored.salt?, stored.hash?);
    if stored.algorithm != Algorithm::Argon2id.ident() || params.m_cost() > MEMORY_KIB_MAX {
        return None;
    }
    // `Output` compares in constant time.
    Some(derive(password, &salt, &params, expected.len(), memory)? == expected)
}

/// Whether the hash was created with a different cost and should be replaced at the next login.
#[must_use]
pub fn is_outdated(hash: &str) -> bool {
    !hash.starts_with(PRESENT_COST)
}

fn derive(password: &str, salt: &[u8], params: &Params, len: usize, memory: &mut Memory) -> Option<Output> {
    if memory.0.len() < params.block_count() {
        memory.0.resize(params.block_count(), Block::default());
    }
    let mut output = [0; Output::MAX_LENGTH];
    let output = output.get_mut(..len)?;
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone())
        .hash_password_into_with_memory(password.as_bytes(), salt, output, &mut memory.0)
        .ok()?;
    Output::new(output).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_only_its_own_hash() {
        let mut memory = Memory::default();
        let made = hash("correct horse", &mut memory).unwrap();
        assert!(!is_outdated(&made), "{made}");
        assert!(verify("correct horse", &made, &mut memory));
        assert!(!verify("correct hors", &made, &mut memory));
        assert!(!verify("", "not a hash", &mut memory));
    }

    #[test]
    fn a_hash_with_the_former_cost_is_accepted_and_outdated() {
        // Hash of "correct horse" with 19 MiB and two passes.
        let old = argon2::password_hash::PasswordHasher::<PasswordHash>::hash_password(
            &Argon2::default(),
            b"correct horse",
        );
        let old = old.unwrap().to_string();
        assert!(is_outdated(&old) && verify("correct horse", &old, &mut Memory::default()), "{old}");
    }

    #[test]
    fn a_stored_hash_cannot_ask_for_any_amount_of_memory() {
        let greedy =
            "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let mut memory = Memory::default();
        assert!(PasswordHash::new(greedy).is_ok() && !verify("x", greedy, &mut memory));
        assert!(memory.0.is_empty());
    }

    #[test]
    fn memory_is_reused() {
        let mut memory = Memory::default();
        let first = hash("one", &mut memory);
        let place = memory.0.as_ptr();
        let second = hash("one", &mut memory);
        assert!(first != second && place == memory.0.as_ptr());
    }
}
