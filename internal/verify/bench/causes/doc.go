// Package causes checks that one edit of a page is told as one change: whatever moved, grew or was drawn anew because of it is told
// with it. Its pages are written for that; package corpus does the same with pages that others wrote.
package causes
