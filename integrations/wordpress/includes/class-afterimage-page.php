<?php
/**
 * What the admin page shows.
 *
 * @package Afterimage
 */

/**
 * Everything is escaped where it is shown. The token is never shown.
 */
class Afterimage_Page {

	/**
	 * Shows the page.
	 */
	public static function show(): void {
		$connection = Afterimage_Plugin::connection();
		$journal    = Afterimage_Plugin::journal()->get();
		echo '<div class="wrap"><h1>Afterimage</h1>';
		self::said();
		if ( null === $connection ) {
			self::connect();
		} else {
			self::progress( $journal );
			self::check( null !== $journal );
			self::updates( null !== $journal );
		}
		self::runs();
		if ( null !== $connection ) {
			self::settings( $connection );
		}
		echo '</div>';
	}

	/**
	 * What the last form led to.
	 */
	private static function said(): void {
		$said = Afterimage_Admin::last();
		if ( null !== $said ) {
			printf( '<div class="notice notice-%s"><p>%s</p></div>', esc_attr( $said[0] ), esc_html( $said[1] ) );
		}
	}

	/**
	 * The form to connect the site.
	 */
	private static function connect(): void {
		echo '<h2>', esc_html__( 'Connect this site', 'afterimage' ), '</h2><p>';
		esc_html_e( 'Paste the address of your Afterimage service and an API token with the scopes RUN and MANAGE, or a connection link that contains both.', 'afterimage' );
		echo '</p>';
		self::open( 'connect' );
		echo '<table class="form-table" role="presentation"><tr><th><label for="afterimage-address">', esc_html__( 'Address or connection link', 'afterimage' ), '</label></th>';
		echo '<td><input class="regular-text" id="afterimage-address" name="address" required autocomplete="off" ';
		echo 'placeholder="https://afterimage.example.com"></td></tr>';
		echo '<tr><th><label for="afterimage-token">', esc_html__( 'API token', 'afterimage' ), '</label></th>';
		echo '<td><input class="regular-text" id="afterimage-token" name="token" type="password" autocomplete="off"></td></tr></table>';
		self::close( __( 'Connect', 'afterimage' ), true );
	}

	/**
	 * The run in progress.
	 *
	 * @param array|null $journal Its record.
	 */
	private static function progress( ?array $journal ): void {
		if ( null === $journal ) {
			return;
		}
		echo '<h2>', esc_html__( 'In progress', 'afterimage' ), '</h2><p><strong>', esc_html( Afterimage_Journal::sentence( $journal ) ), '</strong> ';
		/* translators: %s: a time such as “2 minutes”. */
		echo esc_html( sprintf( __( 'Last activity %s ago.', 'afterimage' ), human_time_diff( $journal['beat'] ) ) ), '</p>';
		self::items( $journal, false );
		echo '<p><a href="', esc_url( admin_url( 'tools.php?page=afterimage' ) ), '">', esc_html__( 'Refresh', 'afterimage' ), '</a></p>';
	}

	/**
	 * The buttons for screenshots before and after.
	 *
	 * @param bool $busy Whether a run is in progress.
	 */
	private static function check( bool $busy ): void {
		$before = Afterimage_Checks::latest();
		echo '<h2>', esc_html__( 'Before and after', 'afterimage' ), '</h2><p>';
		esc_html_e( 'Take screenshots, change the site, and take screenshots again: Afterimage shows what has changed.', 'afterimage' );
		echo '</p>';
		if ( null !== $before ) {
			/* translators: %s: a time such as “2 minutes”. */
			$text = sprintf( __( 'The last before screenshots were started %s ago.', 'afterimage' ), human_time_diff( $before['at'] ) );
			echo '<p>', esc_html( $text ), ' ';
			self::link( $before['batch'] );
			echo '</p>';
		}
		self::open( 'before' );
		self::close( __( 'Take before screenshots', 'afterimage' ), false, $busy );
		self::open( 'after' );
		self::close( __( 'Take after screenshots and compare', 'afterimage' ), false, $busy || null === $before );
	}

