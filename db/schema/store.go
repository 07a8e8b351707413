// Package schema makes and changes the tables, grants rights on them, dumps and restores them, and checks what must hold of them.
package schema

import "afterimage/db/pg"

// Store is what is asked about all tables.
type Store struct{ *pg.DB }
