# shellcheck shell=bash
# What the tests of installed packages share. They need root, and make their own root file systems and namespaces: nothing of them
# reaches a network, and nothing stays on the machine but the root file systems, which are kept for a week.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() {
	say "FAILED: $*"
	exit 1
}

need_root_and() {
	[ "$(id -u)" = 0 ] || fail 'this test makes root file systems and namespaces: run it as root'
	local program missing=()
	for program in "$@"; do
		command -v "$program" >/dev/null || missing+=("$program")
	done
	[ ${#missing[@]} = 0 ] || fail "missing: ${missing[*]} (make setup-packages installs them)"
}

# root_fs NAME PACKAGE…: a tar archive of a Debian with these packages, made anew when it is a week old.
root_fs() {
	local name=$1 folder made packages
	shift
	packages=$(IFS=, && echo "$*")
	folder=$(scripts/setup --print-tools)/roots
	mkdir -p "$folder"
	made=$folder/$SUITE-$name-$(printf '%s' "$packages" | sha256sum | cut -c 1-12).tar
	if [ -z "$(find "$made" -mtime -7 2>/dev/null)" ]; then
		say "making $made"
		mmdebstrap --quiet --variant=apt --include="$packages" --format=tar "$SUITE" "$made.new" >&2 || fail 'mmdebstrap made no root file system'
		mv "$made.new" "$made"
	fi
	printf '%s\n' "$made"
}

# walk NAME: the commands that docs/install.md marks with the name.
walk() {
	awk -v mark="<!-- run: $1 -->" '$0 == mark { found = 1 } found && /^```$/ { exit } found && inside { print }
		found && /^```console$/ { inside = 1 }' docs/install.md | grep . || fail "docs/install.md has no commands for $1"
}

# walk_within LIMIT NAME: how many commands those are; a here-document counts as part of its command.
walk_within() {
	local count
	count=$(walk "$2" | awk '/<<.END.$/ { n++; skip = 1; next }
		skip { if ($0 == "END") skip = 0; next } /\\$/ { next } !/^#/ { n++ } END { print n }')
	[ "$count" -le "$1" ] || fail "the walk of $2 takes $count commands, more than $1"
	say "the walk of $2 has $count commands"
}

# certificate_authority FOLDER HOST…: an authority in ca.crt, and for each host HOST.crt and HOST.key.
certificate_authority() {
	local folder=$1 host
	shift
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=Test authority' -keyout "$folder/ca.key" -out "$folder/ca.crt" 2>/dev/null
	for host in "$@"; do
		openssl req -newkey rsa:2048 -nodes -subj "/CN=$host" -keyout "$folder/$host.key" -out "$folder/$host.csr" 2>/dev/null
		openssl x509 -req -in "$folder/$host.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial -days 2 \
			-extfile <(printf 'subjectAltName=DNS:%s' "$host") -out "$folder/$host.crt" 2>/dev/null
	done
}