	/**
	 * The updates that there are.
	 *
	 * @param bool $busy Whether a run is in progress.
	 */
	private static function updates( bool $busy ): void {
		if ( ! current_user_can( 'update_plugins' ) ) {
			return;
		}
		echo '<h2>', esc_html__( 'Updates between screenshots', 'afterimage' ), '</h2>';
		$items = Afterimage_Updates::all();
		if ( ! $items ) {
			echo '<p>', esc_html__( 'All plugins and themes are up to date.', 'afterimage' ), '</p>';
			return;
		}
		self::open( 'update' );
		echo '<table class="widefat striped"><tbody>';
		foreach ( $items as $item ) {
			printf(
				'<tr><td><label><input type="checkbox" name="items[]" value="%s" checked> %s</label></td><td>%s</td></tr>',
				esc_attr( $item['id'] ),
				esc_html( $item['name'] ),
				esc_html( Afterimage_Words::versions( $item ) )
			);
		}
		echo '</tbody></table>';
		self::close( __( 'Update one by one', 'afterimage' ), true, $busy );
	}

	/**
	 * The last runs.
	 */
	private static function runs(): void {
		$runs = Afterimage_Plugin::history()->all();
		if ( ! $runs ) {
			return;
		}
		echo '<h2>', esc_html__( 'Last runs', 'afterimage' ), '</h2>';
		foreach ( $runs as $run ) {
			$time = wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $run['ended'] );
			echo '<h3>', esc_html( $time . ', ' . Afterimage_Words::status( $run['status'] ) ), '</h3>';
			foreach ( $run['notes'] as $note ) {
				echo '<p>', esc_html( $note ), '</p>';
			}
			self::items( $run, true );
		}
	}

	/**
	 * The items of a run.
	 *
	 * @param array $run   Its record.
	 * @param bool  $ended Whether it has ended.
	 */
	private static function items( array $run, bool $ended ): void {
		echo '<table class="widefat striped"><tbody>';
		foreach ( $run['items'] as $index => $item ) {
			echo '<tr><td>', esc_html( $item['name'] ), '<br>', esc_html( Afterimage_Words::versions( $item ) ), '</td>';
			echo '<td><strong>', esc_html( Afterimage_Words::state( $item ) ), '</strong>';
			foreach ( array_filter( array_merge( $item['reasons'], array( $item['error'] ) ) ) as $reason ) {
				echo '<br>', esc_html( $reason );
			}
			if ( '' !== $item['culprit'] ) {
				/* translators: %s: a name and versions. */
				echo '<br>', esc_html( sprintf( __( 'Likely cause: %s', 'afterimage' ), $item['culprit'] ) );
			}
			echo '</td><td>';
			self::link( $item['after'] );
			if ( $ended && 'asked' === $item['state'] && '' !== $item['backup'] && is_dir( $item['backup'] ) ) {
				self::take_back( $run['id'], (int) $index, $item );
			}
			echo '</td></tr>';
			self::previews( $item['previews'] );
		}
		echo '</tbody></table>';
	}

	/**
	 * The button to take an update back that was kept.
	 *
	 * @param string $run   The id of the run.
	 * @param int    $index The number of the item in it.
	 * @param array  $item  The item.
	 */
	private static function take_back( string $run, int $index, array $item ): void {
		if ( ! current_user_can( 'update_plugins' ) ) {
			return;
		}
		self::open( 'take_back' );
		echo '<input type="hidden" name="run" value="', esc_attr( $run ), '"><input type="hidden" name="item" value="', (int) $index, '">';
		/* translators: %s: a version. */
		self::close( sprintf( __( 'Roll back to %s', 'afterimage' ), $item['from'] ), false );
	}

	/**
	 * Small pictures of comparisons.
	 *
	 * @param array $previews See Afterimage_Previews.
	 */
	private static function previews( array $previews ): void {
		if ( ! $previews ) {
			return;
		}
		echo '<tr><td colspan="3">';
		foreach ( $previews as $preview ) {
			$title = '' === $preview['title'] ? $preview['url'] : $preview['title'];
			echo '<figure style="display:inline-block;margin:0 1em 1em 0;vertical-align:top"><a href="', esc_url( $preview['link'] ), '">';
			echo '<img loading="lazy" width="200" height="150" style="object-fit:cover;object-position:top;border:1px solid #c3c4c7" ';
			echo 'src="', esc_url( $preview['picture'] ), '" alt="', esc_attr( $title ), '"></a>';
			/* translators: 1: the title of a page, 2: a device, 3: a percentage. */
			$text = sprintf( __( '%1$s, %2$s: %3$s %% changed', 'afterimage' ), $title, $preview['device'], number_format_i18n( $preview['percent'], 2 ) );
			echo '<figcaption style="max-width:200px">', esc_html( $text ), '</figcaption></figure>';
		}
		echo '</td></tr>';
	}

	/**
	 * The connection, the pages and the settings.
	 *
	 * @param array $connection Ours.
	 */
	private static function settings( array $connection ): void {
		$pages = get_option( 'afterimage_pages', null );
		echo '<h2>', esc_html__( 'Settings', 'afterimage' ), '</h2>';
		self::open( 'settings' );
		echo '<p><label><input type="checkbox" name="automatic" value="1"', checked( Afterimage_Plugin::automatic(), true, false ), '> ';
		esc_html_e( 'Install automatic updates of plugins and themes one by one, between screenshots, and roll back those that cause damage.', 'afterimage' );
		echo '</label></p>';
		self::close( __( 'Save', 'afterimage' ), false );
		/* translators: %s: an address. */
		echo '<p>', esc_html( sprintf( __( 'Connected to %s.', 'afterimage' ), $connection['url'] ) );
		if ( is_array( $pages ) ) {
			/* translators: 1: a number, 2: a time such as “2 minutes”. */
			echo ' ', esc_html( sprintf( __( 'Pages sent %2$s ago: %1$d.', 'afterimage' ), $pages['count'], human_time_diff( $pages['at'] ) ) );
		}
		echo '</p>';
		self::open( 'pages' );
		self::close( __( 'Send the pages again', 'afterimage' ), false );
		self::open( 'disconnect' );
		self::close( __( 'Disconnect', 'afterimage' ), false );
	}

	/**
	 * A link to a run in the dashboard.
	 *
	 * @param string $batch The id of its batch; nothing is shown if it is empty.
	 */
	private static function link( string $batch ): void {
		$client = Afterimage_Plugin::client();
		if ( '' !== $batch && null !== $client ) {
			echo '<a href="', esc_url( $client->link( $batch ) ), '">', esc_html__( 'View the run', 'afterimage' ), '</a> ';
		}
	}

	/**
	 * Opens a form.
	 *
	 * @param string $name What it asks for, see Afterimage_Admin::ACTIONS.
	 */
	private static function open( string $name ): void {
		echo '<form method="post" style="display:inline-block;margin-right:.5em" action="', esc_url( admin_url( 'admin-post.php' ) ), '">';
		echo '<input type="hidden" name="action" value="', esc_attr( "afterimage_$name" ), '">';
		wp_nonce_field( "afterimage_$name", '_wpnonce', true );
	}

	/**
	 * Closes a form with its button.
	 *
	 * @param string $text     The text of the button.
	 * @param bool   $primary  Whether it is the main one.
	 * @param bool   $disabled Whether it cannot be used now.
	 */
	private static function close( string $text, bool $primary, bool $disabled = false ): void {
		$class = $primary ? 'button button-primary' : 'button';
		echo '<p><button class="', esc_attr( $class ), '"', disabled( $disabled, true, false ), '>', esc_html( $text ), '</button></p></form>';
	}
}
