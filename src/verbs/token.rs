//! `token`: tokens for the API.

use super::user;
use crate::{config::Config, house::House, trouble::Trouble};
use clap::Subcommand;

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
    },
}

/// Does it.
pub async fn run(config: &Config, token: Token) -> Result<(), Trouble> {
    let Token::Create { user, name } = token;
    let house = House::open(config).await?;
    let person = user::find(&house, &user).await?;
    let (_, secret) = house.people.create_token_for(&person.email, &name).await?;
    println!("{secret}");
    house.close().await;
    Ok(())
}
