package main

import (
	"errors"
	"time"
)

// developmentFlags are for tests of the whole program and no help shows them: with a clock that can be set, one could let
// tokens live for ever.
type developmentFlags struct {
	Development         bool          `hidden:"" env:"-" help:"Enable features for tests of the program."`
	DevelopmentClock    string        `hidden:"" env:"-" type:"path" placeholder:"FILE" help:"File with the delay of the program's clock behind the database's, such as 36h30m; needs --development."`
	DevelopmentPipeline int           `hidden:"" env:"-" placeholder:"NUMBER" help:"Simulate a later version whose pipeline has this number and draws a border around pages; needs --development."`
	DevelopmentReach    time.Duration `hidden:"" env:"-" placeholder:"TIME" help:"Wait this long for a database connection; needs --development."`
}

// reach is how long a request waits for a database connection, 0 for the usual time. Tests on a busy machine ask for more.
func (f developmentFlags) reach() (time.Duration, error) {
	if f.DevelopmentReach != 0 && !f.Development {
		return 0, errors.New("--development-reach is only for tests of the program and needs --development")
	}
	return f.DevelopmentReach, nil
}
