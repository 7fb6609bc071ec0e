#!/bin/sh
# Speed and memory of `tlsmeter import`: as CSV 100 MB of logs (at most 4 s and 100 MB asked for), with
# records 10 MB (at least 10 MB/s asked for). The logs are those of SHARED_INPUTS or ../shared/inputs when
# they are there, else those of tests/import, repeated as separate files.
# Usage: TLSMETER=build/release/src/tlsmeter bench/bench_import.sh
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
tlsmeter=${TLSMETER:-$source/build/release/src/tlsmeter}
inputs=${SHARED_INPUTS:-$source/../shared/inputs}
[ -d "$inputs" ] || inputs=$source/tests/import
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# copies N: a folder with about N megabytes of logs
copies() {
    mkdir "$work/$1"
    bytes=$(find "$inputs" -type f \( -name '*.txt' -o -name '*.log' \) -exec cat {} + | wc -c)
    times=$((($1 * 1000000 + bytes - 1) / bytes))
    number=0
    while [ "$number" -lt "$times" ]; do
        number=$((number + 1))
        for log in "$inputs"/*.txt "$inputs"/*.log "$inputs"/other/*.txt; do
            [ -e "$log" ] || continue
            ln "$log" "$work/$1/$number-${log##*/}" 2>/dev/null || cp "$log" "$work/$1/$number-${log##*/}"
        done
    done
}

# measure NAME MEGABYTES OPTION...: one run over the folder, its time and memory
measure() {
    name=$1 megabytes=$2
    shift 2
    (cd "$work/$megabytes" && /usr/bin/time -f '%e %M' -o "$work/time" \
        sh -c 'ulimit -s unlimited 2>/dev/null; exec "$@" -- *' sh "$tlsmeter" import --quiet "$@" \
        >/dev/null 2>&1) || true
    bytes=$(find "$work/$megabytes" -type f -exec cat {} + | wc -c)
    tail -n 1 "$work/time" | awk -v name="$name" -v bytes="$bytes" \
        '{ printf "import %s: %.1f MB in %.2f s, %.1f MB/s, %.1f MB of memory\n",
                  name, bytes / 1e6, $1, bytes / 1e6 / ($1 > 0 ? $1 : 0.01), $2 / 1000 }'
}

copies 100
measure csv 100 --csv
copies 10
measure records 10 --output "$work/records.jsonl"
