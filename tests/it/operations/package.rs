//! The packages that `cargo xtask package` makes: the same bytes each time, the right files and modes,
//! a hardened unit, and an archive that installs and uninstalls itself.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Highest exposure that `systemd-analyze security` may find, in tenths.
const MAX_EXPOSURE: &str = "15";

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

/// Runs a command and returns its output.
#[track_caller]
fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let printed = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&printed));
    output
}

#[track_caller]
fn text(command: &mut Command) -> String {
    String::from_utf8(output(command).stdout).expect("its output is text")
}

/// Makes the packages of the program under test in a folder.
fn build(folder: &Path) {
    output(
        Command::new("sh")
            .arg("xtask/package/build.sh")
            .arg(test_support::program(env!("CARGO_BIN_EXE_presstime")))
            .arg(VERSION)
            .arg(folder)
            .envs([("SOURCE_DATE_EPOCH", "1700000000"), ("FAST", "yes")]),
    );
}

fn only_file(folder: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files = files.filter(|file| file.to_string_lossy().ends_with(ending));
    files.next().unwrap_or_else(|| panic!("no {ending} in {}", folder.display()))
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap_or_else(|why| panic!("{}: {why}", file.display())).permissions().mode() & 0o777
}

/// Checks the Debian package, and returns its files in a folder.
fn check_deb(deb: &Path, folder: &Path) -> PathBuf {
    let field = |name: &str| text(Command::new("dpkg-deb").arg("-f").arg(deb).arg(name));
    assert_eq!((field("Package"), field("Version")), ("presstime\n".to_owned(), format!("{VERSION}\n")));
    assert!(field("Depends").contains("libc6 (>= 2."), "{}", field("Depends"));
    let conffiles = text(Command::new("dpkg-deb").arg("-I").arg(deb).arg("conffiles"));
    assert_eq!(conffiles, "/etc/presstime/presstime.toml\n");
    let list = text(Command::new("dpkg-deb").arg("-c").arg(deb));
    assert!(list.lines().all(|line| line.contains(" root/root ")), "{list}");
    let (files, control) = (folder.join("deb"), folder.join("control"));
    output(Command::new("dpkg-deb").arg("-x").arg(deb).arg(&files));
    output(Command::new("dpkg-deb").arg("-e").arg(deb).arg(&control));
    for (file, expected) in [
        ("etc/presstime", 0o750),
        ("etc/presstime/presstime.toml", 0o640),
        ("usr/bin/presstime", 0o755),
        ("usr/lib/systemd/system/presstime.service", 0o644),
        ("usr/lib/systemd/system/presstime@.service", 0o644),
        ("usr/lib/sysusers.d/presstime.conf", 0o644),
        ("usr/share/man/man1/presstime.1.gz", 0o644),
        ("usr/share/man/man1/presstime-serve.1.gz", 0o644),
        ("usr/share/bash-completion/completions/presstime", 0o644),
        ("usr/share/zsh/vendor-completions/_presstime", 0o644),
        ("usr/share/fish/vendor_completions.d/presstime.fish", 0o644),
        ("usr/share/doc/presstime/copyright", 0o644),
    ] {
        assert_eq!(mode(&files.join(file)), expected, "{file}");
    }
    for script in ["config", "postinst", "prerm", "postrm"] {
        output(Command::new("sh").arg("-n").arg(control.join(script)));
        assert_eq!(mode(&control.join(script)), 0o755, "{script}");
    }
    files
}

/// Checks the units with systemd's own tools, where they are installed.
fn check_units(files: &Path) {
    let units = files.join("usr/lib/systemd/system");
    for (unit, instance) in [("presstime.service", "presstime"), ("presstime@.service", "presstime-%i")] {
        let file = units.join(unit);
        let unit_text = fs::read_to_string(&file).unwrap();
        assert!(unit_text.contains(&format!("\nStateDirectory={instance}\n")), "{unit_text}");
        // `presstime instances` reads the same files.
        let settings = match unit {
            "presstime.service" => "/etc/presstime/presstime.toml",
            _ => "/etc/presstime/%i.toml --data /var/lib/presstime-%i",
        };
        assert!(unit_text.contains(&format!(" serve --config {settings}\n")), "{unit_text}");
        if !has("systemd-analyze") {
            continue;
        }
        // It looks for the program on this machine.
        fs::write(&file, unit_text.replace("/usr/bin/presstime", "/bin/true")).unwrap();
        let verified = output(Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file));
        let warnings = String::from_utf8_lossy(&verified.stderr);
        assert!(!warnings.contains("presstime"), "{warnings}");
    }
    if has("systemd-analyze") {
        let check = ["security", "--offline=yes", "--no-pager", "--threshold", MAX_EXPOSURE];
        output(Command::new("systemd-analyze").args(check).arg(units.join("presstime.service")));
    }
}

/// All files below a folder, sorted.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let found = text(Command::new("find").arg(folder).args(["-type", "f"]));
    let mut files: Vec<PathBuf> = found.lines().map(PathBuf::from).collect();
    files.sort();
    files
}

/// Installs the archive below a folder, twice, and removes it.
fn check_archive(archive: &Path, folder: &Path) {
    output(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder));
    let unpacked = folder.join(format!("presstime-{VERSION}"));
    let root = folder.join("root");
    fs::create_dir(&root).unwrap();
    let install = |options: &[&str]| {
        text(Command::new("sh").arg(unpacked.join("install.sh")).args(options).env("DESTDIR", &root))
    };
    let steps = install(&["--dry-run"]);
    assert!(steps.contains("nothing is changed") && steps.contains("bin/presstime"), "{steps}");
    assert!(files_in(&root).is_empty());
    install(&[]);
    let [program, settings, unit] =
        ["usr/local/bin/presstime", "etc/presstime/presstime.toml", "etc/systemd/system/presstime.service"]
            .map(|file| root.join(file));
    assert_eq!([&program, &settings, &unit].map(|file| mode(file)), [0o755, 0o640, 0o644]);
    let unit_text = fs::read_to_string(&unit).unwrap();
    assert!(unit_text.contains("ExecStart=/usr/local/bin/presstime serve "), "{unit_text}");
    let data = folder.join("data");
    let doctor = ["doctor", "--listen", "127.0.0.1:0", "--config"];
    let examined = text(Command::new(&program).args(doctor).arg(&settings).arg("--data").arg(&data));
    assert!(examined.contains("ok    folder"), "{examined}");
    // A change of the settings outlives an upgrade and the removal.
    fs::write(&settings, "listen = \"127.0.0.1:4000\"\n").unwrap();
    assert!(install(&[]).contains("keep "));
    install(&["--uninstall"]);
    assert_eq!(files_in(&root), std::slice::from_ref(&settings));
    assert_eq!(fs::read_to_string(&settings).unwrap(), "listen = \"127.0.0.1:4000\"\n");
}

#[test]
fn packages_are_the_same_each_time_and_install_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    build(&first);
    build(&second);
    let sums = fs::read_to_string(first.join("SHA256SUMS")).unwrap();
    assert_eq!(sums, fs::read_to_string(second.join("SHA256SUMS")).unwrap());
    assert_eq!(sums.lines().count(), 3, "{sums}");
    output(Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&first));
    let files = check_deb(&only_file(&first, ".deb"), folder.path());
    check_units(&files);
    check_archive(&only_file(&first, ".tar.gz"), folder.path());
    let recipe = fs::read_to_string(first.join("Containerfile")).unwrap();
    assert!(recipe.contains(&format!("COPY --from=archive /presstime-{VERSION}/bin/presstime")), "{recipe}");
    assert!(!recipe.contains('@'), "{recipe}");
}
