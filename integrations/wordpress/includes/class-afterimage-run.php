<?php
/**
 * A run: screenshots, updates one by one, verdicts, and taking back what did damage.
 *
 * @package Afterimage
 */

/**
 * Goes from step to step. Before each step the journal says what is about to be done, so that after a kill another process goes on.
 * Each step may therefore be done twice.
 */
class Afterimage_Run {

	/**
	 * The longest waits in seconds: for the service to accept a run, for a run to end, and until screenshots from before are too old.
	 */
	const LIMITS = array(
		'take' => 600,
		'run'  => 3600,
		'old'  => 7200,
	);

	/**
	 * How often an update is tried if it is interrupted.
	 */
	const ATTEMPTS = 2;

	/**
	 * Where the journal is.
	 *
	 * @var Afterimage_Store
	 */
	private $store;

	/**
	 * The service.
	 *
	 * @var Afterimage_Client
	 */
	private $client;

	/**
	 * The site.
	 *
	 * @var Afterimage_Site
	 */
	private $site;

	/**
	 * The copies.
	 *
	 * @var Afterimage_Backups
	 */
	private $backups;

	/**
	 * The last runs.
	 *
	 * @var Afterimage_History
	 */
	private $history;

	/**
	 * See LIMITS.
	 *
	 * @var array
	 */
	private $limits;

	/**
	 * Makes the run whose journal is in a store.
	 *
	 * @param Afterimage_Store   $store   Where the journal is.
	 * @param Afterimage_Client  $client  The service.
	 * @param Afterimage_Site    $site    The site.
	 * @param Afterimage_Backups $backups The copies.
	 * @param Afterimage_History $history The last runs.
	 * @param array              $limits  Replaces some of LIMITS.
	 */
	public function __construct(
		Afterimage_Store $store,
		Afterimage_Client $client,
		Afterimage_Site $site,
		Afterimage_Backups $backups,
		Afterimage_History $history,
		array $limits = array()
	) {
		$this->store   = $store;
		$this->client  = $client;
		$this->site    = $site;
		$this->backups = $backups;
		$this->history = $history;
		$this->limits  = $limits + self::LIMITS;
	}

	/**
	 * Does the next step.
	 *
	 * @return int|null Seconds to wait before the step after it; null if the run has ended.
	 */
	public function step(): ?int {
		$journal = $this->store->get();
		if ( null === $journal ) {
			return null;
		}
		switch ( $journal['step'] ) {
			case 'before':
				return $this->before( $journal );
			case 'before_wait':
				return $this->before_wait( $journal );
			case 'backup':
				return $this->backup( $journal );
			case 'update':
				return $this->update( $journal );
			case 'after':
				return $this->after( $journal );
			case 'report':
				return $this->report( $journal );
			case 'gate':
				return $this->gate( $journal );
			case 'restore':
				return $this->restore( $journal );
			case 'recheck':
				return $this->recheck( $journal );
			case 'recheck_gate':
				return $this->recheck_gate( $journal );
			case 'close':
				return $this->close( $journal );
			case 'next':
				return $this->next( $journal );
			default:
				return $this->finish( $journal );
		}
	}

	/**
	 * Makes the files of the site whole again after the process that was at work on them was killed. The steps go on from there.
	 * The caller knows that no process is at work.
	 */
	public function recover(): void {
		$journal = $this->store->get();
		if ( null === $journal || ! Afterimage_Journal::touches_files( $journal ) ) {
			return;
		}
		if ( 'restore' === $journal['step'] ) {
			$this->restore( $journal );
			return;
		}
		try {
			$this->mend( $journal );
		} catch ( Afterimage_Problem $problem ) {
			$this->stuck( $journal, $problem );
		}
	}

