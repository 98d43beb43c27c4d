//! Why a sign-in with a provider failed.

use crate::values::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Why a sign-in with a provider failed, or what its test found. A word for programs and addresses; `texts` has
    /// the sentences.
    SignInProblem {
        /// The sign-in took more than ten minutes, was completed already, or began in another browser.
        Expired = "expired",
        /// The person or the provider refused.
        Denied = "denied",
        /// The provider answered with an error.
        ProviderError = "provider_error",
        /// No connection to the provider, or no answer in time.
        Unreachable = "unreachable",
        /// An address of the provider has no https.
        NotEncrypted = "not_encrypted",
        /// The egress rules forbid an address of the provider.
        Blocked = "blocked",
        /// The answer is too long, or not what the protocol asks for.
        Unreadable = "unreadable",
        /// The provider calls itself otherwise.
        WrongIssuer = "wrong_issuer",
        /// The token is for another program.
        WrongAudience = "wrong_audience",
        /// The clocks are apart, or the token has expired.
        Clock = "clock",
        /// The provider has no key with which the token was signed.
        UnknownKey = "unknown_key",
        /// The signature is wrong, or made by a method that is not accepted.
        BadSignature = "bad_signature",
        /// The token belongs to another sign-in.
        WrongNonce = "wrong_nonce",
        /// The provider does not say who the person is, or in which groups.
        MissingClaim = "missing_claim",
        /// The provider refused client id or client secret.
        ClientRefused = "client_refused",
        /// The provider refused the code: it has expired, or the redirect address differs.
        CodeRefused = "code_refused",
        /// No account, and the provider gives none.
        NotInvited = "not_invited",
        /// No account, and the person is not in the group that gives one.
        NotInGroup = "not_in_group",
        /// The invitation was used, withdrawn or has expired.
        InvitationSpent = "invitation_spent",
        /// The account is disabled.
        Disabled = "disabled",
        /// Another account has the e-mail address.
        AddressTaken = "address_taken",
        /// The identity or the account is linked otherwise already.
        LinkedElsewhere = "linked_elsewhere",
        /// Log-ins with a password are switched off.
        PasswordsOff = "passwords_off",
        /// The account has no password: without this identity it could not log in.
        OnlyWay = "only_way",
    }
}

impl SignInProblem {
    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::LinkedElsewhere | Self::OnlyWay | Self::AddressTaken => 409,
            Self::NotInvited | Self::NotInGroup | Self::Disabled | Self::PasswordsOff => 403,
            Self::InvitationSpent => 410,
            _ => 401,
        }
    }
}
