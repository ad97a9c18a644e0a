#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a package as a stranger does: in a bare system without any of our libraries, and runs the demo there. Prints
# both times. Needs root, mmdebstrap and the packages of the system. The work folder takes 2 GB and is kept for a second run.
# SUITE: a release of Debian or Ubuntu, by default bookworm (Debian 12); noble: Ubuntu 24.04. The environment variable KEYRING
# names the keys of its archive if this system has them not in /usr/share/keyrings.
# usage: packaging/try.sh [--root SUITE] FILE.deb|FILE.tar.gz WORK_DIR [demo options, e.g. --fast]
set -euo pipefail
suite=bookworm
if [ "$1" = --root ]; then
    suite=$2
    shift 2
fi
package=$(readlink -f "$1")
work=$2
shift 2
mkdir -p "$work"
work=$(readlink -f "$work")
root=$work/root
if [ ! -e "$work/$suite.tar" ]; then
    mmdebstrap --variant=apt ${KEYRING:+--keyring="$KEYRING"} "$suite" "$work/$suite.part.tar"
    mv "$work/$suite.part.tar" "$work/$suite.tar"
fi
clean() { ! mountpoint -q "$root/proc" || umount -l "$root/proc"; }
clean
rm -rf --one-file-system "$root"
mkdir "$root"
trap clean EXIT
tar -xf "$work/$suite.tar" -C "$root"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
! grep -q '^ID=ubuntu' "$root/etc/os-release" || sed -i 's/ main$/ main universe/' "$root/etc/apt/sources.list" # as Ubuntu installs
mount -t proc proc "$root/proc"
cp "$package" "$root/root/"
case $package in
    *.deb) install="apt-get install -y -q --no-install-recommends ./$(basename "$package")" pipeline=pipeline ;;
    *) install="tar -xf $(basename "$package")" pipeline="./portaflow-*/bin/pipeline" ;;
esac
run() { chroot "$root" env -i PATH="$PATH" HOME=/root DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy:-}" bash -ec "cd /root; $1"; }
[[ $package != *.deb ]] || run "apt-get update -q >/dev/null"
start=$(date +%s)
run "$install" >"$work/install.log" 2>&1
installed=$(date +%s)
run "$pipeline demo demo $*"
run "test -s demo/out/post/report.html && test -s demo/out/post/view.html && test -s demo/out/post/figures/pressure.png"
end=$(date +%s)
echo "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' "$root/etc/os-release"): install: $((installed - start)) s, demo: $((end - installed)) s, $(du -sm "$root/usr" | cut -f1) MB in /usr"
