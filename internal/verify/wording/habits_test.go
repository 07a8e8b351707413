package wording

import "testing"

// TestHabitsAreTold: no word stands for two habits, and names are read in all the ways in which people write them.
func TestHabitsAreTold(t *testing.T) {
	known := make(map[string]Habit)
	for _, h := range Habits() {
		for _, w := range h.Words() {
			if other, twice := known[w]; twice {
				t.Errorf("%s stands for %s and %s", w, h, other)
			}
			known[w] = h
		}
		if len(h.Words()) == 0 {
			t.Errorf("%s has no words", h)
		}
	}
	for name, want := range map[string]Habit{
		"hero-Carousel__item": habitRotation, "adSlot": HabitAd, "ad-slot": HabitAd, "LatestPosts_list__x1": habitFeed,
		"back-to-top": habitControl,
		"downloads":   "", "header": "", "loading": "", "shadow": "", "address": "",
	} {
		if got, _ := HabitIn(name); got != want {
			t.Errorf("%s has the habit %q, want %q", name, got, want)
		}
	}
}
