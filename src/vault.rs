//! Secrets at rest: sealed with AES-256-GCM, each bound to the place where it is kept.
//!
//! The key that seals them is random and lives in SQL, so that every node of one database has it. There it is wrapped in a
//! master key: `--secret-key`, or with SQLite the file `DATA/secret.key`. PostgreSQL without `--secret-key` keeps it
//! unwrapped: then whoever can read the database can read the secrets.

use crate::{config::Config, house, private, trouble::Trouble};
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
use store::{Store, StoreError, Who, setting};
use subtle::ConstantTimeEq as _;

/// Length of a key, bytes.
const KEY: usize = 32;
/// Where the key is kept in SQL.
const SETTING: &str = "secret.key";
/// What it is bound to there.
const PLACE: &str = "setting/secret.key";
const OPEN: &str = "open:";
const WRAPPED: &str = "wrapped:";

/// Seals and opens secrets.
pub struct Vault([u8; KEY]);

impl std::fmt::Debug for Vault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vault(…)")
    }
}

impl Vault {
    /// A vault with a key of its own that is kept nowhere: for tests, and until the house is open.
    #[must_use]
    pub fn fresh() -> Self {
        let mut key = [0; KEY];
        rand::fill(&mut key);
        Self(key)
    }

    /// The vault whose key is derived from a long text.
    fn of_text(text: &str) -> Self {
        Self(Sha256::digest(format!("presstime master key\n{}", text.trim()).as_bytes()).into())
    }

