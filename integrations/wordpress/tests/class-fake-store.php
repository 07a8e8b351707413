<?php
/**
 * A place for one record, at which a process can be killed.
 *
 * @package Afterimage
 */

/**
 * What ends a process in a test. It is no Exception, so that nothing catches it.
 */
class Killed extends Error {
}

/**
 * Keeps a record as text, as an option does.
 */
class Fake_Store implements Afterimage_Store {

	/**
	 * The record.
	 *
	 * @var string|null
	 */
	public $text = null;

	/**
	 * How many writes there were.
	 *
	 * @var int
	 */
	public $writes = 0;

	/**
	 * The number of the write at which the process is killed; 0 for none.
	 *
	 * @var int
	 */
	public $kill_at = 0;

	/**
	 * Whether the kill comes after the write rather than before it.
	 *
	 * @var bool
	 */
	public $kill_after = false;

	/**
	 * Reads the record.
	 */
	public function get(): ?array {
		return null === $this->text ? null : unserialize( $this->text );
	}

	/**
	 * Writes the record.
	 *
	 * @param array $record The record.
	 */
	public function put( array $record ): void {
		$this->change( serialize( $record ) );
	}

	/**
	 * Removes the record.
	 */
	public function remove(): void {
		$this->change( null );
	}

	/**
	 * Changes the record, unless the process is killed.
	 *
	 * @param string|null $text The record.
	 * @throws Killed If it is.
	 */
	private function change( ?string $text ): void {
		++$this->writes;
		$now = $this->writes === $this->kill_at;
		if ( $now && ! $this->kill_after ) {
			throw new Killed( 'before write ' . $this->writes );
		}
		$this->text = $text;
		if ( $now ) {
			throw new Killed( 'after write ' . $this->writes );
		}
	}
}
