#!/bin/bash
# Tries the plug-in in a real WordPress with SQLite, against a service that answers from an option, also with processes that are killed.
# Usage: tests/real/run.sh FOLDER [VERSION]
# FOLDER keeps what is downloaded. VERSION of WordPress is 6.2 to 6.5 or beta. Needs bash, npm, unzip and PHP with sqlite3 and posix.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
version=${2:-6.5}
export AFTERIMAGE_SITE=$folder/site-$version
. "$here/site.sh"

scene() { php "$here/scene.php" "$@"; }

passed=0
failed=0

# check NAME COMMAND...: runs a scene and counts it.
check() {
	local name=$1
	shift
	if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $name"; fi
}

# killed HOOK: an update is killed at a hook; the next request makes the files whole, and the run goes on to its end.
killed() {
	scene plant
	(AFTERIMAGE_KILL=$1 scene update) > /dev/null 2>&1 && { echo "not killed at $1"; return 1; }
	AFTERIMAGE_LATER=1 scene whole && AFTERIMAGE_LATER=1 scene go-on
}

# stopped: a new version stops each request; the first one puts it back.
stopped() {
	scene plant
	AFTERIMAGE_PACKAGE=fatal AFTERIMAGE_DECISIONS=not_yet,keep scene begin
	scene whole > /dev/null 2>&1 && { echo 'no request was stopped'; return 1; }
	scene whole && scene taken-back
}

download "$folder"
unpack "$folder" "$version" "$here/config.php" "$here/service.php"
scene install
for name in connect keep roll-back ask automatic page; do
	scene plant
	check "$name" scene "$name"
done
check stopped stopped
for hook in 1 3 5 6 7 8 9 upgrader_pre_download upgrader_pre_install upgrader_clear_destination upgrader_post_install; do
	check "killed at $hook" killed "$hook" 2> /dev/null
done
check uninstall scene uninstall
if [ -s "$AFTERIMAGE_SITE/debug.log" ] && grep -v not_a_function "$AFTERIMAGE_SITE/debug.log" | grep -E 'PHP (Fatal|Warning|Notice|Deprecated).*afterimage'; then
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
