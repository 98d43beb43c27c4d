//! The whole server in one value: opened from the settings, served until told to stop.

use crate::{config::Config, trouble::Trouble};
use std::{io, path::Path};
use store::{Options, Store};
use tokio::net::TcpListener;

/// Makes the data folder (for its owner alone) and makes sure that it can be written.
pub fn prepare_folder(path: &Path) -> Result<(), Trouble> {
    let wrong = |why: io::Error| Trouble::DataFolder { path: path.to_path_buf(), why };
    if !path.is_dir() {
        std::fs::create_dir_all(path).map_err(wrong)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(wrong)?;
        }
    }
    let probe = path.join(".presstime-probe");
    std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)).map_err(wrong)
}

/// Connects to the database, without touching its schema; refuses one that a newer program wrote.
pub async fn open_store(config: &Config) -> Result<Store, Trouble> {
    if config.database_url.is_none() {
        prepare_folder(&config.data)?;
    }
    let options = Options { people: config.connections, ..Options::new(config.database()) };
    let store = Store::open(&options).await.map_err(|error| Trouble::database(place(config), &error))?;
    match store.newer().await.map_err(|error| Trouble::database(place(config), &error))? {
        Some(newer) => Err(Trouble::DatabaseNewer(newer)),
        None => Ok(store),
    }
}

/// Brings the schema up to date.
pub async fn migrate(store: &Store, config: &Config) -> Result<(), Trouble> {
    store.migrate().await.map_err(|error| Trouble::database(place(config), &error))
}

/// Where the database is, in words and without a password.
#[must_use]
pub fn place(config: &Config) -> String {
    match &config.database_url {
        Some(url) => url.to_string(),
        None => config.database_file().display().to_string(),
    }
}

/// Listens where the settings say; a sentence if somebody else does.
pub async fn listen(config: &Config) -> Result<TcpListener, Trouble> {
    let address = config.listen.clone();
    TcpListener::bind(&address).await.map_err(|why| match why.kind() {
        io::ErrorKind::AddrInUse => Trouble::PortInUse { address },
        _ => Trouble::Listen { address, why },
    })
}
