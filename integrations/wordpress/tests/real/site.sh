# Functions that set up a WordPress with SQLite and the plug-in; sourced. They need bash, npm, unzip and PHP with sqlite3.

# A package of the npm registry with several versions of WordPress (26 MB).
package=@wp-playground/wordpress-builds@0.9.19

# download FOLDER: fetches the package, unless it is there.
download() {
	[ -d "$1/package/src" ] && return
	(cd "$1" && npm pack --silent "$package" > name && tar xzf "$(cat name)" package/src && rm "$(cat name)" name)
}

# unpack FOLDER VERSION CONFIG MU_PLUGIN: makes the site $AFTERIMAGE_SITE anew, with the settings in CONFIG, but does not install it.
unpack() {
	local folder=$1 sqlite=$AFTERIMAGE_SITE/wp-content/mu-plugins/sqlite-database-integration
	local plugin; plugin=$(dirname "${BASH_SOURCE[0]}")/../..
	rm -rf "$AFTERIMAGE_SITE"
	mkdir -p "$(dirname "$sqlite")" "$folder/unpacked"
	unzip -qo "$folder/package/src/wordpress/wp-$2.zip" -d "$AFTERIMAGE_SITE"
	unzip -qo "$folder/package/src/sqlite-database-integration/sqlite-database-integration.zip" -d "$folder/unpacked"
	cp -r "$(dirname "$(find "$folder/unpacked" -name db.copy)")" "$sqlite"
	sed "s#{SQLITE_IMPLEMENTATION_FOLDER_PATH}#$sqlite#; s#{SQLITE_PLUGIN}#sqlite-database-integration/load.php#" "$sqlite/db.copy" \
		> "$AFTERIMAGE_SITE/wp-content/db.php"
	cp "$3" "$AFTERIMAGE_SITE/wp-config.php"
	cp "$4" "$AFTERIMAGE_SITE/wp-content/mu-plugins/"
	mkdir "$AFTERIMAGE_SITE/wp-content/plugins/afterimage"
	cp -r "$plugin"/{afterimage.php,uninstall.php,includes} "$AFTERIMAGE_SITE/wp-content/plugins/afterimage/"
}
