<?php
/**
 * The file .maintenance, with which WordPress shows a notice instead of the site.
 *
 * @package Afterimage
 */

// phpcs:disable WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors

/**
 * Writes the file in place of WordPress during our own updates: it then lapses soon after a kill, and can be told from that of others.
 */
class Afterimage_Maintenance {

	const MARK = '// Written by Afterimage.';

	/**
	 * For how many seconds WordPress heeds the file, and for how many it heeds ours.
	 */
	const HEEDED = 600;
	const OURS   = 120;

	/**
	 * Begins the maintenance mode, unless somebody else has.
	 *
	 * @param string $path The file.
	 * @param int    $now  In Unix seconds.
	 */
	public static function begin( string $path, int $now ): void {
		if ( ! file_exists( $path ) || self::is_ours( $path ) ) {
			@file_put_contents( $path, '<?php $upgrading = ' . ( $now - self::HEEDED + self::OURS ) . '; ' . self::MARK . "\n" );
		}
	}

	/**
	 * Ends the maintenance mode if it is ours.
	 *
	 * @param string $path The file.
	 * @return bool Whether it was.
	 */
	public static function end( string $path ): bool {
		return self::is_ours( $path ) && @unlink( $path );
	}

	/**
	 * Whether the file is ours.
	 *
	 * @param string $path The file.
	 */
	private static function is_ours( string $path ): bool {
		return is_file( $path ) && false !== strpos( (string) @file_get_contents( $path ), self::MARK );
	}
}
