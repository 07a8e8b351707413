package causes

import (
	"os"
	"strings"
	"testing"

	"afterimage/capture"
)

const (
	rain  = "Rain water from the roofs is kept in a cistern below the yard and lasts through most of the summer. "
	clay  = "The clay comes from a pit behind the village and has to rest for a winter before it is thrown. "
	voice = "Sing whatever you like, said the old teacher, as long as the window is open. "
)

// plot is a section with a heading above so much text.
func plot(class, title, text string, times int) string {
	return `<section class="` + class + `"><h2>` + title + `</h2><p>` + strings.Repeat(text, times) + `</p></section>`
}

// garden has sections of different heights, pottery articles in columns, choir a list of parts beside a menu.
var (
	garden = sheet("Garden", `body{margin:0;font:16px/1.55 serif}section{padding:44px 8%}.x{background:#eef4e8}.y{background:#fff}
.z{background:#384d2f;
color:#f3f7ef}nav{padding:14px 8%;background:#222}nav a{color:#fff;margin-right:22px}`,
		`<nav><a href="#1">Beds</a><a href="#2">Water</a><a href="#3">Bees</a></nav>`+
			plot("x", "Beds", rain, 3)+plot("y", "Water", rain, 7)+
			plot("z", "Bees", clay, 4)+plot("x", "Open days", voice, 2))
	pottery = sheet("Pottery", `body{margin:0;font:17px/1.5 sans-serif;background:#faf7f2}
header{padding:30px 50px;background:#5b3a29;color:#fff}
.ware{display:grid;grid-template-columns:1fr 1fr;gap:26px;padding:40px 50px}.piece{padding:24px;background:#fff;border:1px solid #e0d5c8}
@media(max-width:700px){.ware{grid-template-columns:1fr;padding:20px}}`,
		`<header><h1>Pottery</h1></header><main class="ware"><article class="piece">
<h3>Bowls</h3><p>`+clay+`</p></article><article class="piece">
<h3>Jugs</h3><p>`+clay+clay+`</p></article><article class="piece"><h3>Tiles</h3><p>`+clay+`</p></article><article class="piece">
<h3>Stoves</h3><p>`+
			clay+`</p></article></main>`)
	choir = sheet("Choir", `html{font-size:15px}body{margin:0;font:1rem/1.6 sans-serif}.page{display:flex;gap:2rem;padding:2rem}
aside{flex:0 0 12rem}
aside a{display:block;padding:.3rem 0;color:#246}main{flex:1}li{margin:.4rem 0}@media(max-width:700px){.page{display:block}}`,
		`<div class="page"><aside><a href="#1">Concerts</a><a href="#2">Rehearsals</a><a href="#3">Join in</a></aside><main>
<h1>The choir</h1><p>`+
			voice+voice+`</p><h2>Parts</h2><ul><li>Soprano, on Mondays</li><li>Alto, on Tuesdays</li><li>Tenor, whenever he comes</li>
<li>Bass, on Fridays</li></ul><p>`+voice+`</p></main></div>`)
	booking = sheet("Booking", `body{margin:0;font:17px/1.5 sans-serif}form{max-width:520px;margin:40px auto;padding:0 20px}
label{display:block;
margin:14px 0}input,select,textarea{box-sizing:border-box;width:100%;font:inherit;padding:10px;border:1px solid #99a}
button{padding:12px 26px}`,
		`<form><h1>Book a boat</h1><label>Name<input placeholder="As in your passport"></label><label>Boat<select><option>Sloop</option>
</select></label>
<label>Guests<input value="4"></label><label>Wishes<textarea rows="3" placeholder="Food, music, dogs"></textarea></label>
<button>Book</button></form>`)
	guests = sheet("Guests", `body{margin:0;font:17px/1.5 sans-serif;--wine:#722f37;--cream:#fbf3e4}header{
background:var(--wine);color:#fff;padding:44px}.voices{display:grid;grid-template-columns:repeat(3,1fr);gap:20px;padding:40px}
blockquote{margin:0;padding:20px;
background:var(--cream);border-left:5px solid var(--wine)}cite{color:var(--wine)}
@media(max-width:700px){.voices{grid-template-columns:1fr}}`,
		`<header><h1>The inn</h1></header><div class="voices testimonials">
<blockquote><p>We slept like stones.</p><cite>Ines</cite></blockquote>
<blockquote><p>Take the attic.</p><cite>Olaf</cite></blockquote><blockquote><p>The soup alone is worth the way.</p><cite>Mara</cite>
</blockquote></div>`)
)

