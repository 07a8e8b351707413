<?php
/**
 * A lock between processes.
 *
 * @package Afterimage
 */

// phpcs:disable WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors

/**
 * A lock on a file, which the system releases when its process ends, however it ends.
 */
class Afterimage_Lock {

	/**
	 * The file.
	 *
	 * @var string
	 */
	private $path;

	/**
	 * The open file while the lock is held.
	 *
	 * @var resource|null
	 */
	private $file = null;

	/**
	 * Makes a lock that is not held yet.
	 *
	 * @param string $path The file; it and its folder are made when needed.
	 */
	public function __construct( string $path ) {
		$this->path = $path;
	}

	/**
	 * Takes the lock, unless another process has it.
	 *
	 * @throws Afterimage_Problem If the file cannot be written.
	 */
	public function take(): bool {
		if ( null !== $this->file ) {
			return true;
		}
		Afterimage_Folder::make( dirname( $this->path ) );
		$file = @fopen( $this->path, 'c' );
		if ( false === $file ) {
			/* translators: %s: a file. */
			throw new Afterimage_Problem( sprintf( __( 'The file %s cannot be written. Let PHP write to its folder.', 'afterimage' ), $this->path ) );
		}
		if ( ! flock( $file, LOCK_EX | LOCK_NB ) ) {
			fclose( $file );
			return false;
		}
		$this->file = $file;
		return true;
	}

	/**
	 * Releases the lock.
	 */
	public function release(): void {
		if ( null !== $this->file ) {
			fclose( $this->file );
			$this->file = null;
		}
	}
}
