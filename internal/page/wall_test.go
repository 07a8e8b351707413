package page

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// visitOf is what a visit of a document would see, without styles.
func visitOf(t *testing.T, document string) *Visit {
	t.Helper()
	root, err := html.Parse(strings.NewReader(strings.ReplaceAll(document, "LONG", strings.Repeat("More about it in other words. ", 30))))
	if err != nil {
		t.Fatal(err)
	}
	v := &Visit{Content: &Content{}, Manifest: Manifest{Viewport: Viewport{Width: 1440, Height: 900}}}
	var text []string
	var walk func(n *html.Node, parent int)
	walk = func(n *html.Node, parent int) {
		if n.Type == html.TextNode && n.Parent.Data != "iframe" && strings.TrimSpace(n.Data) != "" {
			text = append(text, strings.TrimSpace(n.Data))
		}
		if n.Type != html.ElementNode {
			return
		}
		switch n.Data {
		case "title":
			v.Title = textOf(n)
			return
		case "script":
			v.Content.Assets = append(v.Content.Assets, Asset{Kind: "script", URL: attribute(n, "src")})
			return
		}
		e := Element{Number: len(v.Content.Elements), Parent: parent, Tag: n.Data, Text: textOf(n)}
		e.Box.Width, e.Box.Height = pixelsIn(attribute(n, "width")), pixelsIn(attribute(n, "height"))
		e.Classes, e.Role = attribute(n, "class"), attribute(n, "role")
		if n.Data == "iframe" {
			e.Source, e.Text, e.Value = attribute(n, "src"), "", attribute(n, "srcdoc")
		}
		if n.Data == "input" {
			e.Role = "textbox"
			e.Text, e.Value = attribute(n, "placeholder"), attribute(n, "value")
			if attribute(n, "type") == "checkbox" {
				e.Role = "checkbox"
			}
		}
		if id := attribute(n, "id"); id != "" {
			e.Selector = "#" + id
		}
		if n.Data == "button" || attribute(n, "type") == "submit" {
			e.Role = "button"
		}
		v.Content.Elements = append(v.Content.Elements, e)
		for c := range n.ChildNodes() {
			walk(c, e.Number)
		}
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && (n.Data == "head" || n.Data == "body") {
			for c := range n.ChildNodes() {
				walk(c, -1)
			}
		}
	}
	v.Content.Text = strings.Join(text, "\n")
	return v
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			text.WriteString(c.Data)
		}
	}
	return CollapseSpace(text.String())
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func pixelsIn(text string) int {
	n, _ := strconv.Atoi(text) // 0 for none
	return n
}

// lines are those of a file that are no comments.
func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

func TestWallsAreTold(t *testing.T) {
	for _, line := range lines(t, "walls.txt") {
		parts := strings.SplitN(line, " ", 3)
		if w := visitOf(t, parts[2]).Wall("https://example.com" + parts[1]); w == nil || string(w.Kind) != parts[0] || w.Sign == "" {
			t.Errorf("%s: %+v", line, w)
		}
	}
}

func TestPagesThatSpeakOfWallsAreNone(t *testing.T) {
	for _, line := range lines(t, "ordinary.txt") {
		path, document, _ := strings.Cut(line, " ")
		if w := visitOf(t, document).Wall("https://example.com" + path); w != nil {
			t.Errorf("%s: %+v", line, w)
		}
	}
}

