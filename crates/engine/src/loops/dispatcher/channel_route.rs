//! Where a channel sends. Mail channels without a server of their own use the mail server of the desk.

use domain::{
    ChannelId, Timestamp,
    channel::{ChannelState, Endpoint, MAIL_SERVER},
};
use store::{
    Conn, StoreError,
    dispatch::{self, ChannelQueue, DeskMailServer},
};

/// Result of an attempt through the mail server of the desk if there is none.
pub(super) const NO_DESK_SERVER: &str =
    "the desk has no mail server; set one in Settings, Mail, or give the channel its own";

/// The mail server of the desk, read once in a round for all channels that use it.
#[derive(Default)]
pub(super) struct DeskServer(Option<Option<DeskMailServer>>);

impl DeskServer {
    /// Returns the mail server; `None`: the desk has none.
    async fn find(&mut self, conn: Conn<'_>) -> Result<Option<&DeskMailServer>, StoreError> {
        if self.0.is_none() {
            self.0 = Some(dispatch::desk_mail_server(conn).await?);
        }
        Ok(self.0.as_ref().and_then(Option::as_ref))
    }
}

/// Where a channel sends, and the secrets for it.
pub(super) struct ChannelRoute {
    /// `None`: the settings cannot be read.
    pub endpoint: Option<Endpoint>,
    /// Channel whose secrets these are.
    pub owner: ChannelId,
    /// Encrypted, the current one first.
    pub sealed: Vec<String>,
}

impl ChannelRoute {
    /// Finds where the channel sends. A desk without a mail server leaves the endpoint without one. `None`: the
    /// mail server of the desk is paused, so the channel waits.
    pub async fn find(
        conn: Conn<'_>,
        (queue, desk): (&ChannelQueue, &mut DeskServer),
        now: Timestamp,
    ) -> Result<Option<Self>, StoreError> {
        let endpoint: Option<Endpoint> = serde_json::from_str(&queue.endpoint).ok();
        let own = match endpoint {
            Some(Endpoint::Mail(own)) if own.uses_desk_server() => own,
            endpoint => return Ok(Some(Self::own(queue, endpoint, now))),
        };
        let Some(server) = desk.find(conn).await? else {
            let endpoint = Some(Endpoint::Mail(own));
            return Ok(Some(Self { endpoint, owner: MAIL_SERVER, sealed: Vec::new() }));
        };
        if server.state != ChannelState::Active.as_str() {
            return Ok(None);
        }
        let endpoint = match serde_json::from_str(&server.endpoint) {
            Ok(Endpoint::Mail(desk)) => Some(Endpoint::Mail(own.sent_by(desk))),
            _ => None,
        };
        Ok(Some(Self { endpoint, owner: MAIL_SERVER, sealed: server.secret.iter().cloned().collect() }))
    }

    /// The route of a channel that has its own settings.
    fn own(queue: &ChannelQueue, endpoint: Option<Endpoint>, now: Timestamp) -> Self {
        let former = queue
            .previous_secret
            .as_ref()
            .filter(|_| queue.previous_valid_until.is_some_and(|at| at > now.millis()));
        let sealed = queue.secret.iter().chain(former).cloned().collect();
        Self { endpoint, owner: ChannelId(queue.id), sealed }
    }
}
