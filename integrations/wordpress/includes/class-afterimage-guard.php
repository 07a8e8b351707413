<?php
/**
 * Watches for errors of PHP while an update is on trial.
 *
 * @package Afterimage
 */

/**
 * If the new version of a plugin or theme stops a request with an error, its folder is put back at the end of that request, without
 * waiting for a verdict: the site may be unable to run its scheduled tasks. The run learns of it and checks the site.
 */
class Afterimage_Guard {

	const OPTION = 'afterimage_guard';

	/**
	 * Errors that stop a request, other than running out of time or memory.
	 */
	const FATAL = array( E_ERROR, E_PARSE, E_CORE_ERROR, E_COMPILE_ERROR, E_RECOVERABLE_ERROR );

	/**
	 * Watches this request if an update is on trial.
	 *
	 * @param array|null $journal The record of the run; null if there is none.
	 */
	public static function watch( ?array $journal ): void {
		$item = null === $journal ? null : Afterimage_Journal::on_trial( $journal );
		if ( null === $item ) {
			return;
		}
		$folder = Afterimage_WP_Site::folder_of( $item );
		register_shutdown_function(
			static function () use ( $journal, $item, $folder ) {
				$error = error_get_last();
				if ( self::blames( $error, $folder ) ) {
					self::act( $journal['id'], $item, $folder, $error );
				}
			}
		);
	}

	/**
	 * Whether an error is from the code in a folder, or that code led to it.
	 *
	 * @param array|null $error  As error_get_last() tells it.
	 * @param string     $folder The folder.
	 */
	public static function blames( ?array $error, string $folder ): bool {
		if ( null === $error || ! in_array( $error['type'], self::FATAL, true ) ) {
			return false;
		}
		if ( preg_match( '/^(Maximum execution time|Allowed memory size)/', $error['message'] ) ) {
			return false;
		}
		$folder = str_replace( '\\', '/', $folder ) . '/';
		return false !== strpos( str_replace( '\\', '/', $error['file'] . "\n" . $error['message'] ), $folder );
	}

	/**
	 * Puts the folder back and notes why.
	 *
	 * @param string $run    The id of the run.
	 * @param array  $item   Of its journal.
	 * @param string $folder Of the plugin or theme.
	 * @param array  $error  As error_get_last() tells it.
	 */
	private static function act( string $run, array $item, string $folder, array $error ): void {
		/* translators: 1: a name and a version, 2: a message of PHP. */
		$text   = sprintf( __( 'PHP stopped with an error in %1$s: %2$s', 'afterimage' ), $item['name'] . ' ' . $item['to'], strtok( $error['message'], "\n" ) );
		$note   = array(
			'run'    => $run,
			'id'     => $item['id'],
			'reason' => Afterimage_Text::cut( str_replace( ABSPATH, '', $text ), 400 ),
		);
		$plugin = Afterimage_Plugin::backups();
		try {
			$lock = $plugin->lock( 'restore' );
			if ( ! $lock->take() ) {
				return;
			}
			( new Afterimage_Option_Store( self::OPTION ) )->put( $note );
			$plugin->restore( $run, $item, $folder );
			$lock->release();
		} catch ( Afterimage_Problem $problem ) {
			// The run tries it again and tells what to do.
			unset( $problem );
		}
	}

	/**
	 * What was noted about an item; empty for nothing.
	 *
	 * @param string $run  The id of the run.
	 * @param array  $item Of its journal.
	 */
	public static function noticed( string $run, array $item ): string {
		$note = ( new Afterimage_Option_Store( self::OPTION ) )->get();
		return null !== $note && $note['run'] === $run && $note['id'] === $item['id'] ? (string) $note['reason'] : '';
	}
}
