package capture

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// chanceScript makes Math.random() follow a seed, which replaces SEED in it.
//
//go:embed chance.js
var chanceScript string

// otherwise are the commands that let the page see another date and other random numbers, none for an ordinary capture. They
// come after the script of the clock.
func (r *run) otherwise() []proto.Request {
	var commands []proto.Request
	add := func(source string) {
		commands = append(commands, proto.PageAddScriptToEvaluateOnNewDocument{Source: source})
	}
	if r.req.Later != 0 && r.clock.Virtual() {
		add(fmt.Sprintf("dispatchEvent(new CustomEvent('%s', { detail: %d }))", r.token, r.req.Later.Milliseconds()))
	}
	if r.req.Seed != 0 {
		add(strings.ReplaceAll(chanceScript, "SEED", strconv.FormatUint(uint64(r.req.Seed), 10)))
	}
	return commands
}
