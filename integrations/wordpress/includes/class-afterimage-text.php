<?php
/**
 * Texts within the limits of the service.
 *
 * @package Afterimage
 */

/**
 * Works without the extension mbstring.
 */
class Afterimage_Text {

	/**
	 * Cuts a text to a number of characters. Bytes that are not UTF-8 become question marks.
	 *
	 * @param string $text The text.
	 * @param int    $max  How many characters at most.
	 */
	public static function cut( string $text, int $max ): string {
		if ( 1 !== preg_match( '//u', $text ) ) {
			$text = preg_replace( '/[^\x09\x0A\x0D\x20-\x7E]/', '?', $text );
		}
		preg_match_all( '/./us', $text, $found );
		if ( count( $found[0] ) <= $max ) {
			return $text;
		}
		return implode( '', array_slice( $found[0], 0, $max - 1 ) ) . '…';
	}

	/**
	 * The text without markup, in one line.
	 *
	 * @param string $text A text that may contain HTML.
	 */
	public static function plain( string $text ): string {
		// phpcs:ignore WordPress.WP.AlternativeFunctions.strip_tags_strip_tags -- works without WordPress; output is escaped anyway.
		$text = html_entity_decode( strip_tags( $text ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
		return trim( (string) preg_replace( '/\s+/', ' ', $text ) );
	}
}