	/**
	 * Starts the screenshots before an update.
	 *
	 * @param array $journal The record.
	 */
	private function before( array $journal ): ?int {
		try {
			$this->site->clear_caches();
			$taken = $this->client->take( $journal['group'], 'pre', $journal['source'] );
		} catch ( Afterimage_Failure $failure ) {
			return $this->without_before( $journal, $failure, 'take' );
		}
		$journal['before']    = $taken['batch'];
		$journal['before_at'] = $this->site->now();
		return $this->go( $journal, 'before_wait' );
	}

	/**
	 * Waits for the screenshots before an update.
	 *
	 * @param array $journal The record.
	 */
	private function before_wait( array $journal ): ?int {
		try {
			$counts = $this->client->counts( $journal['before'] );
		} catch ( Afterimage_Failure $failure ) {
			return $this->without_before( $journal, $failure, 'run' );
		}
		if ( $counts['open'] + $counts['processing'] > 0 ) {
			/* translators: %d: a number of seconds. */
			$late = new Afterimage_Failure( 'busy', sprintf( __( 'The screenshots before the update were not finished within %d seconds.', 'afterimage' ), $this->limits['run'] ) );
			return $this->late( $journal, 'run' ) ? $this->without_before( $journal, $late, 'run' ) : $this->wait( $journal );
		}
		if ( 0 === $counts['done'] ) {
			return $this->without_before( $journal, new Afterimage_Failure( 'other', __( 'No page of the site could be captured; the run in the dashboard says why.', 'afterimage' ) ), 'run' );
		}
		if ( $counts['failed'] > 0 ) {
			/* translators: %d: a number. */
			$journal['notes'][] = sprintf( __( 'Failed screenshots before the update: %d.', 'afterimage' ), $counts['failed'] );
		}
		return $this->go( $journal, 'backup' );
	}

	/**
	 * Decides what to do as long as there are no screenshots from before the update: wait, stop, or go on if that was asked for.
	 *
	 * @param array              $journal The record.
	 * @param Afterimage_Failure $failure Why there are none.
	 * @param string             $limit   The limit of the wait.
	 */
	private function without_before( array $journal, Afterimage_Failure $failure, string $limit ): ?int {
		if ( $failure->passes() && ! $this->late( $journal, $limit ) ) {
			return $this->wait( $journal, $failure );
		}
		if ( $journal['force'] ) {
			$journal['notes'][] = __( 'Updated without before screenshots, as requested.', 'afterimage' ) . ' ' . $failure->getMessage();
			return $this->go( $journal, 'backup' );
		}
		foreach ( $journal['items'] as &$item ) {
			$item['state'] = 'waiting' === $item['state'] ? 'left' : $item['state'];
		}
		unset( $item );
		$journal['status']  = 'stopped';
		$journal['notes'][] = __( 'The remaining updates were not installed because there are no before screenshots.', 'afterimage' ) . ' ' . $failure->getMessage();
		$this->site->tell( __( 'Updates were not installed', 'afterimage' ), end( $journal['notes'] ), '' );
		return $this->go( $journal, 'finish' );
	}

	/**
	 * Copies the folder of an item.
	 *
	 * @param array $journal The record.
	 */
	private function backup( array $journal ): int {
		$item    = $this->item( $journal );
		$folder  = $this->site->folder( $item );
		$refusal = Afterimage_Backups::refusal( $folder );
		if ( '' === $refusal ) {
			try {
				$made = $this->backups->make( $journal['id'], $item, $folder );
			} catch ( Afterimage_Problem $problem ) {
				$refusal = $problem->getMessage();
			}
		}
		if ( '' !== $refusal ) {
			$item['state'] = 'skipped';
			$item['error'] = $refusal;
			$this->tell( $item, __( '%s was not updated', 'afterimage' ), $refusal );
			return $this->go( $this->with( $journal, $item ), 'next' );
		}
		$item['backup'] = $made['path'];
		$item['print']  = $made['print'];
		return $this->go( $this->with( $journal, $item ), 'update' );
	}

