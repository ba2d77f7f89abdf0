#!/usr/bin/env bash
# Prints the path of an object file that names the commit of this checkout, for the linker:
#
#   swift build -Xlinker "$(deploy/packaging/revision.sh)"
#
# Its name has the commit, so that another commit links the program again and compiles nothing. Without git
# the commit is unknown.
set -euo pipefail
cd "$(dirname "$0")/../.."

revision=unknown
if commit=$(git rev-parse --verify --quiet HEAD 2>/dev/null); then
  revision=$commit
  if [ -n "$(git status --porcelain --untracked-files=all)" ]; then revision+=+; fi
fi
mkdir -p .build
object=$PWD/.build/revision-$revision.o
[ -s "$object" ] || printf 'const char apns_bridge_revision[] = "%s";\n' "$revision" \
  | "$(command -v clang || command -v cc)" -x c -c -o "$object" -
echo "$object"
