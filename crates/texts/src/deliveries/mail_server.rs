//! Texts of the settings of the mail server.

use domain::channel::Endpoint;

sets!(deliveries: MailServerTexts);

impl MailServerTexts {
    /// Short form of the address of a channel, for lists.
    #[must_use]
    pub fn address(self, endpoint: &Endpoint) -> String {
        match endpoint {
            Endpoint::Mail(route) if route.uses_desk_server() => self.of_desk().to_owned(),
            other => other.address(),
        }
    }
}