	/**
	 * Updates an item. If an earlier attempt was interrupted, its folder is put back first.
	 *
	 * @param array $journal The record.
	 */
	private function update( array $journal ): int {
		$item = $this->item( $journal );
		if ( $item['attempts'] > 0 ) {
			try {
				$item = $this->mend( $journal );
			} catch ( Afterimage_Problem $problem ) {
				return $this->stuck( $journal, $problem );
			}
			if ( $item['attempts'] >= self::ATTEMPTS ) {
				return $this->failed( $journal, $item, __( 'The update was interrupted each time, for example by a time limit of the server.', 'afterimage' ) );
			}
		}
		++$item['attempts'];
		$journal['begun'] = $this->site->now();
		$journal          = $this->with( $journal, $item );
		$this->write( $journal );

		$result           = $this->site->upgrade( $item );
		$item['messages'] = array_merge( $item['messages'], $result['messages'] );
		Afterimage_Maintenance::end( $this->site->maintenance() );
		$version = $this->site->version( $item );
		if ( '' !== $result['error'] || '' === $version || $version === $item['from'] ) {
			/* translators: %s: a version. */
			$same = sprintf( __( 'WordPress reports no error, but the version is still %s.', 'afterimage' ), $version );
			return $this->failed( $journal, $item, '' !== $result['error'] ? $result['error'] : $same );
		}
		$item['to']    = $version;
		$item['state'] = 'updated';
		return $this->go( $this->with( $journal, $item ), 'after' );
	}

	/**
	 * Ends an item whose update failed, with its folder as it was.
	 *
	 * @param array  $journal The record.
	 * @param array  $item    The item.
	 * @param string $error   Why it failed.
	 */
	private function failed( array $journal, array $item, string $error ): int {
		$item['error'] = $error;
		$journal       = $this->with( $journal, $item );
		try {
			if ( 'none' !== $this->put_back( $journal, $item ) ) {
				/* translators: %s: a version. */
				$item['messages'][] = sprintf( __( 'The folder was restored to version %s.', 'afterimage' ), $item['from'] );
			}
		} catch ( Afterimage_Problem $problem ) {
			return $this->stuck( $journal, $problem );
		}
		$item['state'] = 'failed';
		/* translators: 1: a reason, 2: a version. */
		$this->tell( $item, __( 'The update of %s failed', 'afterimage' ), sprintf( __( '%1$s The site still has version %2$s.', 'afterimage' ), $error, $item['from'] ) );
		return $this->go( $this->with( $journal, $item ), 'next' );
	}

	/**
	 * Starts the screenshots after an update.
	 *
	 * @param array $journal The record.
	 */
	private function after( array $journal ): int {
		$delay = $this->refresh( $journal );
		if ( $delay > 0 ) {
			return $delay;
		}
		try {
			$this->site->clear_caches();
			$taken = $this->client->take( $journal['group'], 'post', $journal['source'] );
		} catch ( Afterimage_Failure $failure ) {
			return $this->unjudged( $journal, $failure, 'take' );
		}
		$item          = $this->item( $journal );
		$item['after'] = $taken['batch'];
		return $this->go( $this->with( $journal, $item ), 'report' );
	}

	/**
	 * Makes the web server run the files as they are now, once before the screenshots of a step.
	 *
	 * @param array $journal The record, which this notes it in.
	 * @return int Seconds to wait before the same step.
	 */
	private function refresh( array &$journal ): int {
		$step = $journal['step'] . ' ' . $journal['index'];
		if ( ( $journal['fresh'] ?? '' ) === $step ) {
			return 0;
		}
		$journal['fresh'] = $step;
		$this->write( $journal );
		$told = $this->site->refresh( $this->item( $journal ) );
		if ( '' !== $told['problem'] && ! in_array( $told['problem'], $journal['notes'], true ) ) {
			$journal['notes'][] = $told['problem'];
			$this->write( $journal );
		}
		return $told['seconds'];
	}

