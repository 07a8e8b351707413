package gate

import (
	"strings"
	"testing"
)

// TestPagesThatMustBeFineAreNamed by a part of their path, their path, or all of their address.
func TestPagesThatMustBeFineAreNamed(t *testing.T) {
	for page, addresses := range map[string]string{
		"cart":                   "example.com/cart example.com/en/CART/?a=1 !example.com/carts !cart.example.com/ !example.com/?a=/cart/",
		"*cart*":                 "example.com/my-carts/1 !example.com/a?cart",
		"/":                      "example.com/ example.com example.com/?a=1 !example.com/a",
		"/shop/*":                "example.com/shop/a/b example.com/shop/?a !example.com/a/shop/b !example.com/workshop/a",
		"/shop/*/buy":            "example.com/shop/a/buy/ !example.com/shop/buy !example.com/shop/a/buy/now",
		"example.com/landing/":   "example.com/landing example.com/Landing/?utm=1 !www.example.com/landing !example.com/landing/a",
		"example.com/?page_id=3": "example.com/?page_id=3 !example.com/?page_id=31 !example.com/",
		"*":                      "example.com example.com/a",
	} {
		rules := Rules{MustBeFine: []string{page}}
		for address := range strings.FieldsSeq(addresses) {
			address, not := strings.CutPrefix(address, "!")
			if rules.strict(address) == not {
				t.Errorf("%s for %s", page, address)
			}
		}
	}
}
