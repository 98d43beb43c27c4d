//! The link *no more mail from this desk*: it names an address, or the channel of a mail with several
//! recipients, and proves that the desk made it. Nothing of it is stored.

use crate::security::secret_box::SecretBox;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{ChannelId, EmailAddress};
use uuid::Uuid;

/// Begin of the path of the page.
pub const BASE: &str = "/stop-mail/";
/// What the signature is for.
const PLACE: &str = "stop-mail";
/// What the signature of a link of a channel is for, and begin of its last part.
const CHANNEL: &str = "channel";
/// Maximum length of the last part in a request, in bytes.
const MAX_TOKEN_BYTES: usize = 600;

/// A link in a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopLink {
    /// Its address.
    pub url: String,
    /// Whether it names the only recipient. Else the recipient says there who it is.
    pub is_personal: bool,
}

/// Returns the path of the page on which a recipient of a channel asks for no more mail.
#[must_use]
pub fn path_of_channel(vault: &SecretBox, channel: ChannelId) -> String {
    let id = channel.0.simple().to_string();
    format!("{BASE}{CHANNEL}.{id}.{}", vault.sign(CHANNEL, &id))
}

/// Returns the channel that the last part of a path names; `None`: it names none.
#[must_use]
pub fn channel(vault: &SecretBox, token: &str) -> Option<ChannelId> {
    let (id, signature) = token.strip_prefix(CHANNEL)?.strip_prefix('.')?.split_once('.')?;
    let is_own = token.len() <= MAX_TOKEN_BYTES && vault.has_signed(CHANNEL, id, signature);
    is_own.then(|| Uuid::try_parse(id).ok().map(ChannelId)).flatten()
}

/// Returns the path of the page on which the owner of this address asks for no more mail.
#[must_use]
pub fn path(vault: &SecretBox, address: &EmailAddress) -> String {
    let name = URL_SAFE_NO_PAD.encode(address.as_str());
    format!("{BASE}{name}.{}", vault.sign(PLACE, address.as_str()))
}

/// Returns the address that the last part of a path names; `None`: the desk did not make it.
#[must_use]
pub fn address(vault: &SecretBox, token: &str) -> Option<EmailAddress> {
    let (name, signature) = token.split_once('.').filter(|_| token.len() <= MAX_TOKEN_BYTES)?;
    let name = String::from_utf8(URL_SAFE_NO_PAD.decode(name).ok()?).ok()?;
    let is_own = vault.has_signed(PLACE, &name, signature);
    is_own.then(|| EmailAddress::parse(&name).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_for_its_address_and_its_desk_only() {
        let (vault, other) = (SecretBox::generate(), SecretBox::generate());
        let anna = EmailAddress::parse("Anna@münchen.example").unwrap();
        let path = path(&vault, &anna);
        let token = path.strip_prefix(BASE).unwrap();
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)), "{token}");
        assert_eq!(address(&vault, token), Some(anna));
        assert_eq!(address(&other, token), None);
        let ben = URL_SAFE_NO_PAD.encode("ben@example.org");
        let (_, signature) = token.split_once('.').unwrap();
        for forged in [format!("{ben}.{signature}"), token[..token.len() - 1].to_owned(), String::new()] {
            assert_eq!(address(&vault, &forged), None, "{forged}");
        }
    }

    #[test]
    fn a_link_of_a_channel_names_it() {
        let (vault, other) = (SecretBox::generate(), SecretBox::generate());
        let readers = ChannelId(Uuid::now_v7());
        let path = path_of_channel(&vault, readers);
        let token = path.strip_prefix(BASE).unwrap();
        assert_eq!((channel(&vault, token), address(&vault, token)), (Some(readers), None));
        assert_eq!(channel(&other, token), None);
        assert_eq!(channel(&vault, &token.replace("channel.", "channel.0")), None);
    }
}
