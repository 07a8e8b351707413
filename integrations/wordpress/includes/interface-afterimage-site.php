<?php
/**
 * The site as a run needs it.
 *
 * @package Afterimage
 */

/**
 * What a run does to the site and asks of it. The tests have one of their own.
 */
interface Afterimage_Site {

	/**
	 * The time now, in Unix seconds.
	 */
	public function now(): int;

	/**
	 * The folder of a plugin or theme.
	 *
	 * @param array $item Of a journal.
	 */
	public function folder( array $item ): string;

	/**
	 * The version that is installed; empty if it cannot be told.
	 *
	 * @param array $item Of a journal.
	 */
	public function version( array $item ): string;

	/**
	 * The path of the file .maintenance.
	 */
	public function maintenance(): string;

	/**
	 * Updates a plugin or theme.
	 *
	 * @param array $item Of a journal.
	 * @return array{error: string, messages: string[]} The error is empty if it succeeded.
	 */
	public function upgrade( array $item ): array;

	/**
	 * Clears known caches, so that visitors and screenshots see the site as it is.
	 */
	public function clear_caches(): void;

	/**
	 * Makes the web server run the files of an item as they are now.
	 *
	 * @param array $item Of a journal.
	 * @return array{seconds: int, problem: string} Seconds until it does, and why that is not certain; empty if it is.
	 */
	public function refresh( array $item ): array;

	/**
	 * Does what is needed after a folder was put back: the plugin is active again if it was, and nothing runs from its other version.
	 *
	 * @param array $item Of a journal.
	 */
	public function restored( array $item ): void;

	/**
	 * An error of PHP that an update caused on the site, as the guard noticed it; empty for none.
	 *
	 * @param string $run  The id of the run.
	 * @param array  $item Of a journal.
	 */
	public function noticed( string $run, array $item ): string;

	/**
	 * Tells the owner of the site what happened to an item or a run.
	 *
	 * @param string $subject One line.
	 * @param string $text    What happened and what to do.
	 * @param string $link    Where to look; may be empty.
	 */
	public function tell( string $subject, string $text, string $link ): void;
}
