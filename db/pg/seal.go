package pg

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"afterimage/vcd"
)

// seal proves to the database that a transaction was bound by us, and not by a statement that somebody smuggled in: the role of everyday
// work may set the account of its session to any, but cannot read the seal. See decision 77 and the function bound_account.
type seal []byte

// prove returns the proof for an account, empty for none.
func (s seal) prove(account vcd.ID) string {
	if s == nil || account == "" {
		return ""
	}
	sum := hmac.New(sha256.New, s)
	sum.Write([]byte(account))
	return hex.EncodeToString(sum.Sum(nil))
}
