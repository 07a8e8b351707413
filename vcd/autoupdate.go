package vcd

// Weekdays says for each day of the week whether it counts, Monday first.
type Weekdays [7]bool

// AutoUpdateSettings say when a website's automatic updates are checked, and who is told of the results. Times are in
// the account's time zone.
type AutoUpdateSettings struct {
	Enabled bool
	From    string // "HH:MM"; checks begin here
	To      string // "HH:MM"; and end here, also across midnight
	Days    Weekdays
	Emails  []string
}
