package css

import "testing"

// TestLengthsThatFollowTheText, also those in sums and transformations, and of pictures, when nothing else in their value changed.
func TestLengthsThatFollowTheText(t *testing.T) {
	const turned = "matrix(0.7, 0.7, -0.7, 0.7, "
	for name, c := range map[string]struct {
		c    Change
		want bool
	}{
		"a padding":                 {Change{"padding", "10px 20px", "12px 24px"}, true},
		"a side that grew more":     {Change{"padding", "10px 20px", "12px 30px"}, false},
		"a picture":                 {Change{"background-size", "50px auto", "60px auto"}, true},
		"a picture that did not":    {Change{"background-size", "50px auto", "80px auto"}, false},
		"a sum":                     {Change{"background-position", "calc(100% - 15px) 50%", "calc(100% - 18px) 50%"}, true},
		"a sum of another share":    {Change{"background-position", "calc(100% - 15px) 50%", "calc(90% - 18px) 50%"}, false},
		"what moved by its text":    {Change{"::before transform", turned + "-4, -4)", turned + "-4.8, -4.8)"}, true},
		"what moved more than that": {Change{"transform", turned + "-40, -40)", turned + "-90, -90)"}, false},
		"what turned":               {Change{"transform", "matrix(1, 0, 0, 1, -4, -4)", turned + "-4.8, -4.8)"}, false},
		"a colour":                  {Change{"color", "#111111", "#222222"}, false},
		"a picture in other words":  {Change{"background-size", "50px", "60px auto"}, false},
	} {
		if got := c.c.FollowsText(1.2, 1); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
