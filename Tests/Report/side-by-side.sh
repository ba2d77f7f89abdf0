#!/usr/bin/env bash
# side-by-side.sh SKIPPED ROW...: runs tests that mostly wait, those of a row one after the other, the
# rows side by side; a row is a module, or NAME=FILTER. One whose name ends in Newest or Debian13 uses
# that librdkafka in place of the system's: see Tests/Packaging/librdkafka.sh. It is skipped without that
# library. Beside them run the tests that use programs of others, a few rounds of chaos and the builds
# for the sanitizers. Of what failed, a few tests are repeated when nothing else runs: those wait for
# real clocks, and a machine that does all this at once may stall. Both results are printed, and who
# reads that a test passed only then repairs it.
set -euo pipefail
skipped=$1
shift
tests=.build/debug/apns-bridgePackageTests.xctest

# Takes only processor time that nothing else wants; the compiler undoes what `nice` says.
idle=()
! command -v chrt >/dev/null || idle=(chrt --idle 0)
"${idle[@]}" make --no-print-directory --jobs=2 sanitizer-builds \
  >.build/sanitizers.log 2>&1 &
builds=$!

rows=() names=()
declare -A filters libraries
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
for row in more-tests short-chaos; do
  make --no-print-directory $row >.build/$row.log 2>&1 &
  rows+=($!)
done
trap 'kill $builds "${rows[@]}" 2>/dev/null || true' EXIT

failed=() repeated=()
for name in "${names[@]}" more-tests short-chaos; do
  if ! wait "${rows[0]}"; then
    if [ -s ".build/tests/$name.failed" ]; then repeated+=("$name"); else failed+=("$name"); fi
  fi
  rows=("${rows[@]:1}")
  cat ".build/$name.log"
done
[ ${#failed[@]} -eq 0 ] || exit 1
wait $builds || { cat .build/sanitizers.log; exit 1; }
for name in "${repeated[@]}"; do
  printf '\n=== Failed tests of %s again, with nothing beside them ===\n' "$name"
  LD_LIBRARY_PATH=${libraries[$name]} \
    python3 -B Tests/Report/run.py "$name-repeated" "$tests" --testing-library swift-testing \
    --no-parallel --filter "(${filters[$name]}).*($(<".build/tests/$name.failed"))"
done
