package graph_test

import (
	"strings"
	"testing"
)

func TestAnswersWithSecretsAreNotTransformed(t *testing.T) {
	s := newSite(t)
	for query, secret := range map[string]bool{
		`{ account { id email } }`:                                                        false,
		`{ comparisons { nodes { token } } }`:                                             false,
		`{ account { a: webhookSecret } }`:                                                true,
		`{ viewer { ... on Viewer { account { magicLoginSecret } } } }`:                   true,
		`{ account { ...A } } fragment A on Account { webhookSecret }`:                    true,
		`mutation { createToken(input: {name: "x"}) { plainText } }`:                      true,
		`query A { account { id } } query B { account { webhookSecret } }`:                true,
		`mutation { createToken(input: {name: "x"}) { token { prefix name } } }`:          false,
		`subscription { events { number } } query B { account { id } }`:                   false,
		`{ account { id } __type(name: "Account") { fields { name } } }`:                  false,
		`{ account { id @include(if: false) webhookSecret @include(if: false) } }`:        true,
		`query($a: Boolean = false) { account { id webhookSecret @include(if: $a) } }`:    true,
		`{ a: account { planFeatures { aiVerification } } b: account { webhookSecret } }`: true,
	} {
		a := s.post(query, nil)
		if got := strings.Contains(a.header.Get("Cache-Control"), "no-transform"); got != secret {
			t.Errorf("%s: Cache-Control %q", query, a.header.Get("Cache-Control"))
		}
	}
}
