package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// phase is what a tool is asked to do.
type phase string

const (
	reference phase = "reference" // take the pictures of the first site, and store them
	test      phase = "test"      // take those of the second, and compare them with what is stored
	both      phase = "both"      // compare both sites without storing anything: Afterimage alone
)

// tool is one way to compare two sites.
type tool struct {
	Name  string `json:"name"`
	About string `json:"about"` // how it is set
	// Ours compares two sites in one command. The others store pictures of the one, and compare the other with them.
	Ours bool `json:"ours"`
	// argv is the command for a phase in the folder of a task.
	argv func(p phase, folder string, t task) []string
	// red reads which pictures the tool called different.
	red func(folder string) ([]place, error)
}

// place is a page on a device.
type place struct {
	Path   string `json:"path"`
	Device string `json:"device"`
}

// task is what every tool is asked for: task.json in its folder.
type task struct {
	Before      string   `json:"before"`
	After       string   `json:"after"`
	Paths       []string `json:"paths"`
	Devices     []device `json:"devices"`
	Concurrency int      `json:"concurrency"`
	Browser     string   `json:"browser"`
}

// device is a viewport. Those of the peers are of the same size as ours.
type device struct {
	Name   string `json:"name"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Mobile bool   `json:"mobile"`
}

var devices = []device{{Name: "desktop", Width: 1440, Height: 900}, {Name: "mobile", Width: 390, Height: 844, Mobile: true}}

// contenders are all tools, ours first.
func contenders(s settings) []tool {
	peer := func(name string) func(phase, string, task) []string {
		return func(p phase, folder string, _ task) []string {
			return []string{"node", filepath.Join(s.peers, "peers/run.mjs"), name, string(p), folder}
		}
	}
	return []tool{
		{Name: "afterimage", Ours: true, argv: ours(s.afterimage), red: ownAlarms,
			About: "`afterimage compare` with its defaults, and with a report; without a change, against a baseline"},
		{Name: "playwright", argv: peer("playwright"), red: peerAlarms,
			About: "@playwright/test with `toHaveScreenshot`, full page, its defaults except for the number of workers"},
		{Name: "backstop", argv: peer("backstop"), red: peerAlarms,
			About: "`backstop reference` and `backstop test`, engine puppeteer, selector document, its defaults"},
		{Name: "reg", argv: peer("reg"), red: peerAlarms,
			About: "full-page screenshots by playwright-core with animations disabled, " +
				"compared by reg-cli, the engine of reg-suit, with its defaults"},
	}
}

func ours(program string) func(phase, string, task) []string {
	return func(p phase, folder string, t task) []string {
		var names []string
		for _, d := range t.Devices {
			names = append(names, d.Name)
		}
		argv := []string{program, "compare", "--devices", strings.Join(names, ","), "--concurrency", strconv.Itoa(t.Concurrency)}
		list, baseline := []string{"--paths", filepath.Join(folder, "paths.txt")}, filepath.Join(folder, "baseline")
		report := []string{"--report", filepath.Join(folder, "report")}
		switch p {
		case reference:
			return append(append(argv, list...), "--baseline", baseline, "--update", t.Before)
		case test:
			return append(append(argv, report...), "--baseline", baseline, t.After)
		default:
			return append(append(append(argv, list...), report...), t.Before, t.After)
		}
	}
}

// prepare writes what the tools read.
func prepare(folder string, t task) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "task.json"), text, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "paths.txt"), []byte(strings.Join(t.Paths, "\n")), 0o600)
}

func peerAlarms(folder string) ([]place, error) {
	var red []place
	return red, read(filepath.Join(folder, "red.json"), &red)
}

// ownAlarms are the pages that our report asks somebody to look at.
func ownAlarms(folder string) ([]place, error) {
	r, err := readOwn(folder)
	if err != nil {
		return nil, err
	}
	var red []place
	for _, p := range r.Pages {
		if p.Verdict != "equal" && p.Verdict != "harmless" {
			red = append(red, p.place)
		}
	}
	return red, nil
}

// ownReport is what this bench reads of our report.json.
type ownReport struct {
	Pages []struct {
		place
		Verdict string `json:"verdict"`
	} `json:"pages"`
	Changes []ownChange `json:"changes"`
}

// ownChange is a change with the places where it was found.
type ownChange struct {
	Kind        string  `json:"kind"`
	Verdict     string  `json:"verdict"`
	Host        string  `json:"host"`
	Description string  `json:"description"`
	Places      []place `json:"places"`
}

func readOwn(folder string) (*ownReport, error) {
	var r ownReport
	return &r, read(filepath.Join(folder, "report", "report.json"), &r)
}

func read(name string, into any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
