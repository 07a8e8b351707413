// Package backup keeps backups of an installation in a folder or a bucket: the rows of its database as of one moment, and the
// files that they name.
//
// A place holds any number of backups of one installation:
//
//	afterimage-backup                 what the place is, in plain JSON
//	backups/<id>/<table>/<number>     rows, compressed and encrypted
//	backups/<id>/manifest             what the backup consists of, encrypted; written last, so that half a backup is none
//	files/<ab>/<name>                 a file that the rows name, encrypted; written once, for all backups
//
// Everything is encrypted with AES-256-GCM by a key that is derived from the secret key of the installation, and bound to its
// name: parts cannot be exchanged, cut off or read by who keeps the place. The name of a file is a keyed hash of its content.
package backup
