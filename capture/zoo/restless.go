package zoo

// restlessPages are not the same twice.
var restlessPages = []Page{
	{Name: "clock", Shows: "the time of day", Kind: Restless, Has: []Sentinel{has(content, 170_000)}},
	{Name: "stopwatch", Shows: "milliseconds, frame by frame", Kind: Restless, Has: []Sentinel{has(content, 170_000)}},
	{Name: "noise", Shows: "a canvas painted at random forever", Kind: Restless, Has: []Sentinel{has(content, 170_000)}},
	{Name: "advertisements", Shows: "advertisements chosen at random in turn", Kind: Restless, Has: []Sentinel{has(content, 170_000)}},
	{Name: "advertisement", Shows: "one advertisement chosen at random by the server", Kind: Dealt, Has: []Sentinel{has(content, 170_000)}},
	{Name: "shuffle", Shows: "a colour chosen at random by a script", Kind: Dealt, Has: []Sentinel{has(content, 170_000)}},
}
