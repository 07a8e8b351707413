<?php
/**
 * A place for one record.
 *
 * @package Afterimage
 */

/**
 * Keeps one record across processes, such as an option.
 */
interface Afterimage_Store {

	/**
	 * The record as any process last wrote it; null if there is none.
	 */
	public function get(): ?array;

	/**
	 * Writes the record.
	 *
	 * @param array $record The record.
	 */
	public function put( array $record ): void;

	/**
	 * Removes the record.
	 */
	public function remove(): void;
}