    /// The secret so that only this vault can read it, and only as the one of `place`. `None`: the machine cannot.
    #[must_use]
    pub fn seal(&self, place: &str, secret: &[u8]) -> Option<String> {
        let mut nonce = [0; NONCE_LEN];
        rand::fill(&mut nonce);
        let mut sealed = secret.to_vec();
        let at = Nonce::assume_unique_for_key(nonce);
        self.key()?.seal_in_place_append_tag(at, Aad::from(place), &mut sealed).ok()?;
        Some(STANDARD.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// What was sealed for `place`; `None`: it was sealed by another vault, for another place, or was changed.
    #[must_use]
    pub fn open(&self, place: &str, sealed: &str) -> Option<Vec<u8>> {
        let sealed = STANDARD.decode(sealed).ok()?;
        let (nonce, body) = sealed.split_at_checked(NONCE_LEN)?;
        let at = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = body.to_vec();
        let secret = self.key()?.open_in_place(at, Aad::from(place), &mut body).ok()?;
        Some(secret.to_vec())
    }

    /// A signature of the text in hex, good as the one of `place` alone.
    #[must_use]
    pub fn sign(&self, place: &str, text: &str) -> String {
        let tag = hmac::sign(&self.signing_key(), format!("{place}\n{text}").as_bytes());
        tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether [`Vault::sign`] made this signature of the text.
    #[must_use]
    pub fn has_signed(&self, place: &str, text: &str, signature: &str) -> bool {
        bool::from(self.sign(place, text).as_bytes().ct_eq(signature.as_bytes()))
    }

    /// The key of signatures: not the one that seals.
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

    /// The key as it was kept, opened with the first of `masters` that fits, and whether that is the first of all.
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

/// The vault of this database: its key is made at the first time, and wrapped anew when there is another master key.
pub async fn open(store: &Store, config: &Config) -> Result<Vault, Trouble> {
    let masters = masters(config)?;
    let weak = || Trouble::Broken("this machine cannot seal secrets".to_owned());
    let fresh = Vault::fresh();
    let kept = keep_first(store, &fresh.wrapped(masters.first()).ok_or_else(weak)?).await?;
    let (vault, is_current) = Vault::unwrapped(&kept, &masters).ok_or(Trouble::SecretKey)?;
    if !is_current {
        let wrapped = vault.wrapped(masters.first()).ok_or_else(weak)?;
        let mut tx = store.begin(Who::People).await?;
        setting::put(tx.conn(), SETTING, &wrapped).await?;
        tx.commit().await?;
    }
    Ok(vault)
}

/// Says whether [`open`] would find the right key; writes nothing.
pub async fn examine(store: &Store, config: &Config) -> Result<(), Trouble> {
    let kept = setting::find(store.read(Who::People).await?.conn(), SETTING).await?;
    let Some(kept) = kept else { return Ok(()) };
    let masters: Vec<Vault> = given(config).into_iter().chain(in_folder(config)?).collect();
    Vault::unwrapped(&kept, &masters).map(drop).ok_or(Trouble::SecretKey)
}

/// Keeps the value unless there is one already; returns the one that is kept.
async fn keep_first(store: &Store, value: &str) -> Result<String, StoreError> {
    let mut lease = store.read(Who::People).await?;
    if let Some(kept) = setting::find(lease.conn(), SETTING).await? {
        return Ok(kept);
    }
    drop(lease);
    let mut tx = store.begin(Who::People).await?;
    let kept = setting::put_first(tx.conn(), SETTING, value).await?;
    tx.commit().await?;
    Ok(kept)
}

/// The master keys, the one to wrap with first.
fn masters(config: &Config) -> Result<Vec<Vault>, Trouble> {
    let given = given(config);
    if config.is_postgres() {
        return Ok(given.into_iter().collect());
    }
    house::prepare_folder(&config.data)?;
    let kept = match (in_folder(config)?, &given) {
        (None, None) => {
            let path = key_file(config);
            let text = write_key(&path).map_err(|why| Trouble::DataFolder { path, why })?;
            Some(Vault::of_text(&text))
        }
        (kept, _) => kept,
    };
    Ok(given.into_iter().chain(kept).collect())
}

/// The master key of `--secret-key`.
fn given(config: &Config) -> Option<Vault> {
    config.secret_key.as_ref().map(|key| Vault::of_text(&key.0))
}

/// The one in the data folder; none beside PostgreSQL.
fn in_folder(config: &Config) -> Result<Option<Vault>, Trouble> {
    let path = key_file(config);
    match std::fs::read_to_string(&path) {
        _ if config.is_postgres() => Ok(None),
        Ok(text) => Ok(Some(Vault::of_text(&text))),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(Trouble::DataFolder { path, why }),
    }
}

fn key_file(config: &Config) -> PathBuf {
    config.data.join("secret.key")
}

/// Writes a fresh key for its owner alone; if another process was first, reads its key.
fn write_key(path: &Path) -> std::io::Result<String> {
    let text = crate::secret::fresh();
    // Written whole under another name first: a process that starts at the same moment must not read half a key.
    let new = path.with_extension(format!("new-{}", uuid::Uuid::now_v7().simple()));
    write_new(&new, &text)?;
    let linked = std::fs::hard_link(&new, path);
    std::fs::remove_file(&new)?;
    match linked {
        Ok(()) => Ok(text),
        Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => std::fs::read_to_string(path),
        // A file system without hard links.
        Err(_) => write_new(path, &text).map(|()| text),
    }
}

/// Writes a file that is not there yet, for its owner alone.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = private::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_in_its_place_only() {
        let (vault, other) = (Vault::fresh(), Vault::fresh());
        let sealed = vault.seal("channel/1", b"whsec_x").unwrap();
        assert!(!sealed.contains("whsec"));
        assert_eq!(vault.open("channel/1", &sealed).as_deref(), Some(b"whsec_x".as_slice()));
        assert_eq!(vault.open("channel/2", &sealed), None);
        assert_eq!(other.open("channel/1", &sealed), None);
        assert_eq!(vault.open("channel/1", &sealed[4..]), None);
        assert_ne!(vault.seal("channel/1", b"whsec_x"), Some(sealed));
    }

    #[test]
    fn the_key_opens_with_any_master_and_says_whether_it_was_the_first() {
        let key = Vault::fresh();
        let (old, new) = (Vault::of_text("old"), Vault::of_text("new"));
        let kept = key.wrapped(Some(&old)).unwrap();
        let opened =
            |masters: &[Vault]| Vault::unwrapped(&kept, masters).map(|(vault, first)| (vault.0, first));
        assert_eq!(opened(&[Vault::of_text("old\n")]), Some((key.0, true)));
        assert_eq!(opened(&[new, old]), Some((key.0, false)));
        assert_eq!(opened(&[]), None);
        let open = key.wrapped(None).unwrap();
        assert!(Vault::unwrapped(&open, &[]).is_some_and(|(_, is_current)| is_current));
        assert!(Vault::unwrapped(&open, &[Vault::of_text("new")]).is_some_and(|(_, is_current)| !is_current));
    }
}
