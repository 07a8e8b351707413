package main

import (
	"path/filepath"
	"runtime"
)

// contender is one way to compare two pictures.
type contender struct {
	Name string
	// Ours marks the one that others are held against.
	Ours bool
	// Picture tells that it also writes a picture of the differences.
	Picture bool
	// About says how it is set.
	About string
	// OneSize tells that it refuses pictures of unequal size, or calls them
	// different without comparing them.
	OneSize bool
	argv    []string // a service, or the command before the two paths
	tail    []string // arguments after the two paths
	codes   []int    // exit codes of a command that are answers
}

// tools are the programs that a run needs.
type tools struct {
	self       string // this program
	afterimage string // the command
	peers      string // the folder with package.json
	out        string // a folder for pictures
}

// services are the contenders that stay alive, each group led by ours.
func (t tools) services() []contender {
	node := func(name string) []string {
		return []string{"node", filepath.Join(t.peers, "peers/adapter.mjs"), name, filepath.Join(t.out, name+".png")}
	}
	ours := func(mode string) []string { return []string{t.self, "-serve", mode} }
	return []contender{
		{Name: "imgdiff", Ours: true, argv: ours("plain"), About: "imgdiff.Compare, threshold 0.1, regions and fingerprints included"},
		{Name: "imgdiff aligned", argv: ours("aligned"), About: "the same with Align"},
		{Name: "BlazeDiff", OneSize: true, argv: node("blazediff"), About: "native binding, buffers, threshold 0.1, antialiasing on"},
		{Name: "BlazeDiff fastest", OneSize: true, argv: node("blazediff-fastest"),
			About: "the same, antialiasing off, which gives other counts"},
		{Name: "pixelmatch + sharp", OneSize: true, argv: node("pixelmatch-sharp"),
			About: "both decoded concurrently by sharp, threshold 0.1, no output"},
		{Name: "looks-same", OneSize: true, argv: node("looks-same"), About: "buffers, its defaults, no early stop, no clusters"},
		{Name: "honeydiff", argv: node("honeydiff"), About: "buffers, its defaults (CIEDE2000, anti-aliasing and clusters on)"},
		{Name: "imgdiff + mask", Ours: true, Picture: true, argv: ours("mask"), About: "and Result.MaskPNG"},
		{Name: "imgdiff + composed", Picture: true, argv: ours("composed"), About: "and Result.Compose"},
		{Name: "odiff server", Picture: true, argv: node("odiff-server"),
			About: "paths, as recommended; threshold 0.1, antialiasing on; it always writes its image"},
		{Name: "BlazeDiff + picture", Picture: true, OneSize: true, argv: node("blazediff-picture"), About: "compression 0, its default"},
		{Name: "pixelmatch + sharp + picture", Picture: true, OneSize: true, argv: node("pixelmatch-sharp-picture"),
			About: "PNG at compression 1"},
	}
}

// commands are the contenders that are started for each pair.
func (t tools) commands() []contender {
	modules := filepath.Join(t.peers, "node_modules")
	odiff := filepath.Join(modules, "@odiff", platform(), "odiff")
	blazediff := filepath.Join(modules, "@blazediff/core-native-"+platform(), "blazediff")
	once := func(name string) []string { return []string{"node", filepath.Join(t.peers, "peers/once.mjs"), name} }
	sameOrNot := []int{0, 1}
	picture := func(name string) string { return filepath.Join(t.out, name+".png") }
	return []contender{
		{Name: "afterimage diff", codes: sameOrNot, Ours: true, argv: []string{t.afterimage, "diff"}, About: "threshold 0.1"},
		{Name: "afterimage diff --align", codes: sameOrNot, argv: []string{t.afterimage, "diff", "--align"}},
		{Name: "blazediff -a", OneSize: true, codes: sameOrNot, argv: []string{blazediff, "-a"}, About: "antialiasing on, no output"},
		{Name: "blazediff", OneSize: true, codes: sameOrNot, argv: []string{blazediff},
			About: "its fastest setting: antialiasing off, no output"},
		{Name: "odiff --aa", codes: []int{0, 22}, argv: []string{odiff, "--aa"}, About: "no output"},
		{Name: "pixelmatch", OneSize: true, codes: []int{0, 66},
			argv:  []string{"node", filepath.Join(modules, "pixelmatch/bin/pixelmatch")},
			About: "its command line, which decodes with pngjs"},
		{Name: "pixelmatch + sharp", OneSize: true, codes: []int{0}, argv: once("pixelmatch-sharp"), About: "in a script"},
		{Name: "looks-same", OneSize: true, codes: []int{0}, argv: once("looks-same"), About: "in a script"},
		{Name: "honeydiff", codes: []int{0}, argv: once("honeydiff"), About: "in a script"},
		{Name: "afterimage diff --mask", codes: sameOrNot, Ours: true, Picture: true, argv: []string{t.afterimage, "diff", "--mask",
			picture("mask")}},
		{Name: "afterimage diff --compose", codes: sameOrNot, Picture: true, argv: []string{t.afterimage, "diff", "--compose",
			picture("composed")}},
		{Name: "blazediff -a OUT", OneSize: true, codes: sameOrNot, Picture: true, argv: []string{blazediff, "-a"},
			tail: []string{picture("blazediff-cold")}},
		{Name: "odiff --aa OUT", codes: []int{0, 22}, Picture: true, argv: []string{odiff, "--aa"}, tail: []string{picture("odiff-cold")}},
	}
}

// platform is how npm names this machine in packages with programs.
func platform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}
