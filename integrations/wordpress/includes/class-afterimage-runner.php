<?php
/**
 * What keeps a run going.
 *
 * @package Afterimage
 */

/**
 * Runs go on in scheduled tasks or in a command, one process at a time. After a kill the next request sets things right.
 */
class Afterimage_Runner {

	const TICK = 'afterimage_tick';

	/**
	 * After how many seconds without a sign of life a run without a scheduled task gets one.
	 */
	const SILENCE = 120;

	/**
	 * Hooks into WordPress.
	 */
	public static function hook(): void {
		add_action( self::TICK, array( __CLASS__, 'tick' ) );
		// At once, since a plugin whose files are incomplete may stop each request before WordPress is ready.
		self::examine();
	}

	/**
	 * Begins a run.
	 *
	 * @param array $journal Its record.
	 * @param bool  $later   Whether scheduled tasks do it; otherwise the caller does.
	 * @throws Afterimage_Problem If another one has not ended.
	 */
	public static function begin( array $journal, bool $later ): void {
		$lock = Afterimage_Plugin::backups()->lock( 'run' );
		if ( ! $lock->take() ) {
			throw new Afterimage_Problem( __( 'A run is in progress. Wait until it has ended.', 'afterimage' ) );
		}
		try {
			$store = Afterimage_Plugin::journal();
			if ( null !== $store->get() ) {
				throw new Afterimage_Problem( __( 'A run has not ended yet. It continues in scheduled tasks, or with: wp afterimage update', 'afterimage' ) );
			}
			$store->put( $journal );
		} finally {
			$lock->release();
		}
		if ( $later ) {
			self::schedule( 0 );
			self::wake();
		}
	}

	/**
	 * Does the steps of a run until it has to wait.
	 */
	public static function tick(): void {
		$run = Afterimage_Plugin::run();
		if ( null === $run || null === Afterimage_Plugin::journal()->get() ) {
			return;
		}
		try {
			$lock = Afterimage_Plugin::backups()->lock( 'run' );
			if ( ! $lock->take() ) {
				return;
			}
		} catch ( Afterimage_Problem $problem ) {
			return;
		}
		self::take_time();
		// If this process ends early, the next one is due all the same.
		self::schedule( self::SILENCE );
		do {
			$delay = $run->step();
		} while ( 0 === $delay );
		$lock->release();
		wp_clear_scheduled_hook( self::TICK );
		if ( null !== $delay ) {
			self::schedule( $delay );
		}
	}

	/**
	 * Does the steps of a run until it has ended, for a command.
	 *
	 * @param callable $say Is told where the run is.
	 * @throws Afterimage_Problem If another process has it.
	 */
	public static function finish( callable $say ): void {
		$lock = Afterimage_Plugin::backups()->lock( 'run' );
		if ( ! $lock->take() ) {
			throw new Afterimage_Problem( __( 'Another process is working on the run. To see its state: wp afterimage status', 'afterimage' ) );
		}
		self::take_time();
		$run  = Afterimage_Plugin::run();
		$last = '';
		do {
			$journal  = Afterimage_Plugin::journal()->get();
			$sentence = null === $journal ? '' : Afterimage_Journal::sentence( $journal );
			if ( '' !== $sentence && $sentence !== $last ) {
				$say( $sentence );
				$last = $sentence;
			}
			$delay = $run->step();
			if ( $delay > 0 ) {
				sleep( $delay );
			}
		} while ( null !== $delay );
		$lock->release();
	}

	/**
	 * Looks at the run at the begin of a request: if the process that was at work on files was killed, they are made whole at once, and
	 * if nothing is going to take the run up, that is scheduled.
	 */
	public static function examine(): void {
		$journal = get_option( Afterimage_Plugin::JOURNAL, null );
		if ( ! is_array( $journal ) ) {
			return;
		}
		if ( Afterimage_Journal::touches_files( $journal ) ) {
			self::recover();
		}
		if ( time() - $journal['beat'] > self::SILENCE && ! wp_next_scheduled( self::TICK ) ) {
			self::schedule( 0 );
		}
	}

	/**
	 * Makes the files of the site whole, unless a process is at work on them.
	 */
	private static function recover(): void {
		$run = Afterimage_Plugin::run();
		try {
			$lock = Afterimage_Plugin::backups()->lock( 'run' );
			if ( null === $run || ! $lock->take() ) {
				return;
			}
			$run->recover();
			$lock->release();
			Afterimage_Notices::add(
				__( 'An update was interrupted', 'afterimage' ),
				__( 'The files of the site are complete again. The run continues in scheduled tasks, or with: wp afterimage update', 'afterimage' ),
				'',
				time()
			);
		} catch ( Throwable $thrown ) {
			// Whatever goes wrong here must not stop the request.
			Afterimage_Notices::add( __( 'An update was interrupted', 'afterimage' ), $thrown->getMessage(), '', time() );
		}
	}

	/**
	 * Puts a kept update back to the version before, as a person decided.
	 *
	 * @param string $id    The id of the run.
	 * @param int    $index The number of the item in it.
	 * @return string What to tell.
	 * @throws Afterimage_Problem If it cannot be put back.
	 */
	public static function take_back( string $id, int $index ): string {
		$history = Afterimage_Plugin::history();
		$run     = $history->find( $id );
		$item    = $run['items'][ $index ] ?? null;
		if ( null === $item || '' === $item['backup'] || ! in_array( $item['state'], array( 'asked', 'stuck' ), true ) ) {
			throw new Afterimage_Problem( __( 'Its copy no longer exists.', 'afterimage' ) );
		}
		$backups = Afterimage_Plugin::backups();
		$lock    = $backups->lock( 'run' );
		if ( ! $lock->take() || null !== Afterimage_Plugin::journal()->get() ) {
			throw new Afterimage_Problem( __( 'A run is in progress. Wait until it has ended.', 'afterimage' ) );
		}
		$site = new Afterimage_WP_Site();
		$backups->restore( $id, $item, $site->folder( $item ) );
		$site->restored( $item );
		$run['items'][ $index ]['state'] = 'rolled_back';
		$history->put( $run );
		$backups->forget(
			$id,
			array_column(
				array_filter(
					$run['items'],
					static function ( $other ) {
						return in_array( $other['state'], array( 'asked', 'stuck' ), true );
					}
				),
				'backup'
			)
		);
		$lock->release();
		/* translators: 1: a name, 2: a version. */
		return sprintf( __( '%1$s is back at version %2$s.', 'afterimage' ), $item['name'], $item['from'] );
	}

	/**
	 * Schedules the next steps.
	 *
	 * @param int $delay In how many seconds.
	 */
	private static function schedule( int $delay ): void {
		wp_clear_scheduled_hook( self::TICK );
		wp_schedule_single_event( time() + $delay, self::TICK );
	}

	/**
	 * Asks the service to call the scheduled tasks each minute for the next two hours. Where it cannot, visitors do.
	 */
	private static function wake(): void {
		$client = Afterimage_Plugin::client();
		try {
			if ( null !== $client ) {
				$client->wake( site_url( 'wp-cron.php?doing_wp_cron' ), time() );
			}
		} catch ( Afterimage_Failure $failure ) {
			unset( $failure );
		}
	}

	/**
	 * Lets this process go on although its visitor leaves, and for as long as the server permits.
	 */
	private static function take_time(): void {
		ignore_user_abort( true );
		if ( function_exists( 'set_time_limit' ) ) {
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged -- some servers forbid it with a warning.
			@set_time_limit( 0 );
		}
	}
}