	/**
	 * Reports an update, which helps to find the culprit. The verdict does not depend on it.
	 *
	 * @param array $journal The record.
	 */
	private function report( array $journal ): int {
		if ( 'site' === $this->item( $journal )['kind'] ) {
			return $this->go( $journal, 'gate' );
		}
		try {
			$this->send_results( $journal );
		} catch ( Afterimage_Failure $failure ) {
			if ( $failure->passes() && $journal['polls'] < 3 ) {
				return $this->wait( $journal, $failure );
			}
			$journal['notes'][] = __( 'The results of an update could not be reported.', 'afterimage' ) . ' ' . $failure->getMessage();
		}
		return $this->go( $journal, 'gate' );
	}

	/**
	 * Asks for the verdict on an update.
	 *
	 * @param array $journal The record.
	 */
	private function gate( array $journal ): int {
		$item    = $this->item( $journal );
		$noticed = 'guard' === $journal['mode'] ? $this->site->noticed( $journal['id'], $item ) : '';
		if ( '' !== $noticed ) {
			return $this->decide( $journal, new Afterimage_Verdict( 'roll_back', array( $noticed ) ) );
		}
		try {
			$verdict = $this->client->gate( $item['after'] );
		} catch ( Afterimage_Failure $failure ) {
			return $this->unjudged( $journal, $failure, 'run' );
		}
		if ( 'not_yet' !== $verdict->decision ) {
			return $this->decide( $journal, $verdict );
		}
		/* translators: %d: a number of seconds. */
		$late = new Afterimage_Failure( 'busy', sprintf( __( 'There was no verdict after %d seconds.', 'afterimage' ), $this->limits['run'] ) );
		return $this->late( $journal, 'run' ) ? $this->unjudged( $journal, $late, 'run' ) : $this->wait( $journal );
	}

	/**
	 * Waits while an update cannot be judged, and asks a person in the end.
	 *
	 * @param array              $journal The record.
	 * @param Afterimage_Failure $failure Why it cannot.
	 * @param string             $limit   The limit of the wait.
	 */
	private function unjudged( array $journal, Afterimage_Failure $failure, string $limit ): int {
		if ( $failure->passes() && ! $this->late( $journal, $limit ) ) {
			return $this->wait( $journal, $failure );
		}
		return $this->decide( $journal, new Afterimage_Verdict( 'ask', array( __( 'The update could not be checked.', 'afterimage' ) . ' ' . $failure->getMessage() ) ) );
	}

	/**
	 * Acts on a verdict.
	 *
	 * @param array              $journal The record.
	 * @param Afterimage_Verdict $verdict The verdict.
	 */
	private function decide( array $journal, Afterimage_Verdict $verdict ): int {
		$item             = $this->item( $journal );
		$item['decision'] = $verdict->decision;
		$item['reasons']  = $verdict->reasons;
		$item['culprit']  = $verdict->culprit;
		$item['previews'] = $this->previews( $item['after'], $verdict );
		if ( 'roll_back' === $verdict->decision && 'guard' === $journal['mode'] ) {
			return $this->go( $this->with( $journal, $item ), 'restore' );
		}
		if ( 'keep' === $verdict->decision ) {
			$item['state'] = 'kept';
		} else {
			$item['state'] = 'asked';
			$this->tell( $item, $this->question( $item ), trim( $this->advice( $item ) . ' ' . implode( ' ', $item['reasons'] ) ) );
		}
		$journal = $this->with( $journal, $item );
		if ( 'observe' === $journal['mode'] ) {
			foreach ( $journal['items'] as &$other ) {
				$other['state'] = 'updated' === $other['state'] ? $item['state'] : $other['state'];
			}
			unset( $other );
			return $this->go( $journal, 'finish' );
		}
		return $this->go( $journal, 'next' );
	}

	/**
	 * The subject of a question, with %s for the name.
	 *
	 * @param array $item The item.
	 */
	private function question( array $item ): string {
		/* translators: %s: a name and a version. */
		return 'site' === $item['kind'] ? __( '%s has changed', 'afterimage' ) : __( 'The update of %s needs a decision', 'afterimage' );
	}

