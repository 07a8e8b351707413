<?php
/**
 * The commands of WP-CLI.
 *
 * @package Afterimage
 */

/**
 * Checks the site before and after updates, and rolls back updates that damage it.
 */
class Afterimage_CLI {

	/**
	 * Connects the site to a service and sends its pages.
	 *
	 * ## OPTIONS
	 *
	 * <address>
	 * : The address of the service, or a connection link, which contains the token after a #.
	 *
	 * [--token-file=<file>]
	 * : A file with the API token. Without it, the token in the link or in AFTERIMAGE_TOKEN is used.
	 *
	 * ## EXAMPLES
	 *
	 *     AFTERIMAGE_TOKEN=… wp afterimage connect https://afterimage.example.com
	 *
	 * @param string[] $args  The address.
	 * @param string[] $flags The flags.
	 */
	public function connect( $args, $flags ) {
		$token = (string) getenv( 'AFTERIMAGE_TOKEN' );
		if ( false !== strpos( $args[0], '#' ) ) {
			$token = '';
		}
		if ( isset( $flags['token-file'] ) ) {
			if ( ! is_readable( $flags['token-file'] ) ) {
				WP_CLI::error( sprintf( 'The file %s cannot be read.', $flags['token-file'] ) );
			}
			// phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- a local file.
			$token = (string) file_get_contents( $flags['token-file'] );
		}
		$this->attempt(
			static function () use ( $args, $token ) {
				$count = Afterimage_Plugin::connect( $args[0], $token );
				WP_CLI::success( sprintf( 'The site is connected; pages sent: %d.', $count ) );
			}
		);
	}

	/**
	 * Sends the site's pages to the service, or lists them.
	 *
	 * ## OPTIONS
	 *
	 * [--dry-run]
	 * : Only lists them.
	 *
	 * @param string[] $args  None.
	 * @param string[] $flags The flags.
	 */
	public function pages( $args, $flags ) {
		if ( isset( $flags['dry-run'] ) ) {
			WP_CLI\Utils\format_items( 'table', Afterimage_WP_Pages::chosen(), array( 'type', 'url', 'title' ) );
			return;
		}
		$client = $this->client();
		$this->attempt(
			static function () use ( $client ) {
				WP_CLI::success( sprintf( 'Pages sent: %d.', Afterimage_WP_Pages::send( $client, Afterimage_Plugin::connection() ) ) );
			}
		);
	}

	/**
	 * Takes screenshots before a change, or takes screenshots after it, compares them and reports what to do.
	 *
	 * The exit code is 0 if no damage was found and 1 otherwise.
	 *
	 * ## OPTIONS
	 *
	 * [--pre]
	 * : Takes the screenshots before the change.
	 *
	 * @param string[] $args  None.
	 * @param string[] $flags The flags.
	 */
	public function check( $args, $flags ) {
		$client = $this->client();
		$this->attempt(
			function () use ( $client, $flags ) {
				if ( isset( $flags['pre'] ) ) {
					$this->before( $client );
					return;
				}
				Afterimage_Runner::begin( Afterimage_Checks::after(), false );
				$this->finish();
			}
		);
	}

	/**
	 * Updates plugins and themes one by one, each between screenshots, and rolls back those that damage the site.
	 *
	 * An interrupted run is completed first. The exit code is 0 if all updates were kept or there was nothing to do, and 1 otherwise.
	 *
	 * ## OPTIONS
	 *
	 * [<plugin>...]
	 * : Slugs of plugins or themes.
	 *
	 * [--all]
	 * : All that have an update.
	 *
	 * [--dry-run]
	 * : Only lists them.
	 *
	 * [--force]
	 * : Updates even if there are no before screenshots, for example because the service cannot be reached.
	 *
	 * @param string[] $args  The slugs.
	 * @param string[] $flags The flags.
	 */
	public function update( $args, $flags ) {
		$this->client();
		$this->attempt(
			function () use ( $args, $flags ) {
				if ( null !== Afterimage_Plugin::journal()->get() && ! isset( $flags['dry-run'] ) ) {
					WP_CLI::log( 'Continuing a run that has not ended yet.' );
					$this->finish( $args || isset( $flags['all'] ) );
				}
				$this->begin( $args, $flags );
			}
		);
	}

