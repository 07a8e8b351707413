<?php
/**
 * Small pictures of comparisons.
 *
 * @package Afterimage
 */

/**
 * Picks the comparisons that show the reasons of a verdict.
 */
class Afterimage_Previews {

	const COUNT = 4;

	/**
	 * Picks comparisons.
	 *
	 * @param array    $comparisons As the service lists them.
	 * @param string[] $wanted      Ids of those to show first.
	 * @return array Each with title, url, device, percent, picture and link.
	 */
	public static function of( array $comparisons, array $wanted ): array {
		$first = array();
		$then  = array();
		foreach ( $comparisons as $comparison ) {
			if ( ! is_string( $comparison['link'] ?? null ) || ! is_string( $comparison['public_link'] ?? null ) ) {
				continue;
			}
			$preview = array(
				'title'   => (string) ( $comparison['html_title'] ?? '' ),
				'url'     => (string) ( $comparison['url'] ?? '' ),
				'device'  => (string) ( $comparison['device'] ?? '' ),
				'percent' => (float) ( $comparison['difference_percent'] ?? 0 ),
				'picture' => preg_replace( '/\.png$/', '_compressed.jpeg', $comparison['link'] ),
				'link'    => $comparison['public_link'],
			);
			if ( in_array( $comparison['id'] ?? '', $wanted, true ) ) {
				$first[] = $preview;
			} elseif ( ! $wanted && $preview['percent'] > 0 ) {
				$then[] = $preview;
			}
		}
		return array_slice( array_merge( $first, $then ), 0, self::COUNT );
	}
}