// siblings are three pages of the kind of each given one.
var siblings = []Case{
	edited("strip in a page with a menu", garden, []string{"is new"}, nil, `<body>`,
		`<body><div style="background:#b3261e;color:#fff;padding:12px 8%">No water on Tuesday between nine and noon.</div>`),
	edited("strip below the header", pottery, []string{"is new"}, nil, `</header>`,
		`</header><p style="margin:0;padding:16px 50px;background:#ffd866">The kiln is cold until the second of May.</p>`),
	edited("strip beside a menu", choir, []string{"is new"}, nil, `<body>`,
		`<body><aside style="background:#123;color:#fff;padding:1rem 2rem">Tonight we sing in the yard, and not in the hall.</aside>`),

	edited("round pieces", pottery, []string{"4 ", "corner radius 0 → 18px"}, nil, `border:1px solid #e0d5c8`,
		`border:1px solid #e0d5c8;border-radius:18px`),
	edited("round button", booking, []string{"corner radius"}, nil, `button{`, `button{border-radius:24px;`),
	edited("round quotations", guests, []string{"3 ", "corner radius 0 → 30px"}, nil, `blockquote{`, `blockquote{border-radius:30px;`),

	edited("shadow of pieces", pottery, []string{"4 ", "shadow none"}, nil, `border:1px solid #e0d5c8`,
		`border:1px solid #e0d5c8;box-shadow:0 10px 24px rgba(60,30,10,.35)`),
	edited("shadow of a header", pottery, []string{"shadow none"}, nil, `header{`,
		`header{box-shadow:0 4px 14px rgba(0,0,0,.5);position:relative;`),
	edited("shadow of fields", booking, []string{"shadow none"}, nil, `border:1px solid #99a`,
		`border:1px solid #99a;box-shadow:inset 0 2px 5px rgba(0,0,0,.3)`),

	edited("border of fields", booking, []string{"border"}, nil, `border:1px solid #99a`, `border:1px solid #b00`),
	edited("dashed pieces", pottery, []string{"border style solid → dashed"}, nil, `border:1px solid #e0d5c8`, `border:1px dashed #e0d5c8`),
	edited("thinner edge of quotations", guests, []string{"border"}, nil, `border-left:5px`, `border-left:2px`),

	edited("placeholder of a text area", booking, []string{"Food"}, nil, `Food, music, dogs`, `Anything we should know`),
	edited("placeholder that is gone", booking, nil, nil, ` placeholder="As in your passport"`, ``),
	edited("another number in a field", booking, []string{"4", "6"}, nil, `value="4"`, `value="6"`),

	edited("variable of accents", guests, []string{"--wine"}, nil, `--wine:#722f37`, `--wine:#1d5c63`),
	edited("variable of quotations", guests, []string{"--cream"}, nil, `--cream:#fbf3e4`, `--cream:#b9d3ae`),
	edited("variable of the sea", tours, []string{"--sand"}, nil, `--sand:#efe6d2`, `--sand:#9fc6dc`),

	edited("smaller text everywhere", choir, []string{"Text is smaller everywhere: 15px → 14px"}, nil, `font-size:15px`, `font-size:14px`),
	edited("much larger text everywhere", choir, []string{"Text is larger everywhere: 15px → 18px"}, nil,
		`font-size:15px`,
		`font-size:18px`),
	edited("slightly larger text of a log", log, []string{"Text is larger everywhere: 16px → 16.5px"}, nil, `font-size:16px`,
		`font-size:16.5px`),

	edited("a paragraph more", garden, []string{"is new"}, nil, `<section class="z">`,
		`<p style="margin:0;padding:20px 8%">The pump was mended in March and drips no more.</p><section class="z">`),
	edited("longer first section", garden, nil, nil, strings.Repeat(rain, 3)+`</p></section><section class="y">`,
		strings.Repeat(rain, 3)+clay+clay+`</p></section><section class="y">`),
	edited("a longer entry of a list", choir, nil, nil, `Alto, on Tuesdays`,
		`Alto, on Tuesdays, and on every other Thursday in the small hall above the `+
			`library, where the piano is better and the stairs are steeper than anybody who carries a cello would like`),

	edited("sections of unequal height swapped", garden, []string{"now comes before"}, nil,
		plot("y", "Water", rain, 7)+plot("z", "Bees", clay, 4), plot("z", "Bees", clay, 4)+plot("y", "Water", rain, 7)),
	edited("first section moved to the end", garden, nil, nil, plot("x", "Beds", rain, 3), ``, `</section></body>`,
		`</section>`+plot("x", "Beds", rain, 3)+`</body>`),
	edited("entries of a list swapped", choir, nil, nil, `<li>Soprano, on Mondays</li><li>Alto, on Tuesdays</li>`,
		`<li>Alto, on Tuesdays</li><li>Soprano, on Mondays</li>`),

	edited("another voice", guests, []string{"attic"}, nil, `Take the attic.`, `Do not take the attic.`),
	edited("heading above voices", voices, []string{"What passengers say"}, nil, `What passengers say`, `What nobody says`),
	edited("another name below a voice", guests, []string{"Olaf"}, nil, `Olaf`, `Henrik`),
}

// TestSiblingsOfGivenPagesAreToldOnce: what holds of the given pages holds of others of their kinds. All are seen on both screens with
// AFTERIMAGE_SOAK=1, and otherwise every sixth on one screen.
func TestSiblingsOfGivenPagesAreToldOnce(t *testing.T) {
	soak := os.Getenv("AFTERIMAGE_SOAK") != ""
	before, after := make(map[string]string), make(map[string]string)
	pages := make(map[string]string)
	for _, c := range siblings {
		if c.Before == c.After {
			t.Fatalf("%s has no edit", c.Name)
		}
		if pages[c.Before] == "" {
			pages[c.Before] = pathOf(c.Name)
		}
		before[pages[c.Before]], after[pathOf(c.Name)] = c.Before, c.After
	}
	studio, err := Open(t.Context(), 2, Pages(before), Pages(after))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := studio.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, c := range siblings {
		c.Not = append(c.Not, falsehoods...)
		devices := []capture.Device{capture.Desktop, capture.Mobile}
		if !soak {
			if i%6 != 5 {
				continue
			}
			devices = devices[i/6%2 : i/6%2+1]
		}
		for _, device := range devices {
			j, err := studio.JudgeEdit(t.Context(), pages[c.Before], pathOf(c.Name), device)
			if err != nil {
				t.Fatal(err)
			}
			if problem := c.problem(j); problem != "" || j.Changed == 0 {
				t.Errorf("%s on %s: %s (%d pixels differ):\n  %s", c.Name, device, problem, j.Changed, j.Told())
			}
		}
	}
}
