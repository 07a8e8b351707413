<?php
/**
 * A step on the site itself that did not succeed.
 *
 * @package Afterimage
 */

/**
 * Its message tells the owner of the site what is wrong and, where something has to be done by hand, exactly what.
 */
class Afterimage_Problem extends Exception {
}