	/**
	 * What to do about a question.
	 *
	 * @param array $item The item.
	 */
	private function advice( array $item ): string {
		if ( 'site' === $item['kind'] ) {
			return __( 'View the run.', 'afterimage' );
		}
		return 'roll_back' === $item['decision']
			? __( 'The update caused damage. Afterimage did not install it and cannot roll it back: view the run, and reinstall the earlier version by hand if needed.', 'afterimage' )
			: __( 'The update was kept. View the run and decide.', 'afterimage' );
	}

	/**
	 * Takes an update back.
	 *
	 * @param array $journal The record.
	 */
	private function restore( array $journal ): int {
		$item = $this->item( $journal );
		try {
			$lock = $this->backups->lock( 'restore' );
			if ( ! $lock->take() ) {
				return 2;
			}
			try {
				$this->put_back( $journal, $item );
			} finally {
				$lock->release();
			}
		} catch ( Afterimage_Problem $problem ) {
			return $this->stuck( $journal, $problem );
		}
		$item['state'] = 'rolled_back';
		/* translators: 1: a version, 2: reasons. */
		$item['messages'][] = sprintf( __( 'Rolled back to %1$s: %2$s', 'afterimage' ), $item['from'], implode( ' ', $item['reasons'] ) );
		return $this->go( $this->with( $journal, $item ), 'recheck' );
	}

	/**
	 * Starts screenshots after an update was taken back.
	 *
	 * @param array $journal The record.
	 */
	private function recheck( array $journal ): int {
		$delay = $this->refresh( $journal );
		if ( $delay > 0 ) {
			return $delay;
		}
		$item = $this->item( $journal );
		try {
			$this->site->clear_caches();
			$taken = $this->client->take( $journal['group'], 'post', $journal['source'] );
		} catch ( Afterimage_Failure $failure ) {
			if ( $failure->passes() && ! $this->late( $journal, 'take' ) ) {
				return $this->wait( $journal, $failure );
			}
			return $this->taken_back( $journal, $failure->getMessage(), false );
		}
		$item['recheck'] = $taken['batch'];
		return $this->go( $this->with( $journal, $item ), 'recheck_gate' );
	}

	/**
	 * Waits for the verdict on the site after an update was taken back.
	 *
	 * @param array $journal The record.
	 */
	private function recheck_gate( array $journal ): int {
		$item = $this->item( $journal );
		try {
			$verdict = $this->client->gate( $item['recheck'] );
		} catch ( Afterimage_Failure $failure ) {
			if ( $failure->passes() && ! $this->late( $journal, 'run' ) ) {
				return $this->wait( $journal, $failure );
			}
			return $this->taken_back( $journal, $failure->getMessage(), false );
		}
		if ( 'not_yet' === $verdict->decision ) {
			return $this->late( $journal, 'run' )
				? $this->taken_back( $journal, __( 'The check after the rollback did not finish in time.', 'afterimage' ), false )
				: $this->wait( $journal );
		}
		if ( 'roll_back' === $verdict->decision ) {
			$journal['status'] = 'stopped';
		}
		return $this->taken_back( $journal, implode( ' ', $verdict->reasons ), 'keep' === $verdict->decision );
	}

	/**
	 * Tells that an update was taken back, and whether the site is as before.
	 *
	 * @param array  $journal The record.
	 * @param string $why     What speaks against it.
	 * @param bool   $as_was  Whether the site is as before.
	 */
	private function taken_back( array $journal, string $why, bool $as_was ): int {
		$item = $this->item( $journal );
		if ( $as_was ) {
			$text = __( 'The site is as it was before.', 'afterimage' );
		} elseif ( 'stopped' === $journal['status'] ) {
			$text = __( 'The site still shows damage although the files were restored: the update may have changed the database, or there is another cause. No further updates are installed. View the run; if needed, restore a backup of the database.', 'afterimage' );
		} else {
			$text = __( 'It is not certain that the site is as it was before: view the run.', 'afterimage' );
		}
		if ( ! $as_was ) {
			$journal['before_at'] = 0;
			$item['messages'][]   = trim( $text . ' ' . $why );
		}
		$reasons = implode( ' ', $item['reasons'] );
		$this->tell( $item, __( 'The update of %s was rolled back', 'afterimage' ), trim( $reasons . ' ' . $text . ' ' . $why ) );
		return $this->go( $this->with( $journal, $item ), 'close' );
	}

