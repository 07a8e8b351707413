package vcd

// Shares of the period's checks, in percent, of whose use the owner is told.
const (
	checksLow       = 80
	ChecksExhausted = 100
)

// ChecksUsed is the largest share of the checks of which the owner is told that is used up; 0 for none.
func (a *Account) ChecksUsed() int {
	for _, percent := range []int{ChecksExhausted, checksLow} {
		if a.ChecksLimit > 0 && a.ChecksDone*100 >= a.ChecksLimit*percent {
			return percent
		}
	}
	return 0
}
