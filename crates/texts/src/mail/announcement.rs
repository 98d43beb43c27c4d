//! What a notification of an event says, in a mail and in the app.

sets!(mail: AnnouncementWords);

impl AnnouncementWords {
    /// What was done with the access of the account, and what to do if it was someone else.
    pub fn access(self, verb: &str, [browser, address, name]: [&str; 3], moment: &str) -> String {
        let text = match verb {
            // This was nothing that the account did.
            "token_expires" => return self.token_expires(name, moment),
            "log_in" => self.new_browser(browser, address, moment),
            "add_second_factor" => self.factor_added(moment),
            "remove_second_factor" => self.factor_removed(moment),
            "reset_second_factor" => self.factor_reset(moment),
            "renew_recovery_codes" => self.codes_renewed(moment),
            "use_recovery_code" => self.code_used(moment),
            "add_passkey" => self.passkey_added(moment),
            "remove_passkey" => self.passkey_removed(moment),
            "reset_passkeys" => self.passkeys_reset(moment),
            "turn_password_off" => self.password_off(moment),
            "turn_password_on" => self.password_on(moment),
            "create_token" => self.token_created(name, moment),
            "link_identity" => self.identity_linked(name, moment),
            "unlink_identity" => self.identity_removed(moment),
            _ => self.password_changed(moment),
        };
        format!("{text}\n{}", self.not_you())
    }
}