	/**
	 * Adds to the results of an update that it was taken back.
	 *
	 * @param array $journal The record.
	 */
	private function close( array $journal ): int {
		try {
			$this->send_results( $journal );
		} catch ( Afterimage_Failure $failure ) {
			$journal['notes'][] = __( 'The results of an update could not be reported.', 'afterimage' ) . ' ' . $failure->getMessage();
		}
		return $this->go( $journal, 'next' );
	}

	/**
	 * Goes on with the next item. Screenshots from before are taken anew if the site has changed since, or they are old.
	 *
	 * @param array $journal The record.
	 */
	private function next( array $journal ): int {
		$item  = $this->item( $journal );
		$stale = 'asked' === $item['state'] || $this->site->now() - $journal['before_at'] > $this->limits['old'];
		$this->backups->forget( $journal['id'], $this->needed( $journal ) );
		if ( 'stopped' === $journal['status'] || $journal['index'] + 1 >= count( $journal['items'] ) ) {
			return $this->go( $journal, 'finish' );
		}
		++$journal['index'];
		return $this->go( $journal, $stale ? 'before' : 'backup' );
	}

	/**
	 * Ends the run.
	 *
	 * @param array $journal The record.
	 */
	private function finish( array $journal ): ?int {
		foreach ( $journal['items'] as &$item ) {
			$item['state'] = 'waiting' === $item['state'] ? 'left' : $item['state'];
		}
		unset( $item );
		$journal['status'] = '' === $journal['status'] ? 'done' : $journal['status'];
		$this->history->put( array( 'ended' => $this->site->now() ) + $journal );
		$this->backups->forget( $journal['id'], $this->needed( $journal ) );
		$this->store->remove();
		return null;
	}

	/**
	 * Ends the run because something has to be done by hand.
	 *
	 * @param array              $journal The record.
	 * @param Afterimage_Problem $problem What is to be done.
	 */
	private function stuck( array $journal, Afterimage_Problem $problem ): int {
		$item              = $this->item( $journal );
		$item['state']     = 'stuck';
		$item['error']     = trim( $item['error'] . ' ' . $problem->getMessage() );
		$journal['status'] = 'stuck';
		$this->tell( $item, __( '%s could not be restored', 'afterimage' ), $item['error'] );
		return $this->go( $this->with( $journal, $item ), 'finish' );
	}

	/**
	 * Makes the files whole after an update was interrupted, and returns the item.
	 *
	 * @param array $journal The record.
	 */
	private function mend( array $journal ): array {
		$item = $this->item( $journal );
		Afterimage_Maintenance::end( $this->site->maintenance() );
		if ( 'none' !== $this->put_back( $journal, $item ) ) {
			/* translators: %s: a version. */
			$item['messages'][] = sprintf( __( 'The update was interrupted. The folder was restored to version %s.', 'afterimage' ), $item['from'] );
			$this->write( $this->with( $journal, $item ) );
		}
		return $item;
	}

	/**
	 * Puts the folder of an item back.
	 *
	 * @param array $journal The record.
	 * @param array $item    The item.
	 * @return string See Afterimage_Backups::restore.
	 */
	private function put_back( array $journal, array $item ): string {
		$from = $this->backups->restore( $journal['id'], $item, $this->site->folder( $item ) );
		$this->site->restored( $item );
		return $from;
	}

