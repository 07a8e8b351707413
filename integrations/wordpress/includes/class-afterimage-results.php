<?php
/**
 * The results of updates, as the service takes them.
 *
 * @package Afterimage
 */

/**
 * Builds the body of update-results within the limits of its fields.
 */
class Afterimage_Results {

	/**
	 * Builds the body for items that were updated together.
	 *
	 * @param array $items Of a journal.
	 * @param int   $time  When the update ran, in Unix seconds.
	 */
	public static function of( array $items, int $time ): array {
		$updates = array(
			'core'    => null,
			'plugins' => array(),
			'themes'  => array(),
		);
		$failed  = 0;
		foreach ( $items as $item ) {
			$failed += '' === $item['error'] ? 0 : 1;
			if ( 'core' === $item['kind'] ) {
				$updates['core'] = array( 'attempted' => true ) + self::common( $item );
				continue;
			}
			$updates[ 'theme' === $item['kind'] ? 'themes' : 'plugins' ][] = array(
				'slug' => Afterimage_Text::cut( $item['slug'], 255 ),
				'name' => Afterimage_Text::cut( $item['name'], 255 ),
			) + self::common( $item );
		}
		$total = count( $items );
		return array(
			'timestamp' => $time,
			'updates'   => $updates,
			'summary'   => array(
				'total_attempted' => $total,
				'successful'      => $total - $failed,
				'failed'          => $failed,
				'status'          => 0 === $failed ? 'completed' : ( $failed < $total ? 'completed_with_errors' : 'failed' ),
			),
		);
	}

	/**
	 * The fields that core, plugins and themes share.
	 *
	 * @param array $item Of a journal.
	 */
	private static function common( array $item ): array {
		$messages = array();
		foreach ( array_slice( $item['messages'], 0, 50 ) as $message ) {
			$messages[] = Afterimage_Text::cut( $message, 300 );
		}
		return array(
			'success'      => '' === $item['error'],
			'from_version' => '' === $item['from'] ? null : Afterimage_Text::cut( $item['from'], 50 ),
			'to_version'   => '' === $item['to'] ? null : Afterimage_Text::cut( $item['to'], 50 ),
			'error'        => '' === $item['error'] ? null : Afterimage_Text::cut( $item['error'], 500 ),
			'messages'     => $messages,
		);
	}
}
