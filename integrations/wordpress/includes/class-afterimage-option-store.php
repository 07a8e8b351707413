<?php
/**
 * A record in an option.
 *
 * @package Afterimage
 */

/**
 * Reads past the cache of this process, since another one may have written meanwhile.
 */
class Afterimage_Option_Store implements Afterimage_Store {

	/**
	 * The name of the option.
	 *
	 * @var string
	 */
	private $name;

	/**
	 * Whether each request needs it.
	 *
	 * @var bool
	 */
	private $autoload;

	/**
	 * Uses an option.
	 *
	 * @param string $name     Its name.
	 * @param bool   $autoload Whether each request needs it.
	 */
	public function __construct( string $name, bool $autoload = false ) {
		$this->name     = $name;
		$this->autoload = $autoload;
	}

	/**
	 * Reads the record.
	 */
	public function get(): ?array {
		$this->forget();
		$record = get_option( $this->name, null );
		return is_array( $record ) ? $record : null;
	}

	/**
	 * Writes the record.
	 *
	 * @param array $record The record.
	 */
	public function put( array $record ): void {
		$this->forget();
		update_option( $this->name, $record, $this->autoload );
	}

	/**
	 * Removes the record.
	 */
	public function remove(): void {
		$this->forget();
		delete_option( $this->name );
	}

	/**
	 * Forgets what this process knows of the option.
	 */
	private function forget(): void {
		wp_cache_delete( $this->name, 'options' );
		wp_cache_delete( 'notoptions', 'options' );
		if ( $this->autoload ) {
			wp_cache_delete( 'alloptions', 'options' );
		}
	}
}
