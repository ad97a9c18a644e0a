#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copies every library that the installed programs load, but glibc, into PREFIX/lib, with the software OpenGL of Mesa that
# draws the pictures, and the licenses of their Debian packages. The programs are linked with the rpath $ORIGIN/../lib.
# usage: packaging/bundle.sh PREFIX
set -euo pipefail
prefix=$1
arch=$(cc -print-multiarch)
dri=/usr/lib/$arch/dri/swrast_dri.so
egl=/usr/lib/$arch/libEGL_mesa.so.0
glibc='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|BrokenLocale|nss_.*))\.so'
for need in "$dri" "$egl"; do
    [ -e "$need" ] || { echo "bundle: '$need' is missing: apt-get install libegl-mesa0 libgl1-mesa-dri" >&2; exit 6; }
done
command -v patchelf >/dev/null || { echo "bundle: patchelf is missing: apt-get install patchelf" >&2; exit 6; }
mkdir -p "$prefix/lib/portaflow/dri" "$prefix/lib/portaflow/egl" "$prefix/share/doc/portaflow/libraries"
libraries=$({ for file in "$prefix"/bin/* "$dri" "$egl"; do env -u LD_LIBRARY_PATH ldd "$file"; done; } |
    awk '/not found/ { print "bundle: " $1 " is missing" >"/dev/stderr"; exit 1 } $2 == "=>" { print $3 }' | sort -u)
for library in $libraries "$egl"; do
    name=$(basename "$library")
    [[ $name =~ $glibc ]] || cp -Lf "$library" "$prefix/lib/$name"
done
cp -Lf "$dri" "$prefix/lib/portaflow/dri/swrast_dri.so"
chmod -R u+w,a+rX "$prefix/lib"
strip --strip-unneeded "$prefix"/lib/*.so* "$prefix"/lib/portaflow/dri/*.so
# A library with a runpath of its own ignores the rpath of the programs.
for library in "$prefix"/lib/*.so*; do
    # shellcheck disable=SC2016
    [ -z "$(patchelf --print-rpath "$library")" ] || patchelf --set-rpath '$ORIGIN' "$library"
done
# shellcheck disable=SC2016
patchelf --set-rpath '$ORIGIN/../..' "$prefix/lib/portaflow/dri/swrast_dri.so"
for file in "$prefix"/bin/* "$prefix"/lib/*.so* "$prefix/lib/portaflow/dri/swrast_dri.so"; do
    # ldd of a single library does not use the rpath of a program, so LD_LIBRARY_PATH names the folder
    LD_LIBRARY_PATH=$([[ $file = */bin/* ]] || echo "$prefix/lib") ldd "$file" | awk '$2 == "=>" { print $1, $3 }'
done | while read -r name path; do
    [[ $name =~ $glibc || $(readlink -f "$path") = $(readlink -f "$prefix")/* ]] || echo "bundle: $name would be loaded from '$path', outside the package"
done | sort -u >"$prefix/missing"
if [ -s "$prefix/missing" ]; then cat "$prefix/missing" >&2; exit 1; fi
rm "$prefix/missing"
printf '%s\n' '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_mesa.so.0"}}' >"$prefix/lib/portaflow/egl/mesa.json"
for library in $libraries "$egl" "$dri"; do # /lib is a link to /usr/lib; the packages name either
    dpkg-query -S "$(readlink -f "$library")" "$library" 2>/dev/null || true
done | sed 's/:.*//' | sort -u | while read -r package; do
    [ ! -e "/usr/share/doc/$package/copyright" ] || cp -L "/usr/share/doc/$package/copyright" "$prefix/share/doc/portaflow/libraries/$package"
done
