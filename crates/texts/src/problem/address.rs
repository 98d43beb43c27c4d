//! What is wrong with the address of a receiver.

use crate::Language;
use domain::channel::AddressError;

sets!(problem: AddressTexts);

/// What is wrong with an address.
pub fn address_problem(language: Language, why: AddressError) -> &'static str {
    let texts = AddressTexts(language);
    match why {
        AddressError::Unreadable => texts.unreadable(),
        AddressError::NotEncrypted => texts.not_encrypted(),
        AddressError::HoldsPassword => texts.holds_password(),
        AddressError::Port => texts.port(),
        AddressError::Private => texts.private(),
        AddressError::OwnAddress => texts.own(),
        AddressError::NotListed => texts.not_listed(),
        AddressError::NotAHostName => texts.not_a_server(),
        AddressError::NotABroker => texts.not_a_broker(),
        AddressError::Unencrypted => texts.open(),
    }
}
