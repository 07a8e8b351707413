package page

import "testing"

// Pages that end the session of whoever visits them are known by what their address does, not by what it is about.
func TestSignsOut(t *testing.T) {
	for _, c := range []struct {
		address, words string
		want           bool
	}{
		{"shop.example.com/logout", "", true},
		{"https://shop.example.com/account/sign-out/", "", true},
		{"shop.example.com/Abmelden.php", "", true},
		{"shop.example.com/wp-login.php?action=logout&_wpnonce=1", "", true},
		{"shop.example.com/?logout", "", true},
		{"shop.example.com/bye", "  Sign  out ", true},
		{"shop.example.com/search?q=logout", "", false},
		{"shop.example.com/blog/logout-problems", "Why sign out at all?", false},
		{"shop.example.com/layout", "", false},
		{"shop.example.com/login", "Sign in", false},
		{"shop.example.com/%zz", "", false},
	} {
		if got := SignsOut(c.address, c.words); got != c.want {
			t.Errorf("%s %q: %t", c.address, c.words, got)
		}
	}
}
