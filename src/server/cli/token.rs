//! `token`: API tokens.

use super::{require_database, user};
use crate::{
    process::{cli_error::CliError, config::Config},
    server::Server,
};
use clap::Subcommand;
use domain::account::Scope;

/// Commands for tokens.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Create a token, valid for one year, and print only the token on standard output; it is not
    /// shown again
    Create {
        /// E-mail address of the owner; the token has the owner's permissions
        #[arg(long, value_name = "EMAIL")]
        user: String,
        /// Purpose of the token
        #[arg(long, default_value = "command line")]
        name: String,
        /// read (read only), write (may also change what its owner may change) or signal (only sends
        /// signals)
        #[arg(long, default_value = "write", value_parser = scope)]
        scope: Scope,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    text.parse().map_err(|_| "the scopes are read, write and signal".to_owned())
}

/// Runs the command.
pub async fn run(config: &Config, token: Token) -> Result<(), CliError> {
    let Token::Create { user, name, scope } = token;
    require_database(config)?;
    let server = Server::open(config).await?;
    let person = user::find(&server, &user).await?;
    let (_, secret) = server.accounts.create_token_for(&person.email, &name, scope).await?;
    println!("{secret}");
    server.close().await;
    Ok(())
}
