<?php
/**
 * The last runs.
 *
 * @package Afterimage
 */

/**
 * Keeps runs that have ended, the newest first.
 */
class Afterimage_History {

	const LENGTH = 20;

	/**
	 * Where it is kept.
	 *
	 * @var Afterimage_Store
	 */
	private $store;

	/**
	 * Uses a store.
	 *
	 * @param Afterimage_Store $store Where it is kept.
	 */
	public function __construct( Afterimage_Store $store ) {
		$this->store = $store;
	}

	/**
	 * The runs.
	 */
	public function all(): array {
		$record = $this->store->get();
		return is_array( $record['runs'] ?? null ) ? $record['runs'] : array();
	}

	/**
	 * Adds a run, or replaces the one with its id.
	 *
	 * @param array $run A journal, with the time of its end.
	 */
	public function put( array $run ): void {
		$runs = $this->all();
		$at   = array_search( $run['id'], array_column( $runs, 'id' ), true );
		if ( false === $at ) {
			array_unshift( $runs, $run );
		} else {
			$runs[ $at ] = $run;
		}
		$this->store->put( array( 'runs' => array_slice( $runs, 0, self::LENGTH ) ) );
	}

	/**
	 * A run; null if it is not known any more.
	 *
	 * @param string $id Its id.
	 */
	public function find( string $id ): ?array {
		foreach ( $this->all() as $run ) {
			if ( $run['id'] === $id ) {
				return $run;
			}
		}
		return null;
	}
}
