//! Texts of the sign-in with providers of OpenID Connect.

use crate::Language;
use domain::accounts::sign_in::SignInProblem;

sets!(accounts: SignInTexts);

/// Why a sign-in failed, as a sentence.
#[must_use]
pub fn problem(language: Language, problem: SignInProblem) -> &'static str {
    let texts = SignInTexts(language);
    match problem {
        SignInProblem::Expired => texts.expired(),
        SignInProblem::Denied => texts.denied(),
        SignInProblem::ProviderError => texts.provider_error(),
        SignInProblem::Unreachable => texts.unreachable(),
        SignInProblem::NotEncrypted => texts.not_encrypted(),
        SignInProblem::Blocked => texts.blocked(),
        SignInProblem::Unreadable => texts.unreadable(),
        SignInProblem::WrongIssuer => texts.wrong_issuer(),
        SignInProblem::WrongAudience => texts.wrong_audience(),
        SignInProblem::Clock => texts.clock(),
        SignInProblem::UnknownKey => texts.unknown_key(),
        SignInProblem::BadSignature => texts.bad_signature(),
        SignInProblem::WrongNonce => texts.wrong_nonce(),
        SignInProblem::MissingClaim => texts.missing_claim(),
        SignInProblem::ClientRefused => texts.client_refused(),
        SignInProblem::CodeRefused => texts.code_refused(),
        SignInProblem::NotInvited => texts.not_invited(),
        SignInProblem::NotInGroup => texts.not_in_group(),
        SignInProblem::InvitationSpent => texts.invitation_spent(),
        SignInProblem::Disabled => texts.disabled(),
        SignInProblem::AddressTaken => texts.address_taken(),
        SignInProblem::LinkedElsewhere => texts.linked_elsewhere(),
        SignInProblem::PasswordsOff => texts.passwords_off(),
        SignInProblem::OnlyWay => texts.only_way(),
    }
}
