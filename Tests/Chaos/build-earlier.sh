#!/usr/bin/env bash
# build-earlier.sh: builds the commit that FROM names, unless it is built already, and prints where
# its program is.
set -euo pipefail
commit=$(git rev-parse --verify --quiet --end-of-options "$FROM^{commit}")
folder=$PWD/.build/earlier/$commit

if [ ! -x "$folder/apns-bridge" ]; then
  mkdir -p "$folder"
  git worktree add --quiet --force --detach "$folder/tree" "$commit" >&2
  trap 'git worktree remove --force "$folder/tree"' EXIT
  # A build of another commit has settings of its own.
  env -u MAKEFLAGS -u MAKELEVEL make -C "$folder/tree" build >&2
  cp "$folder/tree/.build/release/apns-bridge" "$folder/apns-bridge"
fi
echo "$folder/apns-bridge"
