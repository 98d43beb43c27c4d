//! Encryption of secrets at rest: AES-256-GCM, each bound to the place where it is stored.
//!
//! The data key is random and stored in SQL, so that all nodes of a database share it. It is
//! encrypted with a master key: `--secret-key`, or with SQLite the file `DATA/secret.key`.
//! PostgreSQL without `--secret-key` stores it unencrypted: then everybody who can read the
//! database can read the secrets.

use crate::process::{cli_error::CliError, config::Config, private};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
};
use sha2::{Digest, Sha256};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
};
use store::{PoolRole, Store, StoreError, setting};
use subtle::ConstantTimeEq as _;

/// Length of a key, bytes.
const KEY: usize = 32;
/// Name of the SQL setting that holds the data key.
const SETTING: &str = "secret.key";
/// Place to which the encrypted data key is bound.
const PLACE: &str = "setting/secret.key";
const OPEN: &str = "open:";
const WRAPPED: &str = "wrapped:";

/// Encrypts and decrypts secrets.
pub struct SecretBox([u8; KEY]);

impl std::fmt::Debug for SecretBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretBox(…)")
    }
}

impl SecretBox {
    /// Generates a key that is not stored: for tests, and until the stored key is loaded.
    #[must_use]
    pub fn generate() -> Self {
        let mut key = [0; KEY];
        rand::fill(&mut key);
        Self(key)
    }

    /// Derives a key from a long text.
    fn from_text(text: &str) -> Self {
        Self(Sha256::digest(format!("presstime master key\n{}", text.trim()).as_bytes()).into())
    }

