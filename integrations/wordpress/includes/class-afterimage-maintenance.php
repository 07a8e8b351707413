<?php
/**
 * The file .maintenance, which WordPress writes while it updates an active plugin.
 *
 * @package Afterimage
 */

// phpcs:disable WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors

/**
 * Tells whether a file that was left behind is from our own update.
 */
class Afterimage_Maintenance {

	/**
	 * How long an update may take, in seconds.
	 */
	const LONGEST = 900;

	/**
	 * The time that a file names, in Unix seconds; 0 if there is none.
	 *
	 * @param string $path The file.
	 */
	public static function since( string $path ): int {
		$text = is_file( $path ) ? (string) @file_get_contents( $path ) : '';
		return preg_match( '/\$upgrading\s*=\s*(\d{1,12})\s*;/', $text, $found ) ? (int) $found[1] : 0;
	}

	/**
	 * Removes the file if it was written by an update of ours that was killed: there was none before, and it names a time within it.
	 *
	 * @param string $path   The file.
	 * @param int    $begun  When the update began, in Unix seconds.
	 * @param int    $before What the file said before it; 0 if there was none.
	 * @return bool Whether it was removed.
	 */
	public static function clear( string $path, int $begun, int $before ): bool {
		$since = self::since( $path );
		if ( 0 === $since || $since === $before || $since < $begun || $since > $begun + self::LONGEST ) {
			return false;
		}
		return @unlink( $path );
	}
}