	/**
	 * Sends the results of what was just updated.
	 *
	 * @param array $journal The record.
	 */
	private function send_results( array $journal ): void {
		$item  = $this->item( $journal );
		$items = 'observe' === $journal['mode'] ? $journal['items'] : array( $item );
		$this->client->report( $item['after'], Afterimage_Results::of( $items, $journal['begun'] ) );
	}

	/**
	 * Pictures of what a verdict is about, for the admin page.
	 *
	 * @param string             $batch   The id of the batch; empty if there is none.
	 * @param Afterimage_Verdict $verdict The verdict.
	 */
	private function previews( string $batch, Afterimage_Verdict $verdict ): array {
		try {
			return '' === $batch ? array() : Afterimage_Previews::of( $this->client->comparisons( $batch, 50 ), $verdict->comparisons );
		} catch ( Afterimage_Failure $failure ) {
			return array();
		}
	}

	/**
	 * The copies that are still needed: of items that wait, whose update nobody has decided about, or that could not be put back.
	 *
	 * @param array $journal The record.
	 * @return string[]
	 */
	private function needed( array $journal ): array {
		$paths = array();
		foreach ( $journal['items'] as $item ) {
			if ( in_array( $item['state'], array( 'asked', 'stuck', 'waiting' ), true ) ) {
				$paths[] = $item['backup'];
			}
		}
		return array_filter( $paths );
	}

	/**
	 * Tells the owner of the site about an item.
	 *
	 * @param array  $item    The item.
	 * @param string $subject With %s for its name.
	 * @param string $text    What happened and what to do.
	 */
	private function tell( array $item, string $subject, string $text ): void {
		$batch = '' !== $item['recheck'] ? $item['recheck'] : $item['after'];
		$link  = '' === $batch ? '' : $this->client->link( $batch );
		$this->site->tell( sprintf( $subject, trim( $item['name'] . ' ' . $item['to'] ) ), $text, $link );
	}

	/**
	 * The item that a run is at.
	 *
	 * @param array $journal The record.
	 */
	private function item( array $journal ): array {
		return $journal['items'][ $journal['index'] ];
	}

	/**
	 * The record with another item where the run is at.
	 *
	 * @param array $journal The record.
	 * @param array $item    The item.
	 */
	private function with( array $journal, array $item ): array {
		$journal['items'][ $journal['index'] ] = $item;
		return $journal;
	}

	/**
	 * Whether a wait has reached its limit.
	 *
	 * @param array  $journal The record.
	 * @param string $limit   See LIMITS.
	 */
	private function late( array $journal, string $limit ): bool {
		return $this->site->now() - $journal['since'] >= $this->limits[ $limit ];
	}

	/**
	 * Writes the next step, which is then done.
	 *
	 * @param array  $journal The record.
	 * @param string $step    The step.
	 */
	private function go( array $journal, string $step ): int {
		$journal['step']    = $step;
		$journal['since']   = $this->site->now();
		$journal['polls']   = 0;
		$journal['waiting'] = '';
		$this->write( $journal );
		return 0;
	}

	/**
	 * Waits before the same step: 5, 10, 20, 40 and then 60 seconds, or as long as the service asks.
	 *
	 * @param array                   $journal The record.
	 * @param Afterimage_Failure|null $failure What it waits for to pass, if anything.
	 */
	private function wait( array $journal, ?Afterimage_Failure $failure = null ): int {
		$delay              = (int) min( 60, 5 * 2 ** min( $journal['polls'], 4 ) );
		$journal['waiting'] = null === $failure ? '' : $failure->getMessage();
		++$journal['polls'];
		$this->write( $journal );
		return max( $delay, null === $failure ? 0 : $failure->retry_after );
	}

	/**
	 * Writes the record.
	 *
	 * @param array $journal The record.
	 */
	private function write( array $journal ): void {
		$journal['beat'] = $this->site->now();
		$this->store->put( $journal );
	}
}
