//! Texts of login, set-up, profile, people, API tokens and desk settings.

pub mod groups;
pub mod passkeys;
pub mod saved_views;
pub mod second_factor;
pub mod sign_in;

sets!(accounts: AccountTexts);

impl AccountTexts {
    /// Name of a role.
    #[must_use]
    pub fn role_name(self, role: domain::Role) -> &'static str {
        match role {
            domain::Role::Creator => self.creator(),
            domain::Role::Reviewer => self.reviewer(),
            domain::Role::Admin => self.admin(),
        }
    }
}
