#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a package as a stranger does: in a bare Debian 12 without any of our libraries, and runs the demo there. Prints
# both times. Needs root, mmdebstrap and Debian's packages. The work folder takes 2 GB and is kept for a second run.
# usage: packaging/try.sh FILE.deb|FILE.tar.gz WORK_DIR [demo options, e.g. --fast]
set -euo pipefail
package=$(readlink -f "$1")
work=$2
shift 2
mkdir -p "$work"
work=$(readlink -f "$work")
root=$work/root
if [ ! -e "$work/debian.tar" ]; then
    mmdebstrap --variant=apt bookworm "$work/debian.part.tar"
    mv "$work/debian.part.tar" "$work/debian.tar"
fi
clean() { ! mountpoint -q "$root/proc" || umount -l "$root/proc"; }
clean
rm -rf --one-file-system "$root"
mkdir "$root"
trap clean EXIT
tar -xf "$work/debian.tar" -C "$root"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
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
run "test -s demo/out/post/report.html && test -s demo/out/post/figures/pressure.png"
end=$(date +%s)
echo "install: $((installed - start)) s, demo: $((end - installed)) s, $(du -sm "$root/usr" | cut -f1) MB in /usr"
