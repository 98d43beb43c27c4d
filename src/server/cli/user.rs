//! `user`: accounts from the command line.

use super::{operator, require_database};
use crate::{
    process::{
        cli_error::CliError,
        config::{Config, LinkFlags},
        sanitize::sanitize,
    },
    server::Server,
};
use clap::Subcommand;
use domain::{
    Actor, Role,
    account::{Account, NewAccount},
};
use std::io::Read as _;

/// Commands for accounts.
#[derive(Debug, Subcommand)]
pub enum User {
    /// Add an account, with the password on standard input; works before setup
    Add {
        /// E-mail address for the login
        #[arg(long)]
        email: String,
        /// Display name
        #[arg(long)]
        name: String,
        /// creator, reviewer or admin
        #[arg(long, value_parser = role)]
        role: Role,
        /// Read the password from standard input; the only way, so that it does not appear in the
        /// shell history
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// List all accounts
    List,
    /// Print a one-time password reset link
    Reset {
        /// E-mail address for the login
        #[arg(long)]
        email: String,
        #[command(flatten)]
        links: LinkFlags,
    },
    /// Refuse log-ins with a password, except of one admin for emergencies; needs a sign-in provider
    PasswordsOff {
        /// E-mail address of the admin that keeps its password
        #[arg(long)]
        emergency: String,
    },
    /// Accept log-ins with a password again
    PasswordsOn,
    /// Remove the second factor of an account whose owner has lost it; ends its sessions
    ResetSecondFactor {
        /// E-mail address for the login
        email: String,
    },
    /// Remove the passkeys of an account whose owner has lost them, and let its password log in again; ends its sessions
    ResetPasskeys {
        /// E-mail address for the login
        email: String,
    },
}

impl User {
    /// Returns the flags for links; empty if no link is printed.
    pub fn links(&self) -> LinkFlags {
        match self {
            Self::Reset { links, .. } => links.clone(),
            Self::Add { .. }
            | Self::List
            | Self::PasswordsOff { .. }
            | Self::PasswordsOn
            | Self::ResetSecondFactor { .. }
            | Self::ResetPasskeys { .. } => LinkFlags::default(),
        }
    }
}

fn role(text: &str) -> Result<Role, String> {
    text.parse().map_err(|_| "the roles are creator, reviewer and admin".to_owned())
}

/// Runs the command.
pub async fn run(config: &Config, user: User) -> Result<(), CliError> {
    // Only a new account makes sense in a new database.
    if !matches!(user, User::Add { .. }) {
        require_database(config)?;
    }
    let server = Server::open(config).await?;
    match user {
        User::Add { email, name, role, .. } => {
            add(&server, NewAccount { email, name, password: password()? }, role).await
        }
        User::List => list(&server).await,
        User::Reset { email, .. } => reset(&server, &email).await,
        User::PasswordsOff { emergency } => passwords_off(&server, &emergency).await,
        User::PasswordsOn => passwords_on(&server).await,
        User::ResetSecondFactor { email } => reset_second_factor(&server, &email).await,
        User::ResetPasskeys { email } => reset_passkeys(&server, &email).await,
    }?;
    server.close().await;
    Ok(())
}

/// Reads one line of standard input, without its line end.
fn password() -> Result<String, CliError> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|_| CliError::Failed("the password on standard input is not UTF-8 text".to_owned()))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

async fn add(server: &Server, new: NewAccount, role: Role) -> Result<(), CliError> {
    let person = server.accounts.add_person(new, role).await?;
    println!("{} can log in as {} ({})", sanitize(&person.name), sanitize(&person.email), person.role);
    Ok(())
}

async fn list(server: &Server) -> Result<(), CliError> {
    let people = server.services.accounts.list(&operator()).await?;
    let width = people.iter().map(|person| person.email.chars().count()).max().unwrap_or(0);
    for person in people {
        let disabled = if person.is_disabled { "  (disabled)" } else { "" };
        println!(
            "{:width$}  {:8}  {}{disabled}",
            sanitize(&person.email),
            person.role.as_str(),
            sanitize(&person.name)
        );
    }
    Ok(())
}

async fn reset(server: &Server, email: &str) -> Result<(), CliError> {
    let person = find(server, email).await?;
    let link = server.services.invitations.reset_password(&operator(), person.id).await?;
    let url = server.likely_url();
    println!("{url}{}", link.path);
    if server.config.public_url.is_none() {
        eprintln!(
            "the address {url} is a guess, because no public URL is given; give it with --public-url, as for the server"
        );
    }
    eprintln!("valid until {}; using it ends the sessions of the account", link.expires_at);
    Ok(())
}

async fn passwords_off(server: &Server, email: &str) -> Result<(), CliError> {
    let person = find(server, email).await?;
    server.accounts.switch_passwords(Some(person.id)).await?;
    println!("only {} can log in with a password", sanitize(&person.email));
    Ok(())
}

async fn passwords_on(server: &Server) -> Result<(), CliError> {
    server.accounts.switch_passwords(None).await?;
    println!("all accounts can log in with their passwords");
    Ok(())
}

async fn reset_second_factor(server: &Server, email: &str) -> Result<(), CliError> {
    let person = find(server, email).await?;
    server.services.second_factors.reset_second_factor(&operator(), person.id).await?;
    println!("{} can log in with the password only", sanitize(&person.email));
    Ok(())
}

async fn reset_passkeys(server: &Server, email: &str) -> Result<(), CliError> {
    let person = find(server, email).await?;
    server.services.passkeys.reset_passkeys(&operator(), person.id).await?;
    println!("{} has no passkeys and can log in with the password", sanitize(&person.email));
    Ok(())
}

/// Finds the account with this e-mail address.
pub async fn find(server: &Server, email: &str) -> Result<Account, CliError> {
    let people = server.services.accounts.list(&operator()).await?;
    let wanted = email.trim().to_lowercase();
    let not_found = || {
        CliError::Failed(format!(
            "no account has the address {wanted}; `presstime user list` shows all accounts"
        ))
    };
    people.into_iter().find(|person| person.email == wanted).ok_or_else(not_found)
}

/// The owner of what is imported: the given account, otherwise the oldest admin.
pub async fn owner(server: &Server, email: Option<&str>) -> Result<Actor, CliError> {
    let person = match email {
        Some(email) => find(server, email).await?,
        None => {
            let people = server.services.accounts.list(&operator()).await?;
            let admins =
                people.into_iter().filter(|person| person.role == Role::Admin && !person.is_disabled);
            admins.min_by_key(|person| (person.created_at, person.id)).ok_or_else(|| {
                CliError::Failed(
                    "there is no admin yet: complete the setup first, or choose the owner with --as"
                        .to_owned(),
                )
            })?
        }
    };
    if person.is_disabled {
        return Err(CliError::Failed(format!("the account {} is disabled", person.email)));
    }
    Ok(Actor {
        account: person.id,
        role: person.role,
        zone: person.zone,
        language: person.language,
        idempotency: None,
        session: None,
    })
}
