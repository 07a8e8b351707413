<?php
/**
 * Operations on whole folders.
 *
 * @package Afterimage
 */

// This class needs the file system itself, also before WordPress' own file functions are loaded and after a fatal error.
// phpcs:disable WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors

/**
 * Tells folders apart by their contents, copies, moves and removes them.
 */
class Afterimage_Folder {

	/**
	 * What identifies the contents of a folder: names, sizes and contents of all files. Empty if there is no such folder.
	 *
	 * @param string $path The folder.
	 */
	public static function fingerprint( string $path ): string {
		if ( ! is_dir( $path ) ) {
			return '';
		}
		$hash = hash_init( 'sha256' );
		foreach ( self::entries( $path ) as $name ) {
			$file = $path . '/' . $name;
			if ( is_link( $file ) ) {
				$what = 'link ' . readlink( $file );
			} elseif ( is_dir( $file ) ) {
				$what = 'folder';
			} else {
				$what = (string) @hash_file( 'sha256', $file );
			}
			hash_update( $hash, $name . "\0" . $what . "\0" );
		}
		return hash_final( $hash );
	}

	/**
	 * The size of all files in a folder, in bytes.
	 *
	 * @param string $path The folder.
	 */
	public static function size( string $path ): int {
		return (int) array_sum( array_map( 'filesize', self::files( $path ) ) );
	}

	/**
	 * The paths of all files in a folder.
	 *
	 * @param string $path The folder.
	 * @return string[]
	 */
	public static function files( string $path ): array {
		$files = array();
		foreach ( self::entries( $path ) as $name ) {
			if ( is_file( $path . '/' . $name ) ) {
				$files[] = $path . '/' . $name;
			}
		}
		return $files;
	}

	/**
	 * Copies a folder to a place where there is nothing yet.
	 *
	 * @param string $from The folder.
	 * @param string $to   Its copy.
	 * @throws Afterimage_Problem If a file cannot be read or written.
	 */
	public static function copy( string $from, string $to ): void {
		self::make( $to );
		foreach ( self::entries( $from ) as $name ) {
			$source = $from . '/' . $name;
			$target = $to . '/' . $name;
			if ( is_link( $source ) ) {
				$done = @symlink( readlink( $source ), $target );
			} elseif ( is_dir( $source ) ) {
				$done = @mkdir( $target );
			} else {
				$done = @copy( $source, $target );
			}
			if ( ! $done ) {
				/* translators: 1: a file, 2: a file. */
				throw new Afterimage_Problem( sprintf( __( '%1$s could not be copied to %2$s.', 'afterimage' ), $source, $target ) );
			}
			if ( ! is_link( $target ) ) {
				@chmod( $target, fileperms( $source ) & 07777 );
			}
		}
	}

	/**
	 * Moves a folder to a place where there is nothing yet; copies it where it cannot be moved, as from one disk to another.
	 *
	 * @param string $from The folder.
	 * @param string $to   Its new place.
	 * @throws Afterimage_Problem If it cannot be moved.
	 */
	public static function move( string $from, string $to ): void {
		if ( @rename( $from, $to ) ) {
			return;
		}
		self::copy( $from, $to );
		self::remove( $from );
	}

	/**
	 * Removes a folder, or does nothing if there is none.
	 *
	 * @param string $path The folder.
	 * @throws Afterimage_Problem If something in it cannot be removed.
	 */
	public static function remove( string $path ): void {
		if ( is_link( $path ) || is_file( $path ) ) {
			$done = @unlink( $path );
		} elseif ( is_dir( $path ) ) {
			foreach ( array_reverse( self::entries( $path ) ) as $name ) {
				$file = $path . '/' . $name;
				is_dir( $file ) && ! is_link( $file ) ? @rmdir( $file ) : @unlink( $file );
			}
			$done = @rmdir( $path );
		} else {
			return;
		}
		if ( ! $done ) {
			/* translators: %s: a folder. */
			throw new Afterimage_Problem( sprintf( __( '%s could not be removed. Delete it by hand.', 'afterimage' ), $path ) );
		}
	}

	/**
	 * Makes a folder and those above it.
	 *
	 * @param string $path The folder.
	 * @throws Afterimage_Problem If it cannot be made.
	 */
	public static function make( string $path ): void {
		if ( ! is_dir( $path ) && ! @mkdir( $path, 0755, true ) && ! is_dir( $path ) ) {
			/* translators: %s: a folder. */
			throw new Afterimage_Problem( sprintf( __( 'The folder %s could not be created. Let PHP write to its parent folder.', 'afterimage' ), $path ) );
		}
	}

	/**
	 * The paths of everything in a folder, folders before what is in them. Links are not followed.
	 *
	 * @param string $path The folder.
	 * @return string[]
	 */
	private static function entries( string $path ): array {
		$names = array();
		$ahead = array( '' );
		while ( $ahead ) {
			$within = array_pop( $ahead );
			$list   = @scandir( $path . '/' . $within );
			foreach ( $list ? array_diff( $list, array( '.', '..' ) ) : array() as $name ) {
				$names[] = $within . $name;
				if ( is_dir( $path . '/' . $within . $name ) && ! is_link( $path . '/' . $within . $name ) ) {
					$ahead[] = $within . $name . '/';
				}
			}
		}
		sort( $names, SORT_STRING );
		return $names;
	}
}
