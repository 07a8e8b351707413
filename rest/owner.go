package rest

import (
	"fmt"
	"slices"

	"github.com/tidwall/gjson"
)

// ownersOnly are the fields of an account that a subaccount does not have.
var ownersOnly = []string{"plan", "plan_name", "company", "magic_login_secret"}

// ownerFields leaves those fields out of the answer of another wrapper when the account in it is a subaccount.
func ownerFields(inner wrapper) wrapper {
	answer := func(o outcome) (reply, error) {
		r, err := inner.answer(o)
		if err != nil {
			return reply{}, err
		}
		body, err := parse(r.body)
		if err != nil {
			return reply{}, err
		}
		account, err := dataOf(body)
		if err != nil {
			return reply{}, err
		}
		all, err := members(account)
		if err != nil || !slices.ContainsFunc(all, isSubaccount) {
			return r, err
		}
		kept := slices.DeleteFunc(all, func(m member) bool { return slices.Contains(ownersOnly, m.name) })
		r.body = fmt.Appendf(nil, `{"data":%s}`, joined(kept))
		return r, nil
	}
	return wrapper{answer, func(d *describer, op *operation) shape {
		s := inner.shape(d, op)
		d.makeOptional(s.body, ownersOnly)
		return s
	}}
}

func isSubaccount(m member) bool { return m.name == "is_subaccount" && m.value.Type == gjson.True }