	/**
	 * Shows the connection, the run in progress and the last runs.
	 */
	public function status() {
		$connection = Afterimage_Plugin::connection();
		WP_CLI::log( null === $connection ? 'The site is not connected.' : 'Connected to ' . $connection['url'] . '.' );
		$journal = Afterimage_Plugin::journal()->get();
		if ( null !== $journal ) {
			WP_CLI::log( 'In progress: ' . Afterimage_Journal::sentence( $journal ) );
		}
		foreach ( array_reverse( array_slice( Afterimage_Plugin::history()->all(), 0, 5 ) ) as $run ) {
			WP_CLI::log( wp_date( 'Y-m-d H:i', $run['ended'] ) . ', ' . Afterimage_Words::status( $run['status'] ) );
			$this->show( $run );
		}
		foreach ( Afterimage_Notices::all() as $notice ) {
			WP_CLI::warning( trim( $notice['subject'] . '. ' . $notice['text'] . ' ' . $notice['link'] ) );
		}
	}

	/**
	 * Begins an update and follows it.
	 *
	 * @param string[] $names What to update.
	 * @param string[] $flags The flags.
	 */
	private function begin( array $names, array $flags ): void {
		if ( ! $names && ! isset( $flags['all'] ) && ! isset( $flags['dry-run'] ) ) {
			WP_CLI::error( 'Name plugins or themes to update, or use --all.' );
		}
		$items   = Afterimage_Updates::all( true );
		$unknown = array();
		if ( $names && ! isset( $flags['all'] ) ) {
			list( $items, $unknown ) = Afterimage_Updates::named( $items, $names );
		}
		if ( $unknown ) {
			WP_CLI::error( 'There is no update for: ' . implode( ', ', $unknown ) . '.' );
		}
		if ( ! $items ) {
			WP_CLI::success( 'There is nothing to update.' );
			return;
		}
		if ( isset( $flags['dry-run'] ) ) {
			WP_CLI\Utils\format_items( 'table', $items, array( 'kind', 'slug', 'from', 'to' ) );
			return;
		}
		$group = Afterimage_Plugin::connection()['group'];
		Afterimage_Runner::begin( Afterimage_Journal::begin( $group, $items, 'manual', isset( $flags['force'] ), time() ), false );
		$this->finish();
	}

	/**
	 * Follows the run in progress to its end and exits.
	 *
	 * @param bool $more Whether the command goes on after it.
	 */
	private function finish( bool $more = false ): void {
		Afterimage_Runner::finish( array( 'WP_CLI', 'log' ) );
		$run = Afterimage_Plugin::history()->all()[0];
		$this->show( $run );
		foreach ( $run['notes'] as $note ) {
			WP_CLI::warning( $note );
		}
		if ( ! $more ) {
			$kept = 'done' === $run['status'] && ! array_diff( array_column( $run['items'], 'state' ), array( 'kept' ) );
			WP_CLI::halt( $kept ? 0 : 1 );
		}
	}

	/**
	 * Shows the items of a run.
	 *
	 * @param array $run From the history.
	 */
	private function show( array $run ): void {
		$client = Afterimage_Plugin::client();
		foreach ( $run['items'] as $item ) {
			WP_CLI::log( '  ' . trim( $item['name'] . ' ' . Afterimage_Words::versions( $item ) ) . ': ' . Afterimage_Words::state( $item ) );
			foreach ( array_merge( $item['reasons'], array_filter( array( $item['error'] ) ) ) as $reason ) {
				WP_CLI::log( '    ' . $reason );
			}
			if ( null !== $client && '' !== $item['after'] ) {
				WP_CLI::log( '    ' . $client->link( $item['after'] ) );
			}
		}
	}

	/**
	 * Takes the screenshots before a change and waits for them.
	 *
	 * @param Afterimage_Client $client The service.
	 */
	private function before( Afterimage_Client $client ): void {
		$batch = Afterimage_Checks::before();
		$end   = time() + Afterimage_Run::LIMITS['run'];
		do {
			sleep( 5 );
			$counts = $client->counts( $batch );
			if ( time() > $end ) {
				WP_CLI::error( 'The screenshots were not finished within an hour: ' . $client->link( $batch ) );
			}
		} while ( $counts['open'] + $counts['processing'] > 0 );
		if ( $counts['failed'] > 0 ) {
			WP_CLI::warning( sprintf( 'Screenshots that failed: %d. %s', $counts['failed'], $client->link( $batch ) ) );
		}
		WP_CLI::success( sprintf( 'Screenshots taken: %d.', $counts['done'] ) );
	}

	/**
	 * The client, or an error if the site is not connected.
	 */
	private function client(): Afterimage_Client {
		$client = Afterimage_Plugin::client();
		if ( null === $client ) {
			WP_CLI::error( 'The site is not connected. Use: wp afterimage connect <address>' );
		}
		return $client;
	}

	/**
	 * Ends the command with a sentence if something does not succeed.
	 *
	 * @param callable $act What to do.
	 */
	private function attempt( callable $act ): void {
		try {
			$act();
		} catch ( Afterimage_Problem | Afterimage_Failure $thrown ) {
			WP_CLI::error( $thrown->getMessage() );
		}
	}
}
