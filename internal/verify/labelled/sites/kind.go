package sites

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Kind is one way in which a part of a page differs from visit to visit although nobody changed the site.
type Kind struct {
	Name  string
	Split Split
	// overlay is put at the end of the page instead of into the slot of its template.
	overlay bool
	vary    func(*varying) *node
}

// varying is the varying part of a page while it is built. What is drawn from r is the same on all visits, what is drawn
// from v differs.
type varying struct {
	*site
	r, v  *rand.Rand
	visit int
}

// turn is a number below n that differs from that of the visits before and after.
func (p *varying) turn(n int) int { return p.visit % n }

// minute is the minute of the day of the visit; visits are some hours apart.
func (p *varying) minute() int { return (420 + 137*p.visit + p.v.IntN(60)) % 1440 }

// sample are n different numbers below the limit, in random order, drawn anew on each visit.
func (p *varying) sample(n, limit int) []int { return p.v.Perm(limit)[:n] }

// titles are made-up titles that are the same on all visits.
func (p *varying) titles(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = p.l.title(p.r) + " " + p.l.title(p.r)
	}
	return all
}

// photo is one of the pictures of the part, told apart by number.
func (p *varying) photo(role string, number, width, height int) *node {
	return image(role, p.seed+500_003+uint64(number)*7919, width, height)
}

// Kinds are all kinds. Which split one belongs to was fixed when it was written, before anything was trained.
var Kinds = slices.Concat([]*Kind{
	{"slides with dots", Train, false, slidesWithDots},
	{"changing testimonial", Train, false, changingTestimonial},
	{"changing slogan", Train, false, changingSlogan},
	{"picture exchanged for its like", Train, false, pictureLike},
	{"partner marks that move on", Train, false, partnerMarks},
	{"hint of the visit", Train, false, hint},
	{"temperature", Train, false, temperature},
	{"bars drawn anew", Train, false, bars},
	{"line drawn anew", Train, false, sparkline},
	{"table of rates", Train, false, rates},
	{"people looking", Train, false, looking},
	{"free places", Train, false, freePlaces},
	{"departures", Train, false, departures},
	{"scores", Train, false, scores},
	{"news that move on", Train, false, newsMovesOn},
	{"posts with ages", Train, false, postsWithAges},
	{"shuffled offers", Train, false, shuffledOffers},
	{"other suggestions", Train, false, otherSuggestions},
	{"comments", Train, false, comments},
	{"cloud of words", Train, false, cloud},
	{"ranking", Train, false, ranking},
	{"greeting by name", Train, false, greetingByName},
	{"suggestion for a search", Train, false, suggestedSearch},
	{"arithmetic question", Train, false, arithmetic},
	{"reference of the visit", Train, false, reference},
	{"other wording", Train, false, otherWording},
	{"other colour of a button", Train, false, otherButton},
	{"cookie bar", Train, true, cookieBar},
	{"round button of a chat", Train, true, chatButton},
	{"notice of a purchase", Train, true, purchaseNotice},
	{"clock", Train, false, clock},
	{"time left", Train, false, timeLeft},
	{"date of today", Train, false, dateOfToday},
	{"dappled background", Train, false, dappled},
	{"faces made of squares", Train, false, squares},

	{"fading pictures with arrows", Validation, false, arrows},
	{"ring of a share", Validation, false, ring},
	{"list of bids", Validation, false, bids},
	{"question to visitors", Validation, true, questionTab},
	{"last update", Validation, false, lastUpdate},
	{"activity of others", Validation, false, activity},
	{"two arrangements", Validation, false, arrangements},
	{"featured partner", Validation, false, featured},

	{"tabs that advance", HeldOut, false, tabs},
	{"strip of messages", HeldOut, false, strip},
	{"stacked photographs", HeldOut, false, stack},
	{"gauge", HeldOut, false, gauge},
	{"waiting time", HeldOut, false, waiting},
	{"levels of water", HeldOut, false, levels},
	{"vacancies", HeldOut, false, vacancies},
	{"reviews in another order", HeldOut, false, reviews},
	{"recent buyers", HeldOut, false, buyers},
	{"random articles", HeldOut, false, articles},
	{"mark of a build", HeldOut, false, build},
	{"invitation in a corner", HeldOut, true, invitation},
	{"hours and minutes since", HeldOut, false, since},
	{"waves drawn anew", HeldOut, false, waves},
	{"name of the member", HeldOut, false, member},

	{"thumbnails of many", Train, false, thumbnails},
	{"offer of the week", Train, false, weeklyOffer},
	{"seen before", Train, false, lastSeen},
	{"slide with a count", Train, false, slideWithCount},
	{"front picture of many", Train, false, heroOfMany},
	{"mosaic", Train, false, mosaic},
	{"circle of faces", Train, false, circleOfFaces},
	{"chips", Train, false, chips},
	{"word of the day", Train, false, wordOfTheDay},
	{"month with a mark", Train, false, monthGrid},
	{"marked row", Train, false, markedRow},
	{"pages of a list", Train, false, pages},
	{"table sorted otherwise", Train, false, sortedOtherwise},
	{"seats", Train, false, seats},
	{"heat of cells", Train, false, heat},
	{"results of a poll", Train, false, pollBars},
	{"flags of visitors", Train, false, flags},
	{"goal with a bar", Train, false, goal},
	{"radar", Train, false, radar},
	{"delays of routes", Train, false, routes},
	{"counters", Train, false, balance},
	{"line of news", Train, false, newsLine},
	{"small note", Train, true, toast},
	{"way up", Train, true, upButton},

	{"author of many", Validation, false, author},
	{"dialogue", Validation, false, dialogue},
	{"other ground", Validation, false, otherGround},
	{"numbered steps", Validation, false, steppers},
	{"phase of the moon", Validation, false, moon},
	{"other headlines", Validation, false, headlineSwap},
	{"list the other way round", Validation, false, reversedList},
	{"rate of exchange", Validation, false, converter},
	{"area drawn anew", Validation, false, stockChart},
	{"switch of languages", Validation, true, languageSwitch},
	{"tab with stars", Validation, true, ratingTab},
}, unseenKinds)

func lines(role string, texts []string, chosen []int) *node {
	all := box("ul", role, "list-style:none;padding:0")
	for _, i := range chosen {
		all.add(box("li", role+"-item", "padding:6px 0;border-bottom:1px solid #ddd", words("a", role+"-link", "", texts[i]).with("href",
			"/n")))
	}
	return all
}

// consecutive are n numbers from the first on, downwards: what came last stands first.
func consecutive(first, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = first + n - 1 - i
	}
	return all
}

func clockOf(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
