<?php
/**
 * Copies of plugins and themes from before their updates.
 *
 * @package Afterimage
 */

// phpcs:disable WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors

/**
 * Makes copies, and puts them back in such a way that a kill at any moment leaves what is needed to try again.
 */
class Afterimage_Backups {

	/**
	 * The folder of the copies.
	 *
	 * @var string
	 */
	private $root;

	/**
	 * WordPress' own folder of temporary backups.
	 *
	 * @var string
	 */
	private $core;

	/**
	 * Uses two folders.
	 *
	 * @param string $root Of the copies.
	 * @param string $core WordPress' own (since 6.3), such as wp-content/upgrade-temp-backup.
	 */
	public function __construct( string $root, string $core ) {
		$this->root = rtrim( $root, '/' );
		$this->core = rtrim( $core, '/' );
	}

	/**
	 * Why a folder cannot be updated and restored; empty if it can.
	 *
	 * @param string $folder Of a plugin or theme.
	 */
	public static function refusal( string $folder ): string {
		if ( ! is_dir( $folder ) ) {
			/* translators: %s: a folder. */
			return sprintf( __( '%s is not a folder. Plugins of a single file are not updated by Afterimage: update it by hand.', 'afterimage' ), $folder );
		}
		if ( is_link( $folder ) ) {
			/* translators: %s: a folder. */
			return sprintf( __( '%s is a symbolic link: update its target by hand.', 'afterimage' ), $folder );
		}
		foreach ( array( $folder, dirname( $folder ) ) as $needed ) {
			if ( ! is_writable( $needed ) ) {
				/* translators: %s: a folder. */
				return sprintf( __( 'PHP cannot write to %s. Grant it write access, or update by hand.', 'afterimage' ), $needed );
			}
		}
		return '';
	}

	/**
	 * Copies a folder and returns the copy's path and the fingerprint that identifies its contents.
	 *
	 * @param string $run    The id of the run.
	 * @param array  $item   Of a journal.
	 * @param string $folder Of the plugin or theme.
	 * @return array{path: string, print: string}
	 * @throws Afterimage_Problem If there is no room, or the copy differs.
	 */
	public function make( string $run, array $item, string $folder ): array {
		$this->prepare();
		$free = function_exists( 'disk_free_space' ) ? @disk_free_space( $this->root ) : false;
		$size = Afterimage_Folder::size( $folder );
		// Room for the copy, for another while it is put back, and for the update itself.
		if ( false !== $free && $free < 4 * $size ) {
			/* translators: 1: a number of megabytes, 2: a folder. */
			throw new Afterimage_Problem( sprintf( __( 'A copy of %2$s needs %1$d MB of free disk space. Free some space, then update again.', 'afterimage' ), ceil( 4 * $size / 1048576 ), $folder ) );
		}
		$copy = $this->path_of( $run, 'copy', $item );
		Afterimage_Folder::remove( $copy );
		$print = Afterimage_Folder::fingerprint( $folder );
		Afterimage_Folder::copy( $folder, $copy );
		if ( Afterimage_Folder::fingerprint( $copy ) !== $print ) {
			/* translators: 1: a folder, 2: a folder. */
			throw new Afterimage_Problem( sprintf( __( 'The copy of %1$s in %2$s is not complete. Check the disk, then update again.', 'afterimage' ), $folder, $copy ) );
		}
		return array(
			'path'  => $copy,
			'print' => $print,
		);
	}

	/**
	 * Puts a plugin or theme back: from WordPress' own backup where that is complete, else from our copy. If the folder is as it was,
	 * nothing is done, so this may be repeated.
	 *
	 * @param string $run    The id of the run.
	 * @param array  $item   Of a journal, with backup and print.
	 * @param string $folder Of the plugin or theme.
	 * @return string Where it came from: “none”, “wordpress” or “copy”.
	 * @throws Afterimage_Problem If it cannot be put back; the message says what to do by hand.
	 */
	public function restore( string $run, array $item, string $folder ): string {
		$aside = $this->path_of( $run, 'aside', $item );
		try {
			if ( '' !== $item['print'] && Afterimage_Folder::fingerprint( $folder ) === $item['print'] ) {
				Afterimage_Folder::remove( $aside );
				return 'none';
			}
			list( $source, $from ) = $this->source( $item );
			$stage                 = 'wordpress' === $from ? $source : $this->stage( $run, $item, $source );
			Afterimage_Folder::remove( $aside );
			if ( file_exists( $folder ) ) {
				Afterimage_Folder::move( $folder, $aside );
			}
			Afterimage_Folder::move( $stage, $folder );
			if ( Afterimage_Folder::fingerprint( $folder ) !== $item['print'] ) {
				throw new Afterimage_Problem( __( 'The restored folder differs from the copy.', 'afterimage' ) );
			}
		} catch ( Afterimage_Problem $problem ) {
			throw new Afterimage_Problem( $problem->getMessage() . ' ' . self::by_hand( $item, $folder ) );
		}
		$this->remove_quietly( $aside );
		return $from;
	}

