//! Encryption of secrets at rest: AES-256-GCM, each bound to the place where it is stored.
//!
//! The data key is random and stored in SQL, so that all nodes of a database share it. It is
//! encrypted with a master key: `--secret-key`, or with SQLite the file `DATA/secret.key`.
//! PostgreSQL without `--secret-key` stores it unencrypted: then everybody who can read the
//! database can read the secrets. [`super::rotation`] replaces the data key and encrypts all secrets again.

use super::key_files;
use crate::process::{cli_error::CliError, config::Config, private};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use store::{Conn, PoolRole, Store, StoreError, Tx, setting};
use subtle::ConstantTimeEq as _;

/// Length of a key, bytes.
const KEY: usize = 32;
/// Name of the SQL setting that holds the data key.
const SETTING: &str = "secret.key";
/// Place to which the encrypted data key is bound.
const PLACE: &str = "setting/secret.key";
/// Name of the SQL setting that holds the signing key, encrypted, after the data key was replaced: links
/// that were signed before stay valid.
const SIGNING: &str = "secret.signing";
/// Place to which the encrypted signing key is bound.
const SIGNING_PLACE: &str = "setting/secret.signing";
const OPEN: &str = "open:";
const WRAPPED: &str = "wrapped:";

/// Encrypts and decrypts secrets.
pub struct SecretBox {
    key: [u8; KEY],
    signing: [u8; KEY],
}

impl std::fmt::Debug for SecretBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretBox(…)")
    }
}

impl SecretBox {
    /// Derives the signing key from the key: they differ.
    fn new(key: [u8; KEY]) -> Self {
        let signing = Sha256::digest([b"presstime signing key\n".as_slice(), &key].concat()).into();
        Self { key, signing }
    }

    /// Generates a key that is not stored: for tests, and until the stored key is loaded.
    #[must_use]
    pub fn generate() -> Self {
        let mut key = [0; KEY];
        rand::fill(&mut key);
        Self::new(key)
    }

    /// Derives a key from a long text.
    pub(super) fn from_text(text: &str) -> Self {
        Self::new(Sha256::digest(format!("presstime master key\n{}", text.trim()).as_bytes()).into())
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

    fn signing_key(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, &self.signing)
    }

    /// Generates another key that signs as this one does.
    pub(super) fn successor(&self) -> Self {
        Self { signing: self.signing, ..Self::generate() }
    }

    /// Encrypts the signing key. `None`: the encryption failed.
    fn sealed_signing_key(&self) -> Option<String> {
        self.seal(SIGNING_PLACE, &self.signing)
    }

    /// Signs with the stored signing key, if there is one.
    async fn with_stored_signing_key(mut self, conn: Conn<'_>) -> Result<Self, CliError> {
        if let Some(sealed) = setting::find(conn, SIGNING).await? {
            let stored: Option<[u8; KEY]> =
                self.open(SIGNING_PLACE, &sealed).and_then(|key| key.try_into().ok());
            self.signing = stored.ok_or(CliError::SecretKey)?;
        }
        Ok(self)
    }

    fn key(&self) -> Option<LessSafeKey> {
        UnboundKey::new(&AES_256_GCM, &self.key).ok().map(LessSafeKey::new)
    }

    /// Encrypts the data key with a master key. `None`: the encryption failed.
    fn wrapped(&self, master: Option<&Self>) -> Option<String> {
        match master {
            Some(master) => Some(format!("{WRAPPED}{}", master.seal(PLACE, &self.key)?)),
            None => Some(format!("{OPEN}{}", STANDARD.encode(self.key))),
        }
    }

