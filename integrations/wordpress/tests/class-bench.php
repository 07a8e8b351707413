<?php
/**
 * A site, a service and a run between them.
 *
 * @package Afterimage
 */

/**
 * Sets up what a test of a run needs, in a folder of its own.
 */
class Bench {

	/**
	 * The folders of this test.
	 *
	 * @var string[]
	 */
	private static $folders = array();

	/**
	 * The service.
	 *
	 * @var Fake_Service
	 */
	public $service;

	/**
	 * The site.
	 *
	 * @var Fake_Site
	 */
	public $site;

	/**
	 * The journal.
	 *
	 * @var Fake_Store
	 */
	public $store;

	/**
	 * The last runs.
	 *
	 * @var Afterimage_History
	 */
	public $history;

	/**
	 * The copies.
	 *
	 * @var Afterimage_Backups
	 */
	public $backups;

	/**
	 * The fingerprint of each folder before anything happened, by slug.
	 *
	 * @var array
	 */
	public $original = array();

	/**
	 * Sets up a site with plugins and a theme, all of version 1.0.
	 *
	 * @param string[] $slugs The slugs of its plugins; one that begins with “theme” is a theme.
	 * @param bool     $force Whether the run may do without screenshots from before.
	 */
	public function __construct( array $slugs = array( 'cart' ), bool $force = false ) {
		$root          = self::folder();
		$this->site    = new Fake_Site( $root . '/wp-content' );
		$this->service = new Fake_Service();
		$this->store   = new Fake_Store();
		$this->history = new Afterimage_History( new Fake_Store() );
		$this->backups = new Afterimage_Backups( $root . '/wp-content/upgrade/afterimage-backup', $root . '/wp-content/upgrade-temp-backup' );
		$items         = array();
		foreach ( $slugs as $slug ) {
			$theme   = 0 === strpos( $slug, 'theme' );
			$items[] = $theme
				? Afterimage_Journal::item( 'theme', $slug, ucfirst( $slug ), '1.0', '2.0' )
				: Afterimage_Journal::item( 'plugin', "$slug/main.php", ucfirst( $slug ), '1.0', '2.0', 'site' );
			self::plant( $this->site->folder( end( $items ) ) );
			$this->original[ $slug ] = Afterimage_Folder::fingerprint( $this->site->folder( end( $items ) ) );
		}
		$this->store->text = serialize( Afterimage_Journal::begin( 'group', $items, 'manual', $force, $this->site->now ) );
	}

	/**
	 * A new folder, which is removed after the test.
	 */
	public static function folder(): string {
		$folder = sys_get_temp_dir() . '/afterimage-test-' . bin2hex( random_bytes( 6 ) );
		mkdir( $folder );
		self::$folders[] = $folder;
		return $folder;
	}

	/**
	 * Removes the folders of a test.
	 */
	public static function clean(): void {
		foreach ( self::$folders as $folder ) {
			Afterimage_Folder::remove( $folder );
		}
		self::$folders = array();
	}

	/**
	 * Makes the folder of a plugin or theme of version 1.0.
	 *
	 * @param string $folder The folder.
	 */
	public static function plant( string $folder ): void {
		mkdir( $folder . '/lib/deep', 0755, true );
		mkdir( $folder . '/empty' );
		file_put_contents( $folder . '/main.php', "<?php\n// Version: 1.0\n" );
		file_put_contents( $folder . '/lib/deep/old.php', str_repeat( 'old ', 5000 ) );
		file_put_contents( $folder . '/lib-beside.php', '' );
		symlink( 'main.php', $folder . '/link.php' );
	}

	/**
	 * A client of the service.
	 */
	public function client(): Afterimage_Client {
		return new Afterimage_Client( Fake_Service::URL, 'token-of-the-test', $this->service );
	}

	/**
	 * The run, as a new process sees it.
	 */
	public function run(): Afterimage_Run {
		return new Afterimage_Run( $this->store, $this->client(), $this->site, $this->backups, $this->history );
	}

	/**
	 * Goes on until the run ends, and returns its record. The clock moves by what it waits.
	 *
	 * @throws Exception If it does not end.
	 */
	public function finish(): array {
		$run = $this->run();
		for ( $steps = 0; $steps < 2000; $steps++ ) {
			$delay = $run->step();
			if ( null === $delay ) {
				return $this->history->all()[0];
			}
			$this->site->now += $delay;
		}
		throw new Exception( 'the run does not end' );
	}

	/**
	 * Whether the folder of an item is as it was before anything happened.
	 *
	 * @param string $slug Its slug.
	 */
	public function as_before( string $slug ): bool {
		$kind = 0 === strpos( $slug, 'theme' ) ? 'themes' : 'plugins';
		return Afterimage_Folder::fingerprint( "{$this->site->content}/$kind/$slug" ) === $this->original[ $slug ];
	}

	/**
	 * What was left behind of copies, but for the files that belong there.
	 *
	 * @return string[]
	 */
	public function leftovers(): array {
		$root = $this->site->content . '/upgrade/afterimage-backup';
		return is_dir( $root ) ? array_values( array_diff( scandir( $root ), array( '.', '..', 'index.php', '.htaccess', 'restore.lock', 'run.lock' ) ) ) : array();
	}
}
