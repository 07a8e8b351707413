package imports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"afterimage/internal/flow"
)

const recorded = `{
  "title": "Buy a plant",
  "steps": [
    {"type": "setViewport", "width": 390, "height": 844, "isMobile": true},
    {"type": "navigate", "url": "https://shop.example.com/",
      "assertedEvents": [{"type": "navigation", "url": "https://shop.example.com/", "title": "Shop"}]},
    {"type": "click", "target": "main",
      "selectors": [["aria/Sign in[role=\"link\"]"], ["#in"], ["xpath///*[@id=\"in\"]"], ["pierce/#in"], "text/Sign in"],
      "assertedEvents": [{"type": "navigation", "url": "https://shop.example.com/login"}]},
    {"type": "change", "value": "reader@example.com", "selectors": [["aria/E-mail"], ["my-form", "input.mail"]]},
    {"type": "change", "value": "not-to-be-seen", "selectors": [["aria/Password"]]},
    {"type": "keyDown", "target": "main", "key": "Enter"},
    {"type": "keyUp", "target": "main", "key": "Enter"},
    {"type": "click", "button": "secondary", "selectors": [["#menu"]]},
    {"type": "hover", "selectors": [["xpath///*[1]"]]},
    {"type": "scroll", "x": 0, "y": 400},
    {"type": "waitForElement", "selectors": [".row"], "operator": ">=", "count": 2},
    {"type": "waitForElement", "selectors": ["#spinner"], "visible": false},
    {"type": "waitForExpression", "expression": "true"}
  ]
}`

func TestARecordingOfChromeIsTakenOver(t *testing.T) {
	got, err := Read([]byte(recorded), "")
	if err != nil {
		t.Fatal(err)
	}
	want := &flow.Flow{
		Name: "Buy a plant", Start: "https://shop.example.com/", Devices: []string{"mobile"},
		Steps: []flow.Step{
			{Kind: flow.Click, Line: 7,
				Element: flow.Element{{Role: "link", Name: "Sign in"}, {CSS: "#in"}, {CSS: "#in"}, {Text: "Sign in"}}},
			{Kind: flow.Wait, Line: 7, For: flow.AwaitAddress, Value: "https://shop.example.com/login"},
			{Kind: flow.Fill, Line: 10, Value: "reader@example.com",
				Element: flow.Element{{Role: flow.AnyRole, Name: "E-mail"}, {CSS: "input.mail"}}},
			{Kind: flow.Fill, Line: 11, Secret: "password", Element: flow.Element{{Role: flow.AnyRole, Name: "Password"}}},
			{Kind: flow.Press, Line: 12, Value: "Enter"},
			{Kind: flow.Scroll, Line: 16, Value: "bottom"},
			{Kind: flow.Assert, Line: 17, Element: flow.Element{{CSS: ".row"}},
				Assertion: flow.Assertion{Look: flow.LookCount, Operator: flow.AtLeast, Expected: "2"}},
			{Kind: flow.Wait, Line: 18, For: flow.AwaitElement, Gone: true, Element: flow.Element{{CSS: "#spinner"}}},
			{Kind: flow.Checkpoint, Label: "End"},
		},
	}
	if diff := cmp.Diff(want, got.Flow); diff != "" {
		t.Error(diff)
	}
	wantLeft(t, got.Left, "line 11: the value of element “Password”: the flow uses the secret “password” instead",
		"line 14: click with the secondary button",
		"line 15: hover: none of its selectors", `line 19: the step "waitForExpression" has no equivalent`)
}

func wantLeft(t *testing.T, left []Left, want ...string) {
	t.Helper()
	for i, words := range want {
		if i >= len(left) || !strings.HasPrefix(left[i].String(), words) {
			t.Errorf("left %d is not %q: %v", i, words, left)
		}
	}
	if len(left) != len(want) {
		t.Errorf("%d are left, want %d: %v", len(left), len(want), left)
	}
}

const generated = `import { test, expect } from '@playwright/test';

test('test', async ({ page }) => {
  await page.goto('https://shop.example.com/');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill('reader@example.com');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('not-to-be-seen');
  await page.getByPlaceholder("Search").press('Enter');
  await page.getByTestId('colour').selectOption('red');
  await page.locator('#agree').check();
  await page.locator('form').locator('input').first().uncheck();
  await page.getByText('It\'s \u0032 o\x27clock').nth(2).hover();
  await page.locator('iframe[name="pay"]').contentFrame().getByLabel('Card').fill('1');
  await page.goto('/basket');
  await page.waitForURL('**/basket');
  await expect(page.getByText('Thank you')).toBeVisible();
  await expect(page.getByText('Sold out')).not.toBeVisible();
  await expect(page.locator('.total')).toHaveText('€ 12');
  await expect(page.locator('.total')).toContainText(/€ \d+/i);
  await expect(page).toHaveURL(/basket/);
  await expect(page.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: /buy/i }).click();
  await page.getByRole('button', { name: /b.y/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'x' }).click();
  await page.locator('//div').click();
  await page.getByText('x').dblclick();
  await page.getByText(` + "`${name}`" + `).click();
  const page1Promise = page.waitForEvent('popup');
  const page1 = await page1Promise;
  await page1.getByText('x').click();
  await page.getByText('broken
});
`

