<?php
/**
 * Words for states.
 *
 * @package Afterimage
 */

/**
 * Says in a few words what became of runs and items.
 */
class Afterimage_Words {

	/**
	 * What became of a run.
	 *
	 * @param string $status Of a run.
	 */
	public static function status( string $status ): string {
		$words = array(
			'done'    => __( 'done', 'afterimage' ),
			'stopped' => __( 'stopped', 'afterimage' ),
			'stuck'   => __( 'needs manual action', 'afterimage' ),
		);
		return $words[ $status ] ?? $status;
	}

	/**
	 * What became of an item.
	 *
	 * @param array $item Of a run.
	 */
	public static function state( array $item ): string {
		if ( 'site' === $item['kind'] ) {
			return 'kept' === $item['state'] ? __( 'no damage found', 'afterimage' ) : __( 'the change needs review', 'afterimage' );
		}
		$words = array(
			'waiting'     => __( 'waiting', 'afterimage' ),
			'updated'     => __( 'updated', 'afterimage' ),
			'kept'        => __( 'updated and kept', 'afterimage' ),
			'asked'       => __( 'updated and kept; needs review', 'afterimage' ),
			'rolled_back' => __( 'rolled back', 'afterimage' ),
			'failed'      => __( 'the update failed', 'afterimage' ),
			'skipped'     => __( 'not updated', 'afterimage' ),
			'left'        => __( 'not updated', 'afterimage' ),
			'stuck'       => __( 'could not be restored', 'afterimage' ),
		);
		return $words[ $item['state'] ] ?? $item['state'];
	}

	/**
	 * The versions of an item; empty if they are not known.
	 *
	 * @param array $item Of a run.
	 */
	public static function versions( array $item ): string {
		return '' === $item['from'] . $item['to'] ? '' : $item['from'] . ' → ' . $item['to'];
	}
}
