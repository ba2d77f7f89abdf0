#!/usr/bin/env bash
# side-by-side.sh SKIPPED ROW...: runs all tests but those that run alone: some wait most of the time, others
# compute. A row is a module of the former, or NAME=FILTER: its tests run one after the other, the rows side by
# side. One whose name ends in Newest or Debian13 uses that librdkafka in place of the system's: see
# Tests/Packaging/librdkafka.sh. It is skipped without that library. Of what failed, a few tests are
# repeated when nothing else runs: those wait for real clocks, and a machine that does all this at once
# may stall. Both results are printed, and who reads that a test passed only then repairs it.
set -euo pipefail
skipped=$1
shift
tests=.build/debug/apns-bridgePackageTests.xctest

rows=() names=()
declare -A filters libraries
# What computes comes first: its results are the first to be printed.
for name in Modules=module-tests Worlds=world-tests script-tests sanitized-tests more-tests short-chaos; do
  target=${name#*=} name=${name%%=*}
  names+=("$name")
  filters[$name]=. libraries[$name]=${LD_LIBRARY_PATH:-}
  make --no-print-directory "$target" >".build/$name.log" 2>&1 &
  rows+=($!)
done
for row; do
  name=${row%%=*}
  case $name in
    *Newest) library=newest ;;
    *Debian13) library=debian13 ;;
    *) library= ;;
  esac
  libraries[$name]=${LD_LIBRARY_PATH:-}
  if [ -n "$library" ]; then
    libraries[$name]=$(Tests/Packaging/librdkafka.sh $library) || {
      echo "$name is skipped: make python-clients could not install its librdkafka"
      continue
    }
  fi
  names+=("$name")
  filters[$name]=^$name[.]
  [ "$row" = "$name" ] || filters[$name]=${row#*=}
  LD_LIBRARY_PATH=${libraries[$name]} \
    python3 -B Tests/Report/run.py "$name" "$tests" --testing-library swift-testing --no-parallel \
    --filter "${filters[$name]}" --skip "$skipped" >".build/$name.log" 2>&1 &
  rows+=($!)
done
trap 'kill "${rows[@]}" 2>/dev/null || true' EXIT

failed=() repeated=()
for name in "${names[@]}"; do
  if ! wait "${rows[0]}"; then
    if [ -s ".build/tests/$name.failed" ]; then repeated+=("$name"); else failed+=("$name"); fi
  fi
  rows=("${rows[@]:1}")
  cat ".build/$name.log"
done
[ ${#failed[@]} -eq 0 ] || exit 1
for name in "${repeated[@]}"; do
  printf '\n=== Failed tests of %s again, with nothing beside them ===\n' "$name"
  LD_LIBRARY_PATH=${libraries[$name]} \
    python3 -B Tests/Report/run.py "$name-repeated" "$tests" --testing-library swift-testing \
    --no-parallel --filter "(${filters[$name]}).*($(<".build/tests/$name.failed"))"
done