func TestAQuestionIsAWallIfItHidesThePage(t *testing.T) {
	screen := Viewport{Width: 1440, Height: 900}
	asks := "We use cookies"
	overlay := func(width, height int, background string) *Visit {
		return &Visit{Manifest: Manifest{Viewport: screen}, Content: &Content{
			Styles: []Style{{"position": "absolute", "z-index": "99"}, {"position": "absolute"}},
			Elements: []Element{
				{Number: 0, Parent: -1, Tag: "p", Text: "The page itself", Box: Box{0, 0, 1440, 3000}},
				{Number: 1, Parent: -1, Tag: "div", Fixed: true, Background: background, Box: Box{0, 0, width, height}},
				{Number: 2, Parent: 1, Tag: "h2", Text: asks, Box: Box{500, 300, 400, 40}},
			},
		}}
	}
	placed := func(style int) *Visit {
		v := overlay(1440, 900, "#ffffff")
		v.Content.Elements[1].Fixed, v.Content.Elements[1].Style = false, style
		return v
	}
	for text, kind := range map[string]WallKind{
		"We use cookies": WallConsent, "Wij waarderen je privacy": WallConsent, "Valoramos tu privacidad": WallConsent,
		"Rispettiamo la tua privacy": WallConsent, "Teniamo alla tua privacy": WallConsent,
		"Wir und unsere Partner nutzen Cookies": WallConsent, "Cenimy Twoją prywatność": WallConsent, "Мы используем cookie": WallConsent,
		"Are you over 18?": WallAge, "Sind Sie volljährig?": WallAge,
		"Subscribe to continue reading": WallSignIn, "Sie sind bereits Abonnent?": WallSignIn, "Déjà abonné ?": WallSignIn,
		"Suscríbete para seguir leyendo": WallSignIn, "続きをお読みいただくには会員登録が必要です": WallSignIn,
	} {
		asks = text
		for name, v := range map[string]*Visit{
			"over the whole screen": overlay(1440, 900, "#ffffff"), "hardly transparent": overlay(1440, 900, "#111111f2"),
			"placed above": placed(1),
		} {
			if w := v.Wall("https://example.com/"); w == nil || w.Kind != kind {
				t.Errorf("%s %s: %+v", text, name, w)
			}
		}
	}
	for name, v := range map[string]*Visit{
		"a strip": overlay(1440, 200, "#ffffff"), "one that lets the page through": overlay(1440, 900, "#00000080"),
		"no background": overlay(1440, 900, ""), "a part of the page": placed(2),
	} {
		if w := v.Wall("https://example.com/"); w != nil {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

// TestADialogOverADarkenedPageIsAWall: nothing can be read through the backdrop, whatever colour it has.
func TestADialogOverADarkenedPageIsAWall(t *testing.T) {
	const choice, question = "Your choice", "Read on with advertising and tracking by 214 partners, or subscribe."
	dialog := func(background, text, answer string, inside bool) *Visit {
		parent := -1
		if inside {
			parent = 1
		}
		return &Visit{Manifest: Manifest{Viewport: Viewport{Width: 1440, Height: 900}}, Content: &Content{
			Styles: []Style{{"backdrop-filter": "blur(12px)"}},
			Elements: []Element{
				{Number: 0, Parent: -1, Tag: "p", Text: "The page itself", Box: Box{0, 0, 1440, 3000}},
				{Number: 1, Parent: -1, Tag: "div", Fixed: true, Background: background, Box: Box{0, 0, 1440, 900}},
				{Number: 2, Parent: parent, Tag: "div", Role: "dialog", Fixed: true, Box: Box{400, 200, 640, 300}},
				{Number: 3, Parent: 2, Tag: "h2", Text: choice, Fixed: true},
				{Number: 4, Parent: 2, Tag: "p", Text: text, Fixed: true},
				{Number: 5, Parent: 2, Tag: "button", Role: "button", Text: answer, Fixed: true},
			},
		}}
	}
	blurred := dialog("#ffffff4d", question, "Accept and continue", true)
	blurred.Content.Elements[1].Style = 1
	for name, v := range map[string]*Visit{
		"dark": dialog("#000000d9", question, "Accept and continue", true), "beside": dialog("#141414c7", question, "Accept all", false),
		"white": dialog("#ffffffc0", question, "I agree", true), "blurred": blurred,
		"Spanish": dialog("#000000d9", "Lee gratis con publicidad personalizada y cookies, o paga.", "Aceptar y continuar gratis", false),
	} {
		if w := v.Wall("https://example.com/"); w == nil || w.Kind != WallConsent {
			t.Errorf("%s: %+v", name, w)
		}
	}
	for name, v := range map[string]*Visit{
		"readable": dialog("#00000099", question, "Accept all", true), "no backdrop": dialog("", question, "Accept all", true),
		"a newsletter": dialog("#000000d9", "Subscribe to our letter. We respect your privacy.", "Subscribe", true),
		"a menu":       dialog("#0a0a0af2", "Work Journal Privacy and cookies", "Close", true),
	} {
		if w := v.Wall("https://example.com/"); w != nil {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

// TestAnEmptyPageIsNotCalledOneThatIsLoading: its server sent nothing, which no script would have filled.
func TestAnEmptyPageIsNotCalledOneThatIsLoading(t *testing.T) {
	for sign, want := range map[string]string{"body": "an empty page", "#root": "a page that is still loading (“#root”)"} {
		if w := (&Wall{Kind: WallLoading, Sign: sign}); w.What() != want || w.Remedy() == "" {
			t.Errorf("%s: %s. %s", sign, w.What(), w.Remedy())
		}
	}
}
