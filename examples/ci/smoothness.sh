#!/bin/sh
# Checks the smoothness of a game on a machine without a screen: records the game under a headless weston, with rendering on the
# processor, and fails if a limit is violated.
#
#     smoothness.sh OPTIONS… -- GAME…
#     smoothness.sh --max 'frame_time_ms.median=60 ms' -- ./my-game
#
# The options are those of `evenstep record`, at least one of them a limit (--max, --min, --limits, --against). Needs weston, Xwayland
# (for games without Wayland support) and `evenstep`. EVENSTEP names another command, SECONDS_OF_PLAY is how long the game plays if it
# does not end by itself.
set -eu

# The options stay in front of the recorder's own arguments, the game behind them.
count=$#
while [ "$count" -gt 0 ]; do
    argument=$1
    shift
    count=$((count - 1))
    set -- "$@" "$argument"
    case $argument in
    --max* | --min* | --limits* | --against*) [ -n "${game:-}" ] || limit=yes ;;
    esac
    if [ "$argument" = -- ] && [ -z "${game:-}" ]; then
        game=yes
        set -- "$@" sh -c '. "$XDG_RUNTIME_DIR/play"' play "${SECONDS_OF_PLAY:-15}"
    fi
done
[ -n "${game:-}" ] || { echo "smoothness.sh: there is no game; give it after --" >&2; exit 2; }
[ -n "${limit:-}" ] || { echo "smoothness.sh: there is no limit, so nothing would be checked; give --max METRIC=VALUE" >&2; exit 2; }
evenstep=${EVENSTEP:-evenstep}
for needed in weston Xwayland "$evenstep"; do
    command -v "$needed" > /dev/null || { echo "smoothness.sh: $needed is missing; install it (Debian: weston, xwayland), EVENSTEP names the command" >&2; exit 2; }
done
here=$(mktemp -d)
export XDG_RUNTIME_DIR="$here" WAYLAND_DISPLAY=desktop
# Vulkan on the processor.
export WGPU_BACKEND="${WGPU_BACKEND:-vulkan}" WGPU_FORCE_FALLBACK_ADAPTER=1

weston --backend=headless-backend.so --use-pixman --shell=desktop-shell.so --socket=desktop --idle-time=0 --no-config 2> "$here/weston.log" &
weston=$!
trap 'kill $weston 2> /dev/null || true; wait $weston 2> /dev/null || true; rm -rf "$here"' EXIT
left=600
until [ -S "$here/desktop" ]; do
    left=$((left - 1))
    kill -0 $weston 2> /dev/null && [ $left -gt 0 ] || { echo "smoothness.sh: weston does not start:" >&2; cat "$here/weston.log" >&2; exit 2; }
    sleep 0.1
done

# The game's X server is a client of weston, so the recorder sees its frames. `timeout` ends a game that does not end by itself.
cat > "$here/play" << 'PLAY'
number=$XDG_RUNTIME_DIR/number
Xwayland -displayfd 3 3> "$number" 2> "$number.log" &
server=$!
left=600
until [ -s "$number" ]; do
    left=$((left - 1))
    if ! kill -0 $server 2> /dev/null || [ $left -eq 0 ]; then
        echo "smoothness.sh: Xwayland does not start:" >&2
        cat "$number.log" >&2
        kill $server 2> /dev/null
        exit 2
    fi
    sleep 0.1
done
code=0
DISPLAY=:$(cat "$number") timeout "$@" || code=$?
kill $server
wait $server 2> /dev/null || true
[ $code -eq 124 ] || exit $code
PLAY

"$evenstep" record "$@"
