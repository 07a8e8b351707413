<?php
/**
 * The record of a run, from which any process can take it up.
 *
 * @package Afterimage
 */

/**
 * Makes records. Afterimage_Run says what becomes of them.
 */
class Afterimage_Journal {

	/**
	 * A record of a run that has not begun.
	 *
	 * @param string $group  The id of the group with the site's pages.
	 * @param array  $items  See item().
	 * @param string $source “manual” or “auto_update”.
	 * @param bool   $force  Whether to update although there are no screenshots from before.
	 * @param int    $now    In Unix seconds.
	 */
	public static function begin( string $group, array $items, string $source, bool $force, int $now ): array {
		return array(
			'id'        => bin2hex( random_bytes( 8 ) ),
			'group'     => $group,
			'items'     => $items,
			'source'    => $source,
			'mode'      => 'guard',
			'force'     => $force,
			'step'      => 'before',
			'index'     => 0,
			'started'   => $now,
			'beat'      => $now,
			'since'     => $now,
			'polls'     => 0,
			'begun'     => 0,
			'before'    => '',
			'before_at' => 0,
			'status'    => '',
			'notes'     => array(),
			'waiting'   => '',
		);
	}

	/**
	 * A record of a run that only looks at updates that were made otherwise: they cannot be taken back one by one.
	 *
	 * @param string $group  The id of the group with the site's pages.
	 * @param array  $items  See item().
	 * @param string $source “manual” or “auto_update”.
	 * @param string $before The id of the batch from before the updates.
	 * @param int    $now    In Unix seconds.
	 */
	public static function observe( string $group, array $items, string $source, string $before, int $now ): array {
		foreach ( $items as &$item ) {
			$item['state'] = '' === $item['error'] ? 'updated' : 'failed';
		}
		return array(
			'mode'      => 'observe',
			'items'     => $items,
			'step'      => 'after',
			'before'    => $before,
			'before_at' => $now,
			'begun'     => $now,
		) + self::begin( $group, $items, $source, false, $now );
	}

	/**
	 * A record of something to update.
	 *
	 * @param string $kind   “plugin”, “theme” or “core”.
	 * @param string $id     The main file of a plugin below the folder of plugins, or the folder of a theme.
	 * @param string $name   Its name as shown.
	 * @param string $from   The version that is installed.
	 * @param string $to     The version to update to.
	 * @param string $active “site”, “network”, or empty if it is not active.
	 */
	public static function item( string $kind, string $id, string $name, string $from, string $to, string $active = '' ): array {
		return array(
			'kind'     => $kind,
			'id'       => $id,
			'slug'     => 'plugin' === $kind && false !== strpos( $id, '/' ) ? dirname( $id ) : basename( $id, '.php' ),
			'name'     => $name,
			'from'     => $from,
			'to'       => $to,
			'active'   => $active,
			'state'    => 'waiting',
			'error'    => '',
			'messages' => array(),
			'backup'   => '',
			'print'    => '',
			'attempts' => 0,
			'after'    => '',
			'recheck'  => '',
			'decision' => '',
			'reasons'  => array(),
			'culprit'  => '',
			'previews' => array(),
		);
	}

	/**
	 * Whether a run was at work on the files of the site when its record was last written: these may be incomplete.
	 *
	 * @param array $journal A record.
	 */
	public static function touches_files( array $journal ): bool {
		$item = $journal['items'][ $journal['index'] ] ?? null;
		return null !== $item && 'guard' === $journal['mode']
			&& ( 'restore' === $journal['step'] || ( 'update' === $journal['step'] && $item['attempts'] > 0 ) );
	}

	/**
	 * The item whose new version is on the site and not judged yet; null if there is none.
	 *
	 * @param array $journal A record.
	 */
	public static function on_trial( array $journal ): ?array {
		$item = $journal['items'][ $journal['index'] ] ?? null;
		return null !== $item && 'guard' === $journal['mode'] && 'updated' === $item['state'] && '' !== $item['print'] ? $item : null;
	}

	/**
	 * Where a run is, in words.
	 *
	 * @param array $journal A record.
	 */
	public static function sentence( array $journal ): string {
		$name  = $journal['items'][ $journal['index'] ]['name'] ?? '';
		$steps = array(
			'before'       => __( 'Starting the screenshots before the update.', 'afterimage' ),
			'before_wait'  => __( 'Waiting for the screenshots before the update.', 'afterimage' ),
			/* translators: %s: a name. */
			'backup'       => sprintf( __( 'Copying %s before its update.', 'afterimage' ), $name ),
			/* translators: %s: a name. */
			'update'       => sprintf( __( 'Updating %s.', 'afterimage' ), $name ),
			/* translators: %s: a name. */
			'after'        => sprintf( __( 'Starting the screenshots after the update of %s.', 'afterimage' ), $name ),
			/* translators: %s: a name. */
			'report'       => sprintf( __( 'Reporting the update of %s.', 'afterimage' ), $name ),
			/* translators: %s: a name. */
			'gate'         => sprintf( __( 'Waiting for the verdict on the update of %s.', 'afterimage' ), $name ),
			/* translators: %s: a name. */
			'restore'      => sprintf( __( 'Rolling back the update of %s.', 'afterimage' ), $name ),
			/* translators: %s: a name. */
			'recheck'      => sprintf( __( 'Starting screenshots after %s was rolled back.', 'afterimage' ), $name ),
			/* translators: %s: a name. */
			'recheck_gate' => sprintf( __( 'Checking the site after %s was rolled back.', 'afterimage' ), $name ),
		);
		return trim( ( $steps[ $journal['step'] ] ?? __( 'Continuing with the next step.', 'afterimage' ) ) . ' ' . $journal['waiting'] );
	}
}