func TestAScriptOfPlaywrightIsTakenOver(t *testing.T) {
	got, err := Read([]byte(generated), "")
	if err != nil {
		t.Fatal(err)
	}
	assert := func(look flow.Looked, operator flow.Operator, expected string, by flow.Locator) flow.Step {
		s := flow.Step{Kind: flow.Assert, Assertion: flow.Assertion{Look: look, Operator: operator, Expected: expected}}
		if by != (flow.Locator{}) {
			s.Element = flow.Element{by}
		}
		return s
	}
	on := func(kind flow.Kind, by flow.Locator, value string) flow.Step {
		return flow.Step{Kind: kind, Element: flow.Element{by}, Value: value}
	}
	want := []flow.Step{
		on(flow.Click, flow.Locator{Role: "link", Name: "Sign in"}, ""),
		on(flow.Fill, flow.Locator{Label: "E-mail"}, "reader@example.com"),
		{Kind: flow.Fill, Secret: "password", Element: flow.Element{{Role: "textbox", Name: "Password", Exact: true}}},
		on(flow.Press, flow.Locator{Placeholder: "Search"}, "Enter"),
		on(flow.Select, flow.Locator{TestID: "colour"}, "red"),
		on(flow.Check, flow.Locator{CSS: "#agree"}, ""),
		{Kind: flow.Check, Off: true, Element: flow.Element{{CSS: "form input", Nth: 1}}},
		on(flow.Hover, flow.Locator{Text: "It's 2 o'clock", Nth: 3}, ""),
		on(flow.Fill, flow.Locator{Label: "Card"}, "1"),
		{Kind: flow.Navigate, Value: "/basket"},
		{Kind: flow.Wait, For: flow.AwaitAddress, Value: "*/basket"},
		assert(flow.LookVisible, flow.Equals, "true", flow.Locator{Text: "Thank you"}),
		assert(flow.LookVisible, flow.Equals, "false", flow.Locator{Text: "Sold out"}),
		assert(flow.LookText, flow.Equals, "€ 12", flow.Locator{CSS: ".total"}),
		assert(flow.LookText, flow.Matches, `(?i)€ \d+`, flow.Locator{CSS: ".total"}),
		assert(flow.LookAddress, flow.Matches, "basket", flow.Locator{}),
		assert(flow.LookCount, flow.Equals, "2", flow.Locator{Role: "listitem"}),
		on(flow.Click, flow.Locator{Role: "button", Name: "buy"}, ""),
		{Kind: flow.Checkpoint, Label: "End"},
	}
	if diff := cmp.Diff(want, got.Flow.Steps, cmpopts.IgnoreFields(flow.Step{}, "Line")); diff != "" {
		t.Error(diff)
	}
	wantLeft(t, got.Left, "line 7: the value of textbox “Password”", "line 23: await page.getByRole",
		"line 24: await page.getByRole('listitem').filter", "line 25: ",
		"line 26: await page.getByText('x').dblclick();: dblclick has no equivalent", "line 27: ",
		"line 28: ", "line 29: ", "line 30: ", "line 31: ")
	text, err := got.Flow.YAML()
	if err != nil || strings.Contains(string(text), "not-to-be-seen") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	for text, words := range map[string]string{
		"{}":                  "it has no steps",
		`{"steps": "x"}`:      "not a recording by Chrome's Recorder: line 1",
		"hello":               "opens no page",
		"await page.goto(1);": "opens no page",
		`{"steps": [{"type": "navigate", "url": "chrome://settings"}]}`: "start must be the http or https address",
		strings.Repeat("x", 2<<20):                                      "more than",
	} {
		if _, err := Read([]byte(text), ""); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	deep := "await page.goto('https://a.test/');\nawait page.getByText(" + strings.Repeat("{a:", 10_000) + ").click();"
	got, err := Read([]byte(deep), Playwright)
	if err != nil || len(got.Left) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestALongRecordingIsCut(t *testing.T) {
	var b strings.Builder
	b.WriteString("await page.goto('https://a.test/');\n")
	for i := range 300 {
		fmt.Fprintf(&b, "await page.getByText('%d').click();\n", i)
	}
	got, err := Read([]byte(b.String()), "")
	if err != nil || len(got.Flow.Steps) != flow.MaxSteps {
		t.Fatalf("%v", err)
	}
	wantLeft(t, got.Left, "line 201: this step and 100 more: a flow has at most 200")
}

func FuzzRead(f *testing.F) {
	f.Add(recorded)
	f.Add(generated)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Read([]byte(text), "")
		if err != nil {
			return
		}
		written, err := got.Flow.YAML()
		if err == nil {
			_, err = flow.Read(written)
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, written)
		}
	})
}