    /// Encrypts a secret for one place. `None`: the encryption failed.
    #[must_use]
    pub fn seal(&self, place: &str, secret: &[u8]) -> Option<String> {
        let mut nonce = [0; NONCE_LEN];
        rand::fill(&mut nonce);
        let mut sealed = secret.to_vec();
        let at = Nonce::assume_unique_for_key(nonce);
        self.key()?.seal_in_place_append_tag(at, Aad::from(place), &mut sealed).ok()?;
        Some(STANDARD.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// Decrypts what was encrypted for `place`; `None`: another key, another place, or modified
    /// data.
    #[must_use]
    pub fn open(&self, place: &str, sealed: &str) -> Option<Vec<u8>> {
        let sealed = STANDARD.decode(sealed).ok()?;
        let (nonce, body) = sealed.split_at_checked(NONCE_LEN)?;
        let at = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = body.to_vec();
        let secret = self.key()?.open_in_place(at, Aad::from(place), &mut body).ok()?;
        Some(secret.to_vec())
    }

    /// Signs a text for one place; returns the signature in hex.
    #[must_use]
    pub fn sign(&self, place: &str, text: &str) -> String {
        let tag = hmac::sign(&self.signing_key(), format!("{place}\n{text}").as_bytes());
        tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether the signature was made by [`SecretBox::sign`] for this place and text.
    #[must_use]
    pub fn has_signed(&self, place: &str, text: &str, signature: &str) -> bool {
        bool::from(self.sign(place, text).as_bytes().ct_eq(signature.as_bytes()))
    }

    /// Derives the signing key, which differs from the encryption key.
    fn signing_key(&self) -> hmac::Key {
        let key = Sha256::digest([b"presstime signing key\n".as_slice(), &self.0].concat());
        hmac::Key::new(hmac::HMAC_SHA256, &key)
    }

    fn key(&self) -> Option<LessSafeKey> {
        UnboundKey::new(&AES_256_GCM, &self.0).ok().map(LessSafeKey::new)
    }

    fn wrapped(&self, master: Option<&Self>) -> Option<String> {
        match master {
            Some(master) => Some(format!("{WRAPPED}{}", master.seal(PLACE, &self.0)?)),
            None => Some(format!("{OPEN}{}", STANDARD.encode(self.0))),
        }
    }

    /// Decrypts the stored data key with the first master key that fits. Also returns whether that
    /// is the first of all.
    fn unwrapped(kept: &str, masters: &[Self]) -> Option<(Self, bool)> {
        let whole = |bytes: Vec<u8>| bytes.try_into().ok().map(Self);
        if let Some(open) = kept.strip_prefix(OPEN) {
            return Some((whole(STANDARD.decode(open).ok()?)?, masters.is_empty()));
        }
        let sealed = kept.strip_prefix(WRAPPED)?;
        let mut tries = masters.iter().map(|master| master.open(PLACE, sealed));
        let place = tries.position(|opened| opened.is_some())?;
        Some((whole(masters[place].open(PLACE, sealed)?)?, place == 0))
    }
}

/// Loads the data key of this database. Generates it at the first start, and encrypts it again if
/// the master key changed.
pub async fn open(store: &Store, config: &Config) -> Result<SecretBox, CliError> {
    let masters = masters(config)?;
    let weak = || CliError::Broken("secrets cannot be encrypted on this machine".to_owned());
    let fresh = SecretBox::generate();
    let kept = keep_first(store, &fresh.wrapped(masters.first()).ok_or_else(weak)?).await?;
    let (vault, is_current) = SecretBox::unwrapped(&kept, &masters).ok_or(CliError::SecretKey)?;
    if !is_current {
        let wrapped = vault.wrapped(masters.first()).ok_or_else(weak)?;
        let mut tx = store.begin(PoolRole::Web).await?;
        setting::put(tx.conn(), SETTING, &wrapped).await?;
        tx.commit().await?;
    }
    Ok(vault)
}

/// Checks whether [`open`] would find the right key; writes nothing.
pub async fn examine(store: &Store, config: &Config) -> Result<(), CliError> {
    let kept = setting::find(store.read(PoolRole::Web).await?.conn(), SETTING).await?;
    let Some(kept) = kept else { return Ok(()) };
    let masters: Vec<SecretBox> = given(config).into_iter().chain(in_folder(config)?).collect();
    SecretBox::unwrapped(&kept, &masters).map(drop).ok_or(CliError::SecretKey)
}

/// Stores the value unless there is one already; returns the stored one.
async fn keep_first(store: &Store, value: &str) -> Result<String, StoreError> {
    let mut lease = store.read(PoolRole::Web).await?;
    if let Some(kept) = setting::find(lease.conn(), SETTING).await? {
        return Ok(kept);
    }
    drop(lease);
    let mut tx = store.begin(PoolRole::Web).await?;
    let kept = setting::put_if_absent(tx.conn(), SETTING, value).await?;
    tx.commit().await?;
    Ok(kept)
}

/// Returns the master keys; the first one is used for encryption.
fn masters(config: &Config) -> Result<Vec<SecretBox>, CliError> {
    let given = given(config);
    if config.is_postgres() {
        return Ok(given.into_iter().collect());
    }
    private::prepare_folder(&config.data)?;
    let kept = match (in_folder(config)?, &given) {
        (None, None) => {
            let path = key_file(config);
            let text = write_key(&path).map_err(|why| CliError::DataFolder { path, why })?;
            Some(SecretBox::from_text(&text))
        }
        (kept, _) => kept,
    };
    Ok(given.into_iter().chain(kept).collect())
}

/// The master key from `--secret-key`.
fn given(config: &Config) -> Option<SecretBox> {
    config.secret_key.as_ref().map(|key| SecretBox::from_text(&key.0))
}

/// The master key in the data folder; `None` with PostgreSQL.
fn in_folder(config: &Config) -> Result<Option<SecretBox>, CliError> {
    let path = key_file(config);
    match std::fs::read_to_string(&path) {
        _ if config.is_postgres() => Ok(None),
        Ok(text) => Ok(Some(SecretBox::from_text(&text))),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(CliError::DataFolder { path, why }),
    }
}

fn key_file(config: &Config) -> PathBuf {
    config.data.join("secret.key")
}

/// Writes a new key that only its owner can read. If another process was first, reads that key.
fn write_key(path: &Path) -> std::io::Result<String> {
    let text = crate::security::tokens::generate_secret();
    // Written under a temporary name first, so that a process that starts at the same time does not
    // read half a key.
    let new = path.with_extension(format!("new-{}", uuid::Uuid::now_v7().simple()));
    write_new(&new, &text)?;
    let linked = std::fs::hard_link(&new, path);
    std::fs::remove_file(&new)?;
    match linked {
        Ok(()) => Ok(text),
        Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => std::fs::read_to_string(path),
        // The file system has no hard links.
        Err(_) => write_new(path, &text).map(|()| text),
    }
}

/// Creates a file that only its owner can read. Fails if the file exists.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = private::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_decrypted_only_in_its_own_context() {
        let (vault, other) = (SecretBox::generate(), SecretBox::generate());
        let sealed = vault.seal("channel/1", b"whsec_x").unwrap();
        assert!(!sealed.contains("whsec"));
        assert_eq!(vault.open("channel/1", &sealed).as_deref(), Some(b"whsec_x".as_slice()));
        assert_eq!(vault.open("channel/2", &sealed), None);
        assert_eq!(other.open("channel/1", &sealed), None);
        assert_eq!(vault.open("channel/1", &sealed[4..]), None);
        assert_ne!(vault.seal("channel/1", b"whsec_x"), Some(sealed));
    }

    #[test]
    fn a_key_is_unwrapped_with_any_master_key_and_reports_whether_it_is_current() {
        let key = SecretBox::generate();
        let (old, new) = (SecretBox::from_text("old"), SecretBox::from_text("new"));
        let kept = key.wrapped(Some(&old)).unwrap();
        let opened = |masters: &[SecretBox]| {
            SecretBox::unwrapped(&kept, masters).map(|(vault, first)| (vault.0, first))
        };
        assert_eq!(opened(&[SecretBox::from_text("old\n")]), Some((key.0, true)));
        assert_eq!(opened(&[new, old]), Some((key.0, false)));
        assert_eq!(opened(&[]), None);
        let open = key.wrapped(None).unwrap();
        assert!(SecretBox::unwrapped(&open, &[]).is_some_and(|(_, is_current)| is_current));
        assert!(
            SecretBox::unwrapped(&open, &[SecretBox::from_text("new")])
                .is_some_and(|(_, is_current)| !is_current)
        );
    }
}