    /// Decrypts the stored data key with the first master key that fits. Also returns whether that
    /// is the first of all.
    fn unwrapped(kept: &str, masters: &[Self]) -> Option<(Self, bool)> {
        let whole = |bytes: Vec<u8>| bytes.try_into().ok().map(Self::new);
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
    loop {
        if let Some(vault) = open_unchanged(store, config).await? {
            return Ok(vault);
        }
    }
}

/// Like [`open`]; `None`: another process changed the stored key in the meantime.
async fn open_unchanged(store: &Store, config: &Config) -> Result<Option<SecretBox>, CliError> {
    let before = setting::find(store.read(PoolRole::Web).await?.conn(), SETTING).await?;
    if let Some(kept) = &before {
        settle(config, kept)?;
    }
    let masters = masters(config)?;
    let weak = || CliError::Broken("secrets cannot be encrypted on this machine".to_owned());
    let fresh = SecretBox::generate();
    let mut kept = keep_first(store, &fresh.wrapped(masters.first()).ok_or_else(weak)?).await?;
    let (vault, is_current) = match SecretBox::unwrapped(&kept, &masters) {
        Some(found) => found,
        // The key file is that of the former key.
        None if before.as_ref() != Some(&kept) => return Ok(None),
        None => return Err(CliError::SecretKey),
    };
    if !is_current {
        let wrapped = vault.wrapped(masters.first()).ok_or_else(weak)?;
        let mut tx = store.begin(PoolRole::Web).await?;
        let is_unchanged = setting::replace(tx.conn(), SETTING, (&kept, &wrapped)).await?;
        tx.commit().await?;
        if !is_unchanged {
            return Ok(None);
        }
        kept = wrapped;
    }
    load_signing_key(store, vault, &kept).await
}

/// Whether the secrets are still encrypted with this key. A node asks after its first heartbeat: from then on
/// the secrets are not encrypted again.
pub async fn is_current(store: &Store, config: &Config, vault: &SecretBox) -> Result<bool, CliError> {
    let mut tx = store.begin(PoolRole::Web).await?;
    let stored = current(&mut tx, config, None).await?;
    tx.commit().await?;
    Ok(stored.key == vault.key)
}

/// Returns the key with the signing key of this database; `None`: `kept`, the stored data key, was replaced
/// meanwhile, and the two may be of different generations.
async fn load_signing_key(
    store: &Store,
    vault: SecretBox,
    kept: &str,
) -> Result<Option<SecretBox>, CliError> {
    let mut lease = store.read(PoolRole::Web).await?;
    let signing = vault.with_stored_signing_key(lease.conn()).await;
    let still_kept = setting::find(lease.conn(), SETTING).await?;
    if still_kept.as_deref() == Some(kept) { signing.map(Some) } else { Ok(None) }
}

/// Makes the next key file the current one if `kept`, the stored data key, is encrypted with it. Returns
/// where the former file is then; `None`: there is none.
pub(super) fn settle(config: &Config, kept: &str) -> Result<Option<PathBuf>, CliError> {
    let is_used = |text: &str| {
        kept.starts_with(WRAPPED) && SecretBox::unwrapped(kept, &[SecretBox::from_text(text)]).is_some()
    };
    key_files::settle(config, is_used)
}

/// Returns the data key in this transaction, and lets other changes of it wait for the transaction. `former`:
/// a master key that also fits.
pub(super) async fn current(
    tx: &mut Tx,
    config: &Config,
    former: Option<SecretBox>,
) -> Result<SecretBox, CliError> {
    let nothing = || CliError::Failed("nothing is encrypted yet: start the server once".to_owned());
    setting::lock(tx.conn(), SETTING).await?;
    let kept = setting::find(tx.conn(), SETTING).await?.ok_or_else(nothing)?;
    settle(config, &kept)?;
    let masters: Vec<SecretBox> = given(config).into_iter().chain(in_folder(config)?).chain(former).collect();
    let (vault, _) = SecretBox::unwrapped(&kept, &masters).ok_or(CliError::SecretKey)?;
    vault.with_stored_signing_key(tx.conn()).await
}

/// Stores the data key, encrypted with a master key, and its signing key. Returns what is stored of the data
/// key.
pub(super) async fn put(
    tx: &mut Tx,
    vault: &SecretBox,
    master: Option<&SecretBox>,
) -> Result<String, CliError> {
    let weak = || CliError::Broken("secrets cannot be encrypted on this machine".to_owned());
    let kept = vault.wrapped(master).ok_or_else(weak)?;
    setting::put(tx.conn(), SETTING, &kept).await?;
    setting::put(tx.conn(), SIGNING, &vault.sealed_signing_key().ok_or_else(weak)?).await?;
    Ok(kept)
}

/// Lets the next start use the former key file with which the secrets of this restored database are
/// encrypted. Returns its path; `None`: the current key fits, or none does.
pub async fn adopt_former_key(store: &Store, config: &Config) -> Result<Option<PathBuf>, CliError> {
    let kept = setting::find(store.read(PoolRole::Web).await?.conn(), SETTING).await?;
    let Some(kept) = kept.filter(|kept| kept.starts_with(WRAPPED)) else { return Ok(None) };
    let masters: Vec<SecretBox> = given(config).into_iter().chain(in_folder(config)?).collect();
    if config.is_postgres() || SecretBox::unwrapped(&kept, &masters).is_some() {
        return Ok(None);
    }
    key_files::adopt_former(config, |text| {
        SecretBox::unwrapped(&kept, &[SecretBox::from_text(text)]).is_some()
    })
}

/// Checks whether [`open`] would find the right key; writes nothing.
pub async fn examine(store: &Store, config: &Config) -> Result<(), CliError> {
    let kept = setting::find(store.read(PoolRole::Web).await?.conn(), SETTING).await?;
    let Some(kept) = kept else { return Ok(()) };
    // The next key is that of a rotation which ended after its commit.
    let next = key_files::next_text(config)?.map(|text| SecretBox::from_text(&text));
    let masters: Vec<SecretBox> = given(config).into_iter().chain(in_folder(config)?).chain(next).collect();
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
            let path = key_files::current(config);
            let text = key_files::create(&path).map_err(|why| CliError::DataFolder { path, why })?;
            Some(SecretBox::from_text(&text))
        }
        (kept, _) => kept,
    };
    Ok(given.into_iter().chain(kept).collect())
}

/// The master key from `--secret-key`.
pub(super) fn given(config: &Config) -> Option<SecretBox> {
    config.secret_key.as_ref().map(|key| SecretBox::from_text(&key.0))
}

/// The master key in the data folder; `None` with PostgreSQL.
fn in_folder(config: &Config) -> Result<Option<SecretBox>, CliError> {
    let path = key_files::current(config);
    match std::fs::read_to_string(&path) {
        _ if config.is_postgres() => Ok(None),
        Ok(text) => Ok(Some(SecretBox::from_text(&text))),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(CliError::DataFolder { path, why }),
    }
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
            SecretBox::unwrapped(&kept, masters).map(|(vault, first)| (vault.key, first))
        };
        assert_eq!(opened(&[SecretBox::from_text("old\n")]), Some((key.key, true)));
        assert_eq!(opened(&[new, old]), Some((key.key, false)));
        assert_eq!(opened(&[]), None);
        let open = key.wrapped(None).unwrap();
        assert!(SecretBox::unwrapped(&open, &[]).is_some_and(|(_, is_current)| is_current));
        assert!(
            SecretBox::unwrapped(&open, &[SecretBox::from_text("new")])
                .is_some_and(|(_, is_current)| !is_current)
        );
    }
}