	/**
	 * What to do by hand when a folder could not be put back.
	 *
	 * @param array  $item   Of a journal.
	 * @param string $folder Of the plugin or theme.
	 */
	public static function by_hand( array $item, string $folder ): string {
		if ( '' !== $item['backup'] && is_dir( $item['backup'] ) ) {
			/* translators: 1: a folder, 2: a folder, 3: a folder. */
			return sprintf( __( 'Do this by hand: delete the folder %1$s and copy %2$s to its place, by FTP or with: rm -rf %3$s', 'afterimage' ), $folder, $item['backup'], self::quoted( $folder ) . ' && cp -a ' . self::quoted( $item['backup'] ) . ' ' . self::quoted( $folder ) );
		}
		/* translators: 1: a folder, 2: a name, 3: a version. */
		return sprintf( __( 'Do this by hand: delete the folder %1$s and install %2$s %3$s again.', 'afterimage' ), $folder, $item['name'], $item['from'] );
	}

	/**
	 * A path as a shell takes it. Some servers forbid PHP's own function for it.
	 *
	 * @param string $path The path.
	 */
	private static function quoted( string $path ): string {
		return "'" . str_replace( "'", "'\\''", $path ) . "'";
	}

	/**
	 * Removes what a run has left, but for the copies that are still needed.
	 *
	 * @param string   $run  The id of the run.
	 * @param string[] $keep Paths of copies.
	 */
	public function forget( string $run, array $keep = array() ): void {
		$folder = $this->root . '/' . $run;
		foreach ( is_dir( $folder ) ? array_diff( (array) scandir( $folder ), array( '.', '..' ) ) : array() as $name ) {
			if ( ! in_array( $folder . '/' . $name, $keep, true ) ) {
				$this->remove_quietly( $folder . '/' . $name );
			}
		}
		@rmdir( $folder );
	}

	/**
	 * Removes the copies of runs that nobody needs any more.
	 *
	 * @param string[] $runs   Ids of runs whose copies stay.
	 * @param int      $before Copies that were touched later stay as well, in Unix seconds.
	 */
	public function tidy( array $runs, int $before ): void {
		foreach ( is_dir( $this->root ) ? (array) scandir( $this->root ) : array() as $name ) {
			$folder = $this->root . '/' . $name;
			if ( preg_match( '/^[0-9a-f]{16}$/', $name ) && ! in_array( $name, $runs, true ) && filemtime( $folder ) < $before ) {
				$this->remove_quietly( $folder );
			}
		}
	}

	/**
	 * Removes everything, for when the plugin is uninstalled.
	 */
	public function remove_all(): void {
		Afterimage_Folder::remove( $this->root );
	}

	/**
	 * The file that locks this folder for one purpose.
	 *
	 * @param string $purpose A word.
	 */
	public function lock( string $purpose ): Afterimage_Lock {
		return new Afterimage_Lock( $this->root . '/' . $purpose . '.lock' );
	}

	/**
	 * A complete copy to put back, and which one it is.
	 *
	 * @param array $item Of a journal.
	 * @return string[]
	 * @throws Afterimage_Problem If there is none.
	 */
	private function source( array $item ): array {
		$kinds = array(
			'wordpress' => $this->core . '/' . $item['kind'] . 's/' . $item['slug'],
			'copy'      => $item['backup'],
		);
		foreach ( $kinds as $kind => $path ) {
			if ( '' !== $item['print'] && '' !== $path && Afterimage_Folder::fingerprint( $path ) === $item['print'] ) {
				return array( $path, $kind );
			}
		}
		throw new Afterimage_Problem( __( 'There is no complete copy from before the update.', 'afterimage' ) );
	}

	/**
	 * Prepares the folder to be put in place, beside the copy, which stays.
	 *
	 * @param string $run    The id of the run.
	 * @param array  $item   Of a journal.
	 * @param string $source The copy.
	 */
	private function stage( string $run, array $item, string $source ): string {
		$stage = $this->path_of( $run, 'stage', $item );
		Afterimage_Folder::remove( $stage );
		Afterimage_Folder::copy( $source, $stage );
		return $stage;
	}

	/**
	 * The path of one of the folders of an item.
	 *
	 * @param string $run  The id of the run.
	 * @param string $part Which of them.
	 * @param array  $item Of a journal.
	 */
	private function path_of( string $run, string $part, array $item ): string {
		return $this->root . '/' . $run . '/' . $part . '-' . $item['kind'] . '-' . $item['slug'];
	}

	/**
	 * Makes the folder of the copies and closes it to visitors: old versions may have known faults.
	 */
	private function prepare(): void {
		Afterimage_Folder::make( $this->root );
		@file_put_contents( $this->root . '/index.php', "<?php\n// Nothing to see.\n" );
		$now    = "<IfModule mod_authz_core.c>\n\tRequire all denied\n</IfModule>\n";
		$former = "<IfModule !mod_authz_core.c>\n\tDeny from all\n</IfModule>\n";
		@file_put_contents( $this->root . '/.htaccess', $now . $former );
	}

	/**
	 * Removes what is not needed any more. That it stays is no reason to stop.
	 *
	 * @param string $path A folder.
	 */
	private function remove_quietly( string $path ): void {
		try {
			Afterimage_Folder::remove( $path );
		} catch ( Afterimage_Problem $problem ) {
			unset( $problem );
		}
	}
}
