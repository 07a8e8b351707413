<?php
/**
 * The pages of the site that screenshots are taken of.
 *
 * @package Afterimage
 */

/**
 * Chooses among candidates. Where they come from is Afterimage_WP_Pages' business.
 */
class Afterimage_Pages {

	/**
	 * What matters most comes first, and one page of each template before a second page of any.
	 */
	const ORDER = array( 'front', 'shop', 'template', 'page', 'post' );

	/**
	 * Chooses pages.
	 *
	 * @param array  $candidates Each with url, title, type (as shown), kind (see ORDER) and template.
	 * @param string $home       The address of the site; pages elsewhere are left out.
	 * @param int    $limit      How many at most.
	 * @return array Each with url, title and type.
	 */
	public static function choose( array $candidates, string $home, int $limit ): array {
		$ranked = array();
		$seen   = array();
		foreach ( $candidates as $candidate ) {
			$kind     = $candidate['kind'];
			$template = $candidate['type'] . '|' . $candidate['template'];
			if ( in_array( $kind, array( 'page', 'post' ), true ) && ! isset( $seen[ $template ] ) ) {
				$kind = 'template';
			}
			$seen[ $template ] = true;
			$ranked[ $kind ][] = $candidate;
		}
		$chosen = array();
		foreach ( self::ORDER as $kind ) {
			foreach ( $ranked[ $kind ] ?? array() as $candidate ) {
				$key = self::key( $candidate['url'] );
				if ( count( $chosen ) < $limit && ! isset( $chosen[ $key ] ) && self::within( $candidate['url'], $home ) ) {
					$chosen[ $key ] = array(
						'url'   => $candidate['url'],
						'title' => Afterimage_Text::cut( Afterimage_Text::plain( $candidate['title'] ), 255 ),
						'type'  => $candidate['type'],
					);
				}
			}
		}
		return array_values( $chosen );
	}

	/**
	 * The site as the service names it: host, port and path, without the scheme.
	 *
	 * @param string $home The address of the site.
	 */
	public static function domain( string $home ): string {
		return rtrim( preg_replace( '#^https?://#i', '', $home ), '/' );
	}

	/**
	 * What two addresses of the same page have in common.
	 *
	 * @param string $url An address.
	 */
	private static function key( string $url ): string {
		return rtrim( preg_replace( '/#.*$/', '', self::domain( $url ) ), '/' );
	}

	/**
	 * Whether an address belongs to the site.
	 *
	 * @param string $url  An address.
	 * @param string $home The address of the site.
	 */
	private static function within( string $url, string $home ): bool {
		return 1 === preg_match( '#^https?://' . preg_quote( self::domain( $home ), '#' ) . '(?:[/?\#]|$)#i', $url );
	}
}
