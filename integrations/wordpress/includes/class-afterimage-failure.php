<?php
/**
 * A request to the service that did not succeed.
 *
 * @package Afterimage
 */

/**
 * Why a request failed, in words for the owner of the site and as a kind to decide by.
 */
class Afterimage_Failure extends Exception {

	/**
	 * One of unreachable, unreadable, refused, exhausted, missing, busy, invalid, limited, broken and other.
	 *
	 * @var string
	 */
	public $kind;

	/**
	 * Seconds that the service asks to wait; 0 if it named none.
	 *
	 * @var int
	 */
	public $retry_after;

	/**
	 * Makes a failure.
	 *
	 * @param string $kind        See the property.
	 * @param string $message     A sentence without secrets.
	 * @param int    $retry_after Seconds that the service asks to wait.
	 */
	public function __construct( string $kind, string $message, int $retry_after = 0 ) {
		parent::__construct( $message );
		$this->kind        = $kind;
		$this->retry_after = $retry_after;
	}

	/**
	 * Whether the same request may succeed later without anybody doing anything.
	 */
	public function passes(): bool {
		return in_array( $this->kind, array( 'unreachable', 'unreadable', 'busy', 'limited', 'broken' ), true );
	}
}
