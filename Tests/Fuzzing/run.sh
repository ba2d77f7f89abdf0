#!/usr/bin/env bash
# run.sh SECONDS TARGET...: fuzzes each target for some seconds, from the corpus and from what was
# found before.
set -euo pipefail
seconds=$1
shift

for target; do
  printf '\n=== %s ===\n' "$target"
  found=.build/fuzz/found/$target
  mkdir -p "$found"
  options=(-max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024)
  options+=(-verbosity=0 -print_final_stats=1 -artifact_prefix="$found-")
  # As long as an event may be.
  [ "$target" != cost ] || options+=(-max_len=1048576)
  .build/fuzz/release/fuzz "$target" "${options[@]}" "$found" "Tests/Fuzzing/Corpus/$target" 2>&1 \
    | grep -v -e ' # Uses: ' -e ' dictionary. ###'
done
