package query

import "afterimage/vcd"

// FeatureRow holds the features of the account's plan, which are read together with the columns that they apply to.
type FeatureRow struct {
	AIVerification bool `bun:"ai_verification"`
	BrowserConsole bool `bun:"browser_console"`
}

// FeatureColumns selects the columns of a FeatureRow from the account that JoinFeatures joins by its id.
const (
	FeatureColumns = "account.ai_verification, account.browser_console"
	JoinFeatures   = "JOIN accounts AS account ON account.id = ?"
)

// Features are those of the row.
func (r *FeatureRow) Features() vcd.Features {
	return vcd.Features{AIVerification: r.AIVerification, BrowserConsole: r.BrowserConsole}
}
