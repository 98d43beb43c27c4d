//! `token`: tokens for the API.

use super::user;
use crate::{config::Config, house::House, trouble::Trouble};
use clap::Subcommand;
use domain::person::Scope;

/// What can be done to tokens.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Make a token, good for a year, and print it alone on standard output; it is shown only now
    Create {
        /// Address of whoever will own it; it may do what they may
        #[arg(long, value_name = "EMAIL")]
        user: String,
        /// What it is for
        #[arg(long, default_value = "command line")]
        name: String,
        /// read (only looks) or write (also changes what its owner may change)
        #[arg(long, default_value = "write", value_parser = scope)]
        scope: Scope,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    text.parse().map_err(|_| "the scopes are read and write".to_owned())
}

/// Does it.
pub async fn run(config: &Config, token: Token) -> Result<(), Trouble> {
    let Token::Create { user, name, scope } = token;
    let house = House::open(config).await?;
    let person = user::find(&house, &user).await?;
    let (_, secret) = house.people.create_token_for(&person.email, &name, scope).await?;
    println!("{secret}");
    house.close().await;
    Ok(())
}
