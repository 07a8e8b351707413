#!/bin/bash
# Updates plugins of a real WordPress, six times well and six times badly, with a real service that looks at it before and after.
# Usage: tests/service/run.sh FOLDER PROGRAM [SCENE...]
# FOLDER keeps what is downloaded, PROGRAM is afterimage. Needs bash, npm, unzip, Chromium, PostgreSQL and PHP with sqlite3.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
program=$(realpath "$2")
shift 2
export AFTERIMAGE_SITE=$folder/site-service
. "$here/../real/site.sh"

work=$(mktemp -d)
web=
service=
end() {
	[ -z "$web" ] || pkill -P "$web" || true # the web server of PHP leaves its processes behind
	for process in $web $service; do kill "$process" || true; done
	wait
	rm -rf "$work"
}
trap end EXIT

# await FILE PATTERN: waits until a line of a log matches, for a minute, and prints what the pattern's group found.
await() {
	for _ in $(seq 600); do
		sed -nE "s#.*$2.*#\1#p" "$1" 2> /dev/null | grep -m 1 . && return
		sleep 0.1
	done
	cat "$1" >&2
	return 1
}

# The settings of the site need the port before the web server of PHP has it. Captures run beside each other, so it gets four processes.
download "$folder"
unpack "$folder" 6.5 "$here/../real/config.php" "$here/updates.php"
port=$(php -r '$s = stream_socket_server( "tcp://127.0.0.1:0" ); echo explode( ":", stream_socket_get_name( $s, false ) )[1];')
export AFTERIMAGE_HOME=http://127.0.0.1:$port
php "$here/scene.php" install
# A server that is tuned: PHP never looks at a file again unless it is told.
PHP_CLI_SERVER_WORKERS=4 php -d opcache.validate_timestamps=0 -S "127.0.0.1:$port" -t "$AFTERIMAGE_SITE" > "$work/php.log" 2>&1 &
web=$!
"$program" serve --listen 127.0.0.1:0 --data-dir "$work/data" --allow-hosts "127.0.0.1:$port" > "$work/service.log" 2>&1 &
service=$!
url=$(await "$work/service.log" 'serves at (http://[0-9.:]+)')
token=$(cat "$(await "$work/service.log" 'Its API token is in ([^ ,]+)')")
php "$here/scene.php" connect "$url" "$token"

if [ $# = 0 ]; then
	mapfile -t scenes < <(php -r "require '$here/plugins.php'; echo implode( PHP_EOL, array_keys( SCENES ) ), PHP_EOL;")
else
	scenes=("$@")
fi
failed=0
for scene in "${scenes[@]}"; do
	echo "$scene"
	php "$here/scene.php" "$scene" || failed=$((failed + 1))
done
grep -E '"level":"ERROR"' "$work/service.log" && failed=$((failed + 1))
echo "$((${#scenes[@]} - failed)) of ${#scenes[@]} scenes as they should be"
[ "$failed" = 0 ]
