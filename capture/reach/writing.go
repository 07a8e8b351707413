package reach

// writingPages begin elsewhere than at the upper left corner, or are wider than the screen.
var writingPages = []Page{
	{Name: "rtl", Shows: "a page from right to left", html: filled(`<body dir="rtl"><header>ברוכים הבאים</header><p>مرحبا بكم</p>ROWS`)},
	{Name: "rtl-root", Shows: "a root element from right to left", html: func(price string) string {
		return `<script>document.documentElement.dir = 'rtl'</script><header>ברוכים הבאים</header>` + rows(30, price)
	}},
	{Name: "rtl-short", Shows: "a page from right to left that fits on the screen", html: short(`dir="rtl"`, "")},
	{Name: "rtl-short-hides", Shows: "the same, and hides what is beside the screen", html: func(price string) string {
		return `<body dir="rtl" style="overflow-x:hidden"><div style="width:3000px">wide</div>` + rows(3, price)
	}},
	{Name: "vertical-rl-short", Shows: "upright lines from the right that fit on the screen", html: short("", "vertical-rl")},
	{Name: "vertical-rtl-short", Shows: "upright lines from below that fit on the screen", html: short(`dir="rtl"`, "vertical-lr")},
	{Name: "sideways-lr-short", Shows: "turned lines that fit on the screen", html: short("", "sideways-lr")},
	{Name: "rtl-wide", Shows: "a row that is wider than the screen, to the left", html: filled(`<body dir="rtl"><header>ברוכים</header>
		<div style="width:1800px;background:#cde">A wide row</div><div class="end" style="width:1800px"></div>ROWS`)},
	{Name: "rtl-skip-link", Shows: "a link far to the left", Told: true, html: filled(`<body dir="rtl"><a href="#m"
		style="position:absolute;left:-9999px;top:0">Skip to the content</a><header>ברוכים הבאים</header>ROWS`)},
	{Name: "rtl-hides", Shows: "hides what is beside the screen", html: filled(`<body dir="rtl" style="overflow-x:hidden"><a href="#m"
		style="position:absolute;left:-9999px;top:0">Skip</a><header>ברוכים הבאים</header>ROWS`)},
	{Name: "rtl-mobile", Shows: "a page from right to left on a telephone", Mobile: true,
		html: filled(`<body dir="rtl"><header>ברוכים</header><div style="width:700px;background:#cde">wide</div>ROWS`)},
	{Name: "rtl-mobile-hides", Shows: "the same, and hides what is beside the screen", Mobile: true,
		html: filled(`<body dir="rtl" style="overflow-x:hidden"><header>ברוכים</header>
			<div style="width:700px;background:#cde">wide</div>ROWS`)},
	{Name: "zoomed", Shows: "a page and a part of it that are shown larger and smaller", html: filled(`
		<style>html{zoom:1.25}.s{zoom:.7}</style>
		<header>Tea house</header><div class="s"><p>Small</p><div style="zoom:2;width:300px;background:#cde">Large</div></div>ROWS`)},
	{Name: "zoomed-rtl", Shows: "the same from right to left, with a row that is wider than the screen", html: filled(
		`<body dir="rtl" style="zoom:1.1"><header>ברוכים</header><div style="width:1700px;background:#cde">wide</div>ROWS`)},
	{Name: "negative-margins", Shows: "parts that stand above and beside where they would be", html: filled(
		`<header>Tea house</header><div style="margin:-20px -30px -10px -15px;padding:25px;background:#cde">Pulled</div>
		<div style="position:relative;left:-8px;top:-6px;width:500px;background:#fed">Moved</div>
		<div style="transform:translate(30px,-12px) scale(.9);width:500px;background:#dfe">Shrunk</div>
		<div style="transform:rotate(5deg);width:300px;margin:40px;background:#edf">Turned</div>ROWS`)},
	{Name: "negative-margins-rtl", Shows: "the same from right to left", html: filled(
		`<body dir="rtl"><header>ברוכים</header><div style="margin:-20px -30px -10px -15px;padding:25px;background:#cde">Pulled</div>
		<div style="position:relative;right:-8px;width:500px;background:#fed">Moved</div>ROWS`)},
	{Name: "negative-body", Shows: "a body that begins above the page", html: filled(
		`<body style="margin:-15px 0 0 -10px;padding:10px"><header>Tea house</header>ROWS`)},
	{Name: "vertical-rl", Shows: "upright lines from the right", html: upright("vertical-rl", "")},
	{Name: "vertical-lr", Shows: "upright lines from the left", html: upright("vertical-lr", "")},
	{Name: "sideways-rl", Shows: "turned lines from the right", html: upright("sideways-rl", "")},
	{Name: "sideways-lr", Shows: "lines turned the other way, from the left", html: upright("sideways-lr", "")},
	{Name: "vertical-rl-rtl", Shows: "upright lines that begin at the bottom", html: upright("vertical-rl", ` dir="rtl"`)},
	{Name: "vertical-rl-mobile", Shows: "upright lines on a telephone", Mobile: true, html: upright("vertical-rl", "")},
	{Name: "vertical-lr-mobile", Shows: "the same from the left", Mobile: true, html: upright("vertical-lr", "")},
	{Name: "sideways-rl-mobile", Shows: "turned lines on a telephone", Mobile: true, html: upright("sideways-rl", "")},
	{Name: "sideways-lr-mobile", Shows: "the same, turned the other way", Mobile: true, html: upright("sideways-lr", "")},
	{Name: "vertical-rtl-mobile", Shows: "upright lines from below", Mobile: true, html: upright("vertical-rl", ` dir="rtl"`)},
	{Name: "sideways-lr-mobile-short", Shows: "turned lines that fit on a telephone", Mobile: true, html: short("", "sideways-lr")},
	{Name: "sideways-lr-mobile-high", Shows: "turned lines that are longer than a telephone is high", Mobile: true,
		html: func(price string) string {
			return upright("sideways-lr", "")(price) + `<div style="height:3000px;width:90px;background:#cde">long</div>`
		}},
	{Name: "zoomed-rtl-mobile", Shows: "a page from right to left that is shown larger", Mobile: true, html: filled(
		`<body dir="rtl" style="zoom:1.1"><header>ברוכים</header><div style="width:700px;background:#cde">wide</div>ROWS`)},
	{Name: "mobile-wide", Shows: "a table that is wider than a telephone", Mobile: true, html: filled(`<header>Tea house</header>
		<table><tr><td style="min-width:900px;height:60px;background:#cde">wide</td><td class="end"></td></tr></table>ROWS`)},
	{Name: "desktop-wide", Shows: "a row that is wider than the screen", html: filled(`<header>Tea house</header>
		<div style="width:2000px;background:#cde;height:80px"><div class="end" style="margin-left:1500px;width:400px"></div></div>ROWS`)},
}

// upright is a page of upright lines that takes about 2,000 columns.
func upright(mode, attributes string) func(price string) string {
	return func(price string) string {
		return `<style>html{writing-mode:` + mode + `}.row{height:auto;width:90px}.end{width:60px;height:400px}</style>
			<body` + attributes + `>` + rows(22, price)
	}
}

// short is a page that fits on the screen.
func short(attributes, mode string) func(price string) string {
	return func(price string) string {
		return `<style>html{writing-mode:` + mode + `}.row{height:auto}.end{width:200px;height:200px}</style>
			<body ` + attributes + `>` + rows(3, price)
	}
}
