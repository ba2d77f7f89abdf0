#!/usr/bin/env bash
# install-packages.sh PACKAGE...: installs those Debian packages that are missing, and says so.
set -euo pipefail

if ! command -v apt-get >/dev/null; then
  echo "This is not Debian: install the equivalents of these packages: $*" >&2
  exit 0
fi
missing=()
for package; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' \
    || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "Installing the missing Debian packages: ${missing[*]}" >&2
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive \
  apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
