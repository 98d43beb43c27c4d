#!/bin/sh
# Installs Presstime from its archive, for distributions without a package of it.
# Run it again from a newer archive to upgrade. Data and settings are never deleted.
set -eu

usage() {
    cat <<'TEXT'
usage: install.sh [--dry-run] [--uninstall]

Installs the program in /usr/local, a user presstime, and a service of systemd that keeps its data in
/var/lib/presstime and its settings in /etc/presstime/presstime.toml.

  --dry-run    only show the steps
  --uninstall  stop the service and remove all but data, settings and user

With DESTDIR=FOLDER the files are written below FOLDER, and no user or service is touched.
TEXT
}

dry_run= uninstall=
for option in "$@"; do
    case $option in
        --dry-run) dry_run=yes ;;
        --uninstall) uninstall=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done

here=$(cd "$(dirname "$0")" && pwd)
dest=${DESTDIR:-}
prefix=$dest/usr/local
units=$dest/etc/systemd/system
settings=$dest/etc/presstime

# Shows a step, and runs it unless only the steps are asked for.
step() {
    echo "  $*"
    if [ -z "$dry_run" ]; then "$@"; fi
}

# Whether services run on this machine, and this run concerns it.
has_systemd() { [ -z "$dest" ] && [ -d /run/systemd/system ]; }

# Writes a unit for the program in /usr/local.
put_unit() {
    echo "  write $units/$1"
    if [ -n "$dry_run" ]; then return; fi
    sed 's|/usr/bin/presstime|/usr/local/bin/presstime|' "$here/systemd/$1" >"$units/$1"
    chmod 644 "$units/$1"
}

put_files() {
    step install -d -m 755 "$prefix/bin" "$prefix/share/man/man1" "$units" "$dest/etc/sysusers.d"
    # A running program cannot be overwritten, but replaced.
    step install -m 755 "$here/bin/presstime" "$prefix/bin/presstime.new"
    step mv -f "$prefix/bin/presstime.new" "$prefix/bin/presstime"
    step install -m 644 "$here"/man/*.1 "$prefix/share/man/man1"
    step install -D -m 644 "$here/completions/presstime.bash" "$prefix/share/bash-completion/completions/presstime"
    step install -D -m 644 "$here/completions/_presstime" "$prefix/share/zsh/site-functions/_presstime"
    step install -D -m 644 "$here/completions/presstime.fish" "$prefix/share/fish/vendor_completions.d/presstime.fish"
    step install -m 644 "$here/systemd/sysusers.conf" "$dest/etc/sysusers.d/presstime.conf"
    put_unit presstime.service
    put_unit presstime@.service
}

put_settings() {
    step install -d -m 750 "$settings"
    if [ -e "$settings/presstime.toml" ]; then
        echo "  keep $settings/presstime.toml"
    else
        step install -m 640 "$here/presstime.toml" "$settings/presstime.toml"
    fi
}

make_user() {
    if command -v systemd-sysusers >/dev/null; then
        step systemd-sysusers /etc/sysusers.d/presstime.conf
    elif ! id presstime >/dev/null 2>&1; then
        step useradd --system --user-group --home-dir /var/lib/presstime --shell /usr/sbin/nologin presstime
    fi
    step chgrp presstime "$settings" "$settings/presstime.toml"
}

start_service() {
    step systemctl daemon-reload
    step systemctl enable presstime.service
    step systemctl restart presstime.service
    step systemctl try-restart 'presstime@*.service'
    if [ -n "$dry_run" ]; then return; fi
    # Before the first account exists, the log has the link that creates it.
    journalctl --unit presstime.service --boot --output cat | grep '^Set it up' | tail -n 1 || true
}

do_install() {
    put_files
    put_settings
    if [ -n "$dest" ]; then return; fi
    make_user
    if has_systemd; then
        start_service
    else
        step install -d -m 700 -o presstime -g presstime /var/lib/presstime
        echo "There is no systemd here. Start it as the user presstime:"
        echo "  /usr/local/bin/presstime serve --config /etc/presstime/presstime.toml"
    fi
}

do_uninstall() {
    if has_systemd; then
        step systemctl disable --now presstime.service
        step systemctl stop 'presstime@*.service'
    fi
    step rm -f "$prefix/bin/presstime" "$units/presstime.service" "$units/presstime@.service" \
        "$dest/etc/sysusers.d/presstime.conf" "$prefix/share/bash-completion/completions/presstime" \
        "$prefix/share/zsh/site-functions/_presstime" "$prefix/share/fish/vendor_completions.d/presstime.fish"
    step rm -f "$prefix"/share/man/man1/presstime.1 "$prefix"/share/man/man1/presstime-*.1
    if has_systemd; then step systemctl daemon-reload; fi
    echo "Kept: the data in $dest/var/lib/presstime, the settings in $settings, the user presstime."
}

if [ -z "$dest$dry_run" ] && [ "$(id -u)" != 0 ]; then
    echo "install.sh: run it as root, or with --dry-run to see the steps" >&2
    exit 1
fi
if [ -n "$dry_run" ]; then echo "These are the steps; nothing is changed:"; fi
if [ -n "$uninstall" ]; then do_uninstall; else do_install; fi
