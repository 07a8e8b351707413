package causes

import "strings"

// Case is a page with one edit, and what has to be said of it.
type Case struct {
	Name          string
	Before, After string   // HTML
	Most          int      // entries at most
	Words         []string // each must be in what is said of the entries
	Not           []string // none of these may be said of anything
}

// sheet is a page with a style sheet.
func sheet(title, css, body string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>` + title +
		`</title><style>` + css + `</style></head><body>` + body + `</body></html>`
}

// edited is a case in which each old text of a page gave way to the new one after it.
func edited(name, page string, words, not []string, edits ...string) Case {
	return Case{Name: name, Before: page, After: strings.NewReplacer(edits...).Replace(page), Most: 1, Words: words, Not: not}
}

const prose = "The ferry crosses the bay six times a day and takes bicycles, dogs and parcels along. "

var harbour = sheet("Harbour", `body{margin:0;font:17px/1.6 sans-serif}section{padding:50px 70px;min-height:380px}
.one{background:#fffdf5}.two{background:#27455a;color:#fff}.three{background:#e7e1d3}`,
	`<section class="one"><h2>Timetable</h2><p>`+strings.Repeat(prose, 4)+`</p></section>`+
		`<section class="two"><h2>The fleet</h2><p>`+strings.Repeat(prose, 5)+`</p></section>`+
		`<section class="three"><h2>Find us</h2><p>`+strings.Repeat(prose, 4)+`</p></section>`)

var offers = sheet("Offers", `body{margin:0;font:17px/1.5 sans-serif}main{display:flex;gap:36px;padding:50px}
.card{flex:1;padding:28px;background:#fff;border:1px solid #ccd}main{background-image:url(/none.png)}
@media(max-width:700px){main{display:block}.card{margin:20px 0}}`,
	`<main><div class="card"><h3>Sloop</h3><p>`+prose+prose+`</p></div><div class="card"><h3>Cutter</h3><p>`+prose+prose+
		`</p></div><div class="card"><h3>Ketch</h3><p>`+prose+prose+`</p></div></main>`)

var voices = sheet("Voices", `body{margin:0;font:17px/1.5 sans-serif}.testimonials{padding:50px;display:grid;
grid-template-columns:repeat(3,1fr);gap:24px}.testimonials h2{grid-column:1/-1}figure{margin:0;padding:18px;background:#eee}
figure b{display:block;width:90px;height:90px;border-radius:50%;background:#a65}`,
	`<section class="testimonials"><h2>What passengers say</h2><figure><b></b><p>Never late.</p></figure><figure><b></b><p>Good coffee.</p>
</figure><figure><b></b><p>We saw two seals.</p></figure></section><p>The office is closed on Sunday.</p>`)

var enquiry = sheet("Enquiry", `body{margin:0;font:17px/1.5 sans-serif}form{display:grid;gap:18px;max-width:400px;margin:50px}
input,textarea,select{font:inherit;padding:11px;border:1px solid #aab}`,
	`<form><label>Name<br><input placeholder="Your full name" value=""></label><label>Boat<br><input value="Sloop"></label>
<label>Day<br><select><option selected>Monday</option><option>Tuesday</option></select></label>
<label><input type="checkbox"> With a crew</label><label>Message<br><textarea rows=3></textarea></label><button>Ask</button></form>`)

var tours = sheet("Tours", `body{margin:0;font:17px/1.5 sans-serif;--sea:#1f5f7a;--sand:#efe6d2}
header{background:var(--sea);color:#fff;padding:50px}
li{list-style:none;display:flex;gap:24px;margin:14px 50px;padding:20px;background:var(--sand)}.time,.from{color:var(--sea)}
.left{margin-left:auto;background:var(--sea);color:#fff;padding:4px 12px;align-self:center}`,
	`<header><h1>Tours</h1></header><ul>`+
		`<li><p class="time">8:00</p><div><h3>Seals</h3><p class="from">From the old pier</p></div><p class="left">7 seats</p></li>`+
		`<li><p class="time">10:30</p><div><h3>Lighthouse</h3><p class="from">From the quay</p></div><p class="left">11 seats</p></li>`+
		`<li><p class="time">12:00</p><div><h3>Wrecks</h3><p class="from">From the slipway</p></div><p class="left">6 seats</p></li>`+
		`<li><p class="time">15:30</p><div><h3>Birds</h3><p class="from">From the mole</p></div><p class="left">9 seats</p></li>`+
		`<li><p class="time">19:00</p><div><h3>Sunset</h3><p class="from">From the quay</p></div><p class="left">14 seats</p></li></ul>`)

var log = sheet("Log", `html{font-size:16px}body{margin:0;font:1rem/1.6 sans-serif}main{max-width:48rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid #ccc;padding:1rem 0}`,
	`<main><h1>Log</h1>`+entry("New engine")+entry("Spring timetable")+entry("No service on Monday")+entry("The ketch is back")+`</main>`)

func entry(title string) string {
	return `<article><h2>` + title + `</h2><p>` + strings.Repeat(prose, 3) + `</p><a href="#">Read it all</a></article>`
}

var arrival = sheet("Arrival", `body{margin:0;font:17px/1.8 sans-serif}main{padding:36px 70px;max-width:700px}
footer{background:#1d3b34;color:#cde;padding:36px 70px;display:grid;grid-template-columns:2fr 1fr 1fr;font-size:13px;line-height:1.9}
footer a{display:block;color:#cde}dl{display:grid;grid-template-columns:110px 1fr}dd{margin:0}
@media(max-width:700px){main,footer{padding:20px}}`,
	`<main><h1>Plan your arrival</h1><p>Half an hour is enough to park.</p><h2>On the way</h2><dl><dt>Bus 7</dt>
<dd>to the pier, then along the water</dd><dt>Car</dt>
<dd>there are sixty places behind the shed</dd><dt>On foot</dt><dd>by the dyke</dd></dl></main><footer>
<p>Ferries across the bay since 1911.</p><nav><a href="#a">Home</a><a href="#b">Tours</a><a href="#c">Fleet</a></nav>
<nav><a href="#d">Prices</a><a href="#e">Jobs</a><a href="#f">Weather</a></nav></footer>`)

// report is a page of one long text, and a field that holds another.
var report = sheet("Report", `body{margin:0;font:16px/1.5 sans-serif}main{padding:36px 70px;max-width:900px}
textarea{display:block;width:560px;height:640px;font:inherit}@media(max-width:700px){main{padding:12px}textarea{width:340px;height:900px}}`,
	`<main><h1>Report</h1><p>`+strings.Repeat(prose, 16)+`The masts are new. `+strings.Repeat(prose, 3)+`</p><label>Remarks<br><textarea>`+
		strings.Repeat(prose, 14)+`The keel was cleaned. `+strings.Repeat(prose, 3)+`</textarea></label></main>`)

// tickets has buttons of several sizes, some of them centred or pushed to the end of a row, in cards with pictures.
var tickets = sheet("Tickets", `body{margin:0;font:17px/1.5 sans-serif}nav{display:flex;padding:12px 40px}nav .end{margin-left:auto}
main{padding:30px 40px}.btn{display:inline-block;padding:10px 30px;border:1px solid #357;text-transform:uppercase}
.small{padding:5px 15px}.middle{width:fit-content;margin:20px auto}.cards{display:flex;gap:30px}
.card{width:300px;display:flex;flex-direction:column;padding:20px;border:1px solid #ccd;border-radius:16px;
box-shadow:0 20px 27px rgba(0,0,0,.05)}.card img{width:120px}.card .btn{margin-top:auto}.note{flex:1}
table{margin-top:40px;border-spacing:8px}td img{width:30px;height:30px;margin:4px}@media(max-width:700px){.cards{display:block}}`,
	`<nav><b>Ferry</b><span class="end">Harbour office</span><a class="btn small" href="#m">My tickets</a></nav>
<main><div class="middle"><a class="btn" href="#a">Adults <b>and</b> children</a></div><div class="cards"><div class="card">
<img src="`+pierPath+`" alt="The pier"><p>`+prose+`</p><a class="btn" href="#d">Day ticket</a></div><div class="card">
<p>`+prose+prose+prose+`</p><a class="btn small" href="#w">Week ticket</a></div></div>
<p>Tickets are <a href="#s">sold on <i>board</i></a>.</p>
<table>`+row("Mon")+row("Tue")+row("Wed")+row("Thu")+`</table></main>`)

func row(day string) string {
	picture := `<td><img src="` + pierPath + `" alt=""></td>`
	return `<tr><th>` + day + `</th>` + strings.Repeat(picture, 4) + `</tr>`
}

// glass shows a bar of frosted glass upon a picture that covers a part, and words under a veil.
var glass = sheet("Glass", `body{margin:0;font:17px/1.6 sans-serif}.bar{position:sticky;top:0;z-index:2;margin:0 40px;padding:12px 20px;
background:rgba(255,255,255,.5);backdrop-filter:blur(6px)}.top{position:relative;margin-top:-30px;padding:90px 70px;color:#fff;
background:url(`+pierPath+`) center/cover}.veil{position:absolute;inset:0;background:#135;opacity:.5}main{padding:30px 70px}`,
	`<div class="bar"><b>Harbour</b> <a href="#t">Tours</a></div><section class="top"><h1>Welcome aboard</h1><p>The crew greets you.</p>
<span class="veil"></span></section><main><p>`+prose+prose+`</p></main>`)

// deck has what draws beyond its box: names of icons whose font is missing, a panel beside the page with a shadow; a chart below a button
// that stays on the screen, a table whose cells share borders, and titles with margins, some of which meet larger ones.
var deck = sheet("Deck", `body{margin:0;font:17px/1.5 sans-serif;overflow-x:hidden}main{padding:20px 60px}
.chat{position:fixed;right:20px;bottom:20px;width:70px;height:70px;border-radius:50%;background:#fff;box-shadow:0 4px 16px rgba(0,0,0,.4)}
.panel{position:absolute;top:40px;right:-306px;width:300px;height:300px;background:#fff;
box-shadow:0 0 30px rgba(0,0,0,.1)}.pill{display:flex;gap:8px;color:#555}
.pill i{width:24px;font-size:30px;text-transform:uppercase}.pill b{font-weight:400;color:#333}canvas{display:block;margin-left:auto}
table{border-collapse:collapse}td{border-bottom:3px solid #b1b4b6;padding:6px 12px}.title{margin:30px 0 0}
@media(max-width:700px){main{padding:10px}}`,
	`<main><h2 class="title">Crew</h2><p>`+prose+`</p><h2 class="title">Chart</h2><canvas id="c" width="560" height="420"></canvas>
<p class="pill"><i>anchor</i><b>`+prose+prose+`</b></p>
<table><tr><td>Sloop</td><td>12 seats</td></tr><tr><td>Ketch</td><td>20 seats</td></tr></table>
<div style="display:flow-root"><h2 class="title">Log</h2><div style="margin-top:40px">`+prose+`</div></div></main>
<span class="panel"></span><a class="chat" href="#c"></a><script>let d=c.getContext("2d");for(let i=0;i<28;i++){
d.fillStyle="hsl("+i*12+",60%,50%)";d.fillRect(i*20,400-i*i%390,16,i*i%390)}</script>`)

// ledger has cards with signs that are as large as the text, a card under a film with corners of its own, and a table of which a part of
// the last column can be seen.
var ledger = sheet("Ledger", `html{font-size:16px}body{margin:0;font:1rem/1.5 sans-serif}main{display:flex;gap:30px;padding:30px}
.card{position:relative;width:300px;padding:1rem;border:1px solid #ccd;border-radius:1rem;background:#f6f2ff}
.card i{display:inline-block;width:1em;height:1em;background:#357}.film::after{content:"";position:absolute;inset:0;border-radius:1rem;
background:rgba(200,60,60,.4)}.scroll{width:300px;overflow:hidden}table{width:700px;table-layout:fixed}
td:first-child{width:16.6em}@media(max-width:700px){main{display:block}}`,
	`<main><div class="card"><p><span><i></i> Income</span></p><p><span><i></i> Costs</span></p></div><div class="card film"><p>Closed</p>
</div></main><div class="scroll"><table><tr><td>Ferry tickets</td><td>$14,000</td></tr><tr><td>Parcels</td><td>$3,000</td></tr></table>
</div>`)

// office has a bar with a path, a field and links that share the room, and with an open menu that hangs over a card; a table in stripes,
// and a panel that is as high as the page although it is in a small part.
var office = sheet("Office", `body{margin:0;font:16px/1.5 sans-serif;position:relative}
.bar{position:relative;display:flex;padding:12px 30px}
ol{display:flex;list-style:none;margin:0;padding:0}li+li{padding-left:9px}li+li::before{content:"/";padding-right:9px}
.room{flex:1;display:flex}form{margin-left:auto}.end{margin-right:auto}
.open{position:absolute;right:30px;top:50px;z-index:5;padding:16px;background:#fff;box-shadow:0 8px 26px rgba(0,0,0,.2)}
.card{position:relative;margin:30px;padding:30px;background:#fff;border:1px solid #ccd}
table{border-collapse:collapse;margin:0 30px}td{padding:6px 40px 6px 12px}
tr:nth-child(odd) td{background:#e4e9f2}
.side{position:absolute;right:0;top:0;bottom:0;width:8px;background:#dde}@media(max-width:700px){.bar{display:block}.open{top:90px}}`,
	`<nav class="bar"><ol><li>Home</li><li>Harbour office</li><li>Forms</li></ol><div class="room"><form>Search here</form>
<span class="end">Sign in</span></div><div class="open"><h4>New message from the pier</h4><h4>New timetable</h4></div></nav>
<div class="card"><p>`+prose+prose+`</p></div><table><tr><td>Monday</td><td>8 to 12</td></tr><tr><td>Tuesday</td><td>9 to 12</td></tr>
<tr><td>Thursday</td><td>10 to 16</td></tr><tr><td>Friday</td><td>closed</td></tr></table><div><p>`+prose+
		`</p><span><i class="side"></i></span></div>`)

// picturePath is a picture that is another one after every edit.
const picturePath = "/harbour.png"

// pierPath is a picture that stays as it is.
const pierPath = "/pier.png"

// lookout shows words and links on the picture.
var lookout = sheet("Lookout", `body{margin:0;font:17px/1.6 sans-serif}
header{background-image:url(`+picturePath+`);padding:90px 70px;color:#fff}
nav a{display:inline-block;margin-right:28px;padding:8px 14px;border:1px solid #fff;color:#fff}main{padding:40px 70px}`,
	`<header><h1>Lookout</h1><p>`+prose+`</p><nav><a href="#a">Tours</a><a href="#b">Fleet</a><a href="#c">Prices</a><a href="#d">Jobs</a>
<a href="#e">Weather</a><a href="#f">News</a><a href="#g">Contact</a><a href="#h">Press</a><a href="#i">Shop</a></nav></header>
<main><p>`+prose+prose+`</p></main>`)

// falsehoods are what must not be said of any of the pages: none of them shows it.
var falsehoods = []string{"is now blank", "subpixel", "re-encoded", "Unexplained"}

// Cases are the pages.
var Cases = []Case{
	{Name: "sections swapped", Before: harbour, After: swapped(harbour), Most: 1, Words: []string{"Timetable", "comes"},
		Not: falsehoods},
	edited("heading above quotations that do not rotate", voices, []string{"What passengers say", "Words of our guests"}, falsehoods,
		"What passengers say", "Words of our guests"),
	edited("shadow of cards", offers, []string{"3 cards", "shadow none"}, falsehoods,
		".card{", ".card{box-shadow:0 5px 12px rgba(0,0,0,.5);"),
	edited("corners of cards", offers, []string{"3 cards", "corner radius 0 → 20px"}, falsehoods, ".card{", ".card{border-radius:20px;"),
	edited("padding of cards", offers, []string{"3 cards", "padding"}, falsehoods, "padding:28px", "padding:40px"),
	edited("border of fields", enquiry, []string{"border width 1px → 2px", "border colour"}, falsehoods,
		"padding:11px;border:1px solid #aab", "padding:10px;border:2px solid #b33"),
	edited("placeholder", enquiry, []string{"Your full name", "Jo Example"}, falsehoods, "Your full name", "Jo Example"),
	edited("placeholder of a field with a label that is read aloud",
		strings.Replace(enquiry, "<input placeholder", `<input aria-label="Name" placeholder`, 1),
		[]string{"Text field “Name”", "Your full name", "Jo Example"}, falsehoods, "Your full name", "Jo Example"),
	edited("value", enquiry, []string{"Sloop", "Ketch"}, falsehoods, `value="Sloop"`, `value="Ketch"`),
	edited("option", enquiry, []string{"Monday", "Tuesday"}, falsehoods,
		"<option selected>Monday</option><option>", "<option>Monday</option><option selected>"),
	edited("tick", enquiry, []string{"is now ticked"}, falsehoods, `type="checkbox"`, `type="checkbox" checked`),
	edited("disabled button", enquiry, []string{"disabled"}, falsehoods, "<button>", "<button disabled>"),
	edited("variable", tours, []string{"--sea", "#1f5f7a → #6a2c70", "16 elements"}, falsehoods, "--sea:#1f5f7a", "--sea:#6a2c70"),
	edited("text size of the root", log,
		[]string{"Text is larger everywhere: 16px → 17px"}, falsehoods, "font-size:16px", "font-size:17px"),
	edited("text size of a page below a link above it", strings.NewReplacer("main{", ".skip{position:absolute;top:-41px;padding:7px;"+
		"background:#07c}main{", "<main>", `<a class="skip" href="#m">Skip to the log</a><main>`).Replace(log),
		[]string{"Text is larger everywhere: 16px → 18px"}, append([]string{"is new"}, falsehoods...), "font-size:16px", "font-size:18px"),
	edited("font of the body", log,
		[]string{"font sans-serif → serif"}, falsehoods, "1rem/1.6 sans-serif", "1rem/1.6 serif"),
	edited("strip above all", log, []string{"No ferry on Friday"}, falsehoods, "<body>",
		`<body><div style="background:#7a1f3d;color:#fff;padding:13px;text-align:center">No ferry on Friday.</div>`),
	edited("one line more", arrival, []string{"Half an hour"}, falsehoods, "Half an hour is enough to park.",
		"Half an hour is enough to park, but on Saturdays in summer the lane fills up early and then it takes two."),
	edited("a menu entry", arrival, []string{"Timetable"}, falsehoods, `<a href="#c">`, `<a href="#t">Timetable</a><a href="#c">`),
	edited("an entry less", log, []string{"Spring timetable", "gone"}, falsehoods, entry("Spring timetable"), ""),
	edited("an entry more", log, []string{"The pier is repaired", "new"}, falsehoods, entry("Spring timetable"),
		entry("The pier is repaired")+entry("Spring timetable")),
	edited("entries swapped", log, []string{"comes"}, falsehoods, entry("New engine")+entry("Spring timetable"),
		entry("Spring timetable")+entry("New engine")),
	edited("a word in bold", arrival, []string{"Half"}, falsehoods, "Half an hour", "<b>Half</b> an hour"),
	edited("generated content", arrival, []string{"generated content"}, falsehoods, "dd{margin:0}", "dd{margin:0}dt::before{content:'» '}"),
	edited("a word beside a background picture of the same host", offers, []string{"Sloop", "Yawl"},
		append([]string{"picture"}, falsehoods...),
		".card{", ".card{", "<h3>Sloop</h3>", "<h3>Yawl</h3>"),
	{Name: "another background picture under the same address", Before: lookout, After: lookout, Most: 1,
		Words: []string{"background picture “harbour.png”", "shows different content"},
		Not:   append([]string{"places look"}, falsehoods...)},
	edited("a word in a long field", report, []string{"Remarks", "keel was cleaned.", "keel was painted."}, falsehoods,
		"keel was cleaned", "keel was painted"),
	edited("a word in a long paragraph", report, []string{"masts are new.", "masts are old."}, falsehoods,
		"masts are new", "masts are old"),
	edited("a sentence", arrival, []string{"to park.” → “Two hours"}, append([]string{".”."}, falsehoods...),
		"Half an hour is enough to park.", "Two hours are enough."),
	edited("padding of buttons", tickets, []string{"padding", "→ 12px 22px"}, falsehoods, ".middle{",
		".btn.btn{padding:12px 22px}.middle{"),
	edited("small letters on buttons", tickets, []string{"capitals uppercase → none"}, falsehoods, "text-transform:uppercase", ""),
	edited("a word on a button in the middle", tickets, []string{"ADULTS", "PENSIONERS"}, falsehoods, "Adults", "Pensioners"),
	edited("a word on a button at the end of a row", tickets, []string{"MY TICKETS", "BOOKED"}, falsehoods, "My tickets", "Booked"),
	edited("an entry with a margin before the end of a row", tickets, []string{"Timetable"}, append([]string{"margin"}, falsehoods...),
		`<b>Ferry</b>`, `<b>Ferry</b><a href="#t" style="margin-left:40px">Timetable</a>`),
	edited("a longer text beside a button below", tickets, []string{"and parcels along.” →"}, falsehoods, `</p><a class="btn" href="#d">`,
		prose+`</p><a class="btn" href="#d">`),
	edited("lines under links", tickets, []string{"decoration none → underline"}, falsehoods, "td img{",
		"main a,.btn{text-decoration:underline}td img{"),

	edited("faded pictures in a table", tickets, []string{"16 pictures", "opacity 1 → 0.5"}, falsehoods, "height:30px;",
		"height:30px;opacity:.5;"),
	edited("a harder shadow", tickets, []string{"2 cards", "shadow"}, falsehoods, "0 20px 27px rgba(0,0,0,.05)",
		"0 8px 20px rgba(0,0,0,.45)"),
	edited("higher lines", arrival, []string{"line height → 2.5 × the text"}, falsehoods, "@media", "dd,footer a{line-height:2.5}@media"),
	edited("a harder shadow where a row hangs over", tickets, []string{"shadow none →"}, falsehoods, ".cards{",
		".cards{box-shadow:0 4px 20px rgba(0,0,0,.5);"),
	edited("padding of a button upon a picture", glass, []string{"padding 0 → 14px"}, falsehoods, ".veil{", "h1{padding:14px}.veil{"),
	edited("a strip above glass", glass, []string{"No ferry on Friday"}, falsehoods, "<body>",
		`<body><div style="background:#7a1f3d;color:#fff;padding:13px;text-align:center">No ferry on Friday.</div>`),
	edited("a longer text on a picture below glass", glass, []string{"The crew greets you"}, falsehoods, "The crew greets you.",
		"The crew greets you. "+strings.Repeat(prose, 6)),
	edited("a word under a veil", glass, []string{"The crew", "The cook"}, falsehoods, "The crew", "The cook"),
	edited("a strip above a chart below a button", deck, []string{"No ferry on Friday"}, falsehoods, "<body>",
		`<body><div style="background:#7a1f3d;color:#fff;padding:13px;text-align:center">No ferry on Friday.</div>`),
	edited("colour of the name of an icon", deck, []string{"text colour #555555 → #b0006d"}, falsehoods, "color:#555", "color:#b0006d"),
	edited("shadow of a panel beside the page", deck, []string{"shadow rgba(0,0,0,0.1)"}, falsehoods, "rgba(0,0,0,.1)",
		"rgba(0,0,0,.9)"),
	edited("borders that cells share", deck, []string{"4 table cells", "border colour #b1b4b6 → #cc3344"}, falsehoods, "#b1b4b6", "#c34"),
	edited("margins that move some titles", deck, []string{"3 headings", "margin 30px 0px 0px → 30px 0px 25px"}, falsehoods,
		"margin:30px 0 0}", "margin:30px 0 25px}"),
	edited("borders that had no width", strings.Replace(voices, "padding:18px", "border:0 solid #333;padding:18px", 1),
		[]string{"border width 0 → 3px"}, append([]string{"border style"}, falsehoods...), "border:0 solid", "border:3px solid"),
	edited("padding of fields of which one has more on a side",
		strings.Replace(enquiry, "<select>", `<select style="padding-right:30px">`, 1), []string{"padding 11px → 14px"}, falsehoods,
		"padding:11px", "padding:14px"),
	{Name: "rounder cards and larger text", Before: ledger, Most: 2,
		After: strings.NewReplacer("font-size:16px", "font-size:17px", "border-radius:1rem;background:#f",
			"border-radius:6px;background:#f").Replace(ledger),
		Words: []string{"Text is larger everywhere: 16px → 17px", "2 cards", "corner radius 16px → 6px"},
		Not:   append([]string{"changed its size from", "generated content", "is gone"}, falsehoods...)},
	edited("border of round cards that are filled", strings.NewReplacer(".scroll{",
		".card{box-sizing:border-box;border-radius:3rem!important}.fill{padding:1rem;margin:-1rem;position:relative}.scroll{",
		`<p><span><i></i> Income</span></p>`, `<div class="fill"><p><span><i></i> Income</span></p></div>`).Replace(ledger),
		[]string{"2 cards", "border width 1px → 5px"}, falsehoods, "1px solid #ccd", "5px solid #25c"),
	edited("the first of a path is gone", office, []string{"Home", "gone"}, append([]string{"generated content", "margin"}, falsehoods...),
		"<li>Home</li>", ""),
	edited("a row above stripes", office, []string{"Sunday", "new"}, append([]string{"background"}, falsehoods...), "<table>",
		"<table><tr><td>Sunday</td><td>by telephone</td></tr>"),
	edited("font of an open menu", office, []string{"2 headings", "font sans-serif → serif"}, falsehoods, "table{",
		"h4{font-family:serif}table{"),
	edited("a longer text beside a panel as high as the page", office, []string{"and parcels along.” →"},
		append([]string{"changed its size from"}, falsehoods...), "</p></div><table>", prose+prose+prose+"</p></div><table>"),
	edited("width of the column", log, nil, falsehoods, "max-width:48rem", "max-width:40rem"),
}

// swapped exchanges the first two sections of the page about the harbour.
func swapped(page string) string {
	first, second := strings.Index(page, `<section class="one">`), strings.Index(page, `<section class="two">`)
	third := strings.Index(page, `<section class="three">`)
	return page[:first] + page[second:third] + page[first:second] + page[third:]
}
