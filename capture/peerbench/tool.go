package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// tool is one way to take pictures of pages.
type tool struct {
	Name  string
	About string // how it is set
	// Ours marks the one that others are held against.
	Ours bool
	// Zoo tells that it takes the pages of the zoo, Speed that it stands in the
	// tables of throughput, Gate in those of the page that is ready at once.
	Zoo, Speed, Gate bool
	argv             []string // the service
}

// throughService are the tools that are our whole service: with as many captures at once as it is told, and with as many as it
// finds right, which depends on how far a site is away.
func throughService(self, program, browser string, hosts []string) []tool {
	argv := []string{self, "-serve", "keeper", "--", self, "-serve", "service", "-program", program, "-browser", browser,
		"-allow", strings.Join(hosts, ",")}
	return []tool{
		{Name: "service", Speed: true, argv: argv, About: "the whole service with its database, asked by REST for a run"},
		{Name: "auto", argv: append(slices.Clone(argv), "-auto"), About: "service without --captures: their number follows the load"},
	}
}

// contenders are all tools, ours first. Every service runs below a keeper.
func contenders(self, before, peers, browser string, hosts []string) []tool {
	keeper := []string{self, "-serve", "keeper", "--"}
	ours := func(program string) []string {
		return slices.Concat(keeper, []string{program, "-serve", "ours", "-browser", browser, "-allow", strings.Join(hosts, ",")})
	}
	node := func(name string) []string {
		return slices.Concat(keeper, []string{"node", filepath.Join(peers, "peers/adapter.mjs"), name, browser})
	}
	all := []tool{
		{Name: "afterimage", Ours: true, Zoo: true, Speed: true, Gate: true, argv: ours(self),
			About: "as in the service: sandboxed, as an unprivileged user, through the filtering proxy, with element map and manifest"},
		{Name: "bare", Zoo: true, Speed: true, Gate: true, argv: node("bare"),
			About: "puppeteer-core: load, full-page screenshot; one context per page"},
		{Name: "bare-fast", Speed: true, Gate: true, argv: node("bare-fast"),
			About: "puppeteer-core as in bare, with optimizeForSpeed, the fast PNG encoding that Afterimage also uses"},
		{Name: "playwright", Zoo: true, Speed: true, argv: node("playwright"),
			About: "playwright-core: load, full-page screenshot with animations disabled; one context per page"},
		{Name: "expect", Zoo: true, argv: node("expect"),
			About: "a run of @playwright/test with toHaveScreenshot, full page, that writes all snapshots"},
		{Name: "argos", Zoo: true, argv: node("argos"),
			About: "argosScreenshot of @argos-ci/playwright, its defaults, no upload; one context per page"},
		{Name: "backstop", Zoo: true, Speed: true, argv: node("backstop"),
			About: "a run of `backstop reference`, engine puppeteer, selector document"},
		{Name: "patient", Zoo: true, argv: node("patient"),
			About: "puppeteer-core: load, rest 2 s, scroll through, rest 2 s, full-page screenshot"},
	}
	if before != "" {
		all = append(all, tool{Name: "before", Zoo: true, Speed: true, Gate: true, argv: ours(before),
			About: "another build of Afterimage"})
	}
	return all
}
