package jobs

import (
	"cmp"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// driver is River's access to the database. What listens must keep its connection, which a pooler of transactions would take away.
type driver struct {
	*riverpgxv5.Driver

	listening *riverpgxv5.Driver
}

func (c Config) driver() driver {
	return driver{Driver: riverpgxv5.New(c.Pool), listening: riverpgxv5.New(cmp.Or(c.Listen, c.Pool))}
}

// GetListener implements riverdriver.Driver.
func (d driver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return d.listening.GetListener(params)
}
