package main

import (
	"errors"

	"afterimage/db"
)

// databaseFlags say where the database is, and as which roles it is used.
type databaseFlags struct {
	DatabaseURL           string `installation:"" secret:"" help:"PostgreSQL URL; default: a private database in the data folder." env:"AFTERIMAGE_DATABASE_URL,DATABASE_URL" placeholder:"postgres://…"`
	DatabaseURLFile       string `installation:"" help:"File that contains the PostgreSQL URL." env:"AFTERIMAGE_DATABASE_URL_FILE,DATABASE_URL_FILE" type:"path" placeholder:"FILE"`
	DatabaseDirectURL     string `installation:"" secret:"" help:"URL of the database itself, if --database-url points to a pooler in transaction mode such as PgBouncer." placeholder:"postgres://…"`
	DatabaseDirectURLFile string `installation:"" help:"File that contains the direct URL of the database." type:"path" placeholder:"FILE"`
	DatabaseSystemURL     string `installation:"" secret:"" help:"URL with the role that can read all accounts, if that of --database-url cannot; see docs/operations/database.md." placeholder:"postgres://…"`
	DatabaseSystemURLFile string `installation:"" help:"File that contains the URL with the role that can read all accounts." type:"path" placeholder:"FILE"`
}

// checkDatabase refuses flags that say nothing without another.
func (f *databaseFlags) checkDatabase() error {
	if f.DatabaseURL == "" && (f.DatabaseDirectURL != "" || f.DatabaseSystemURL != "") {
		return errors.New("--database-direct-url and --database-system-url need --database-url")
	}
	return nil
}

// ownerURL is where tables are made and changed: never through a pooler.
func (f *databaseFlags) ownerURL() string {
	if f.DatabaseDirectURL != "" {
		return f.DatabaseDirectURL
	}
	return f.DatabaseURL
}

// settings say how the program works with a database at the owner's URL.
func (f *databaseFlags) settings(owner string) db.Config {
	if f.DatabaseURL == "" {
		return db.Config{URL: owner}
	}
	return db.Config{URL: f.DatabaseURL, DirectURL: f.DatabaseDirectURL, SystemURL: f.DatabaseSystemURL}
}
