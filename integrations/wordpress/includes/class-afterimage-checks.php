<?php
/**
 * Screenshots before and after something that a person does.
 *
 * @package Afterimage
 */

/**
 * Remembers the latest run before, which the run after is compared with.
 */
class Afterimage_Checks {

	const OPTION = 'afterimage_check';

	/**
	 * Starts the screenshots before.
	 *
	 * @return string The id of the batch.
	 * @throws Afterimage_Problem If the site is not connected.
	 */
	public static function before(): string {
		$client = Afterimage_Plugin::client();
		if ( null === $client ) {
			throw new Afterimage_Problem( __( 'The site is not connected to a service yet.', 'afterimage' ) );
		}
		Afterimage_Caches::clear();
		$taken = $client->take( Afterimage_Plugin::connection()['group'], 'pre', 'manual' );
		update_option(
			self::OPTION,
			array(
				'batch' => $taken['batch'],
				'at'    => time(),
			),
			false
		);
		return $taken['batch'];
	}

	/**
	 * The latest run before: its batch and its time; null if there is none.
	 *
	 * @param int $age How old it may be in seconds.
	 */
	public static function latest( int $age = PHP_INT_MAX ): ?array {
		$check = get_option( self::OPTION, null );
		return is_array( $check ) && time() - $check['at'] <= $age ? $check : null;
	}

	/**
	 * The record of a run after.
	 *
	 * @return array A journal.
	 * @throws Afterimage_Problem If there are no screenshots from before.
	 */
	public static function after(): array {
		$before = self::latest();
		if ( null === Afterimage_Plugin::connection() || null === $before ) {
			throw new Afterimage_Problem( __( 'There are no before screenshots yet.', 'afterimage' ) );
		}
		$site = Afterimage_Journal::item( 'site', 'site', __( 'The site', 'afterimage' ), '', '' );
		return Afterimage_Journal::observe( Afterimage_Plugin::connection()['group'], array( $site ), 'manual', $before['batch'], time() );
	}
}
