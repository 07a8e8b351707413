<?php
/**
 * A site with real folders.
 *
 * @package Afterimage
 */

/**
 * Updates by replacing files, with a clock that the test moves.
 */
class Fake_Site implements Afterimage_Site {

	/**
	 * The folder of the site's content.
	 *
	 * @var string
	 */
	public $content;

	/**
	 * The time.
	 *
	 * @var int
	 */
	public $now = 1800000000;

	/**
	 * What was told.
	 *
	 * @var string[]
	 */
	public $told = array();

	/**
	 * How the updates of items go, by slug: “error”, “half” (error and half of the files), “nothing”, or “kill” once or “kill always”.
	 *
	 * @var array
	 */
	public $updates = array();

	/**
	 * Slugs of items whose folder was put back.
	 *
	 * @var string[]
	 */
	public $restored = array();

	/**
	 * What the guard noticed, by slug.
	 *
	 * @var array
	 */
	public $noticed = array();

	/**
	 * How often caches were cleared.
	 *
	 * @var int
	 */
	public $cleared = 0;

	/**
	 * How many seconds the web server goes on with the files of before.
	 *
	 * @var int
	 */
	public $stale = 0;

	/**
	 * Why it is not certain when that ends; empty if it is.
	 *
	 * @var string
	 */
	public $unsure = '';

	/**
	 * The items whose files were read again, with the time until which they were not.
	 *
	 * @var array
	 */
	public $fresh = array();

	/**
	 * Makes a site.
	 *
	 * @param string $content The folder of its content.
	 */
	public function __construct( string $content ) {
		$this->content = $content;
	}

	/**
	 * The time.
	 */
	public function now(): int {
		return $this->now;
	}

	/**
	 * The folder of an item.
	 *
	 * @param array $item The item.
	 */
	public function folder( array $item ): string {
		return $this->content . '/' . $item['kind'] . 's/' . $item['slug'];
	}

	/**
	 * The version in the main file of an item.
	 *
	 * @param array $item The item.
	 */
	public function version( array $item ): string {
		$file = $this->folder( $item ) . '/main.php';
		return is_file( $file ) && preg_match( '/Version: (\S+)/', file_get_contents( $file ), $found ) ? $found[1] : '';
	}

	/**
	 * The path of the file .maintenance.
	 */
	public function maintenance(): string {
		return dirname( $this->content ) . '/.maintenance';
	}

	/**
	 * Updates an item.
	 *
	 * @param array $item The item.
	 * @throws Killed If the test says so.
	 */
	public function upgrade( array $item ): array {
		$how  = $this->updates[ $item['slug'] ] ?? '';
		$this->now += 3;
		Afterimage_Maintenance::begin( $this->maintenance(), $this->now );
		if ( 'nothing' !== $how && 'error' !== $how ) {
			unlink( $this->folder( $item ) . '/lib/deep/old.php' );
			file_put_contents( $this->folder( $item ) . '/main.php', "<?php\n// Version: {$item['to']}\n" );
		}
		if ( 0 === strpos( $how, 'kill' ) ) {
			if ( 'kill' === $how ) {
				unset( $this->updates[ $item['slug'] ] );
			}
			throw new Killed( 'in the update' );
		}
		if ( '' === $how ) {
			file_put_contents( $this->folder( $item ) . '/new.php', 'new' );
		}
		if ( 'half' !== $how ) {
			Afterimage_Maintenance::end( $this->maintenance() );
		}
		return array(
			'error'    => in_array( $how, array( 'error', 'half' ), true ) ? 'Download failed.' : '',
			'messages' => array( 'Downloading.' ),
		);
	}

	/**
	 * Counts.
	 */
	public function clear_caches(): void {
		++$this->cleared;
	}

	/**
	 * Notes until when the files of before are shown.
	 *
	 * @param array $item The item.
	 */
	public function refresh( array $item ): array {
		$this->fresh[] = array( $item['slug'], $this->now + $this->stale );
		return array(
			'seconds' => $this->stale,
			'problem' => $this->unsure,
		);
	}

	/**
	 * Notes that a folder was put back.
	 *
	 * @param array $item The item.
	 */
	public function restored( array $item ): void {
		$this->restored[] = $item['slug'];
	}

	/**
	 * What the guard noticed.
	 *
	 * @param string $run  The id of the run.
	 * @param array  $item The item.
	 */
	public function noticed( string $run, array $item ): string {
		return $this->noticed[ $item['slug'] ] ?? '';
	}

	/**
	 * Notes what is told.
	 *
	 * @param string $subject One line.
	 * @param string $text    The text.
	 * @param string $link    Where to look.
	 */
	public function tell( string $subject, string $text, string $link ): void {
		$this->told[] = trim( "$subject: $text $link" );
	}
}
