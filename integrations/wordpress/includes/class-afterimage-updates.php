<?php
/**
 * The updates that there are.
 *
 * @package Afterimage
 */

/**
 * Lists updates of plugins and themes as items of a journal.
 */
class Afterimage_Updates {

	/**
	 * The updates that WordPress knows of.
	 *
	 * @param bool $ask Whether WordPress looks for new ones first.
	 */
	public static function all( bool $ask = false ): array {
		Afterimage_WP_Site::load();
		if ( $ask ) {
			wp_update_plugins();
			wp_update_themes();
		}
		$items   = array();
		$plugins = get_plugins();
		foreach ( self::offers( 'update_plugins' ) as $id => $offer ) {
			// This plugin does not update itself while it runs.
			if ( isset( $plugins[ $id ] ) && plugin_basename( AFTERIMAGE_FILE ) !== $id ) {
				$to      = (string) ( $offer['new_version'] ?? '' );
				$plugin  = $plugins[ $id ];
				$items[] = Afterimage_Journal::item( 'plugin', $id, $plugin['Name'], $plugin['Version'], $to, self::active( $id ) );
			}
		}
		foreach ( self::offers( 'update_themes' ) as $id => $offer ) {
			$theme = wp_get_theme( $id );
			if ( $theme->exists() ) {
				$used    = in_array( $id, array( get_stylesheet(), get_template() ), true ) ? 'site' : '';
				$to      = (string) ( $offer['new_version'] ?? '' );
				$items[] = Afterimage_Journal::item( 'theme', $id, (string) $theme->get( 'Name' ), (string) $theme->get( 'Version' ), $to, $used );
			}
		}
		return $items;
	}

	/**
	 * The offers of WordPress, by plugin or theme.
	 *
	 * @param string $name The name of the transient.
	 */
	private static function offers( string $name ): array {
		$known  = get_site_transient( $name );
		$offers = array();
		foreach ( is_object( $known ) && isset( $known->response ) ? (array) $known->response : array() as $id => $offer ) {
			$offers[ (string) $id ] = (array) $offer;
		}
		return $offers;
	}

	/**
	 * Those of the updates that people named, by slug or id.
	 *
	 * @param array    $items The updates.
	 * @param string[] $names What was named.
	 * @return array{0: array, 1: string[]} The items, and the names without an update.
	 */
	public static function named( array $items, array $names ): array {
		$found   = array();
		$unknown = array();
		foreach ( $names as $name ) {
			$matching = array_filter(
				$items,
				static function ( $item ) use ( $name ) {
					return $item['slug'] === $name || $item['id'] === $name;
				}
			);
			if ( ! $matching ) {
				$unknown[] = $name;
			}
			foreach ( $matching as $item ) {
				$found[ $item['kind'] . ' ' . $item['id'] ] = $item;
			}
		}
		return array( array_values( $found ), $unknown );
	}

	/**
	 * How a plugin is active: “site”, “network” or not at all.
	 *
	 * @param string $id Its main file.
	 */
	public static function active( string $id ): string {
		if ( is_plugin_active_for_network( $id ) ) {
			return 'network';
		}
		return is_plugin_active( $id ) ? 'site' : '';
	}
}
