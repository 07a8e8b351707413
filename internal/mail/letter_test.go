package mail_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"afterimage/internal/mail"
)

var finished = time.Date(2026, 3, 5, 14, 30, 0, 0, time.FixedZone("CET", 3600))

// letters holds one of each kind.
func letters(t *testing.T) map[string]mail.Letter {
	t.Helper()
	kinds := map[string]interface{ Letter() (mail.Letter, error) }{
		"digest":  digest(),
		"nothing": mail.Digest{Batch: "Nightly", Finished: finished, Groups: []mail.DigestGroup{{Name: "Shop", Checked: 8, Unseen: 2}}},
		"others": mail.Digest{Batch: "Nightly", Finished: finished, Groups: []mail.DigestGroup{{Name: "Shop", Checked: 8}},
			Others: mail.Others{Groups: 2, Changes: 1, Flows: 1}},
		"update": mail.UpdateReport{
			Website: "shop.example.com", Batch: "Nightly updates", At: finished, Status: "completed_with_errors", Attempts: 2,
			Broken: 1, Checked: 12,
			Updates: []mail.Update{
				{Kind: "Plugin", Name: "Forms", From: "5.1", To: "5.2", Done: true},
				{Kind: "Theme", Name: "Plain", From: "1.0", To: "1.1", Error: "The archive could not be unpacked."},
			},
			Changes: []mail.Change{{Title: "Contact", Address: "shop.example.com/contact", Device: "desktop", Percent: 3.2,
				Threshold: 0.1}},
		},
		"update that took a page down": mail.UpdateReport{
			Website: "shop.example.com", At: finished, Status: "completed", Attempts: 1, Checked: 11, Failed: 1,
			Failures: []mail.Failure{{Address: "shop.example.com/", Device: "mobile", Why: "The server did not accept a connection."}},
		},
		"webhook": mail.WebhookDisabled{Address: "https://hooks.example.com/a", Event: "batch_finished",
			Reason: "Every attempt of the last 5 days failed.", Since: finished},
		"notice": mail.Notice{Subject: "Your account is paused", Paragraphs: []string{"Nobody used it for 90 days."}, Action: "Reactivate",
			Link: "https://afterimage.example.com/"},
	}
	made := make(map[string]mail.Letter)
	for name, kind := range kinds {
		letter, err := kind.Letter()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		made[name] = letter
	}
	return made
}

func digest() mail.Digest {
	return mail.Digest{
		Batch: "Shop, nightly", Link: "https://afterimage.example.com/batches/1", Finished: finished, Trigger: "scheduled monitoring",
		Groups: []mail.DigestGroup{
			{
				Name: "Shop", Checked: 24, Failed: 1, More: 3,
				Changes: []mail.Change{
					{
						Title: "Prices", Address: "shop.example.com/prices", Device: "desktop", Percent: 12.4, Threshold: 0.1,
						Words:  "Text of the heading changed from “Plans” to “Prices”.",
						Before: picture("before-1", color.RGBA{200, 220, 255, 255}),
						After:  picture("after-1", color.RGBA{255, 220, 200, 255}),
						Review: "https://afterimage.example.com/c/abc",
					},
					{Title: "", Address: "shop.example.com/about", Device: "mobile", Percent: 0.004, Threshold: 0},
				},
			},
			{Name: "Blog", Checked: 6},
		},
	}
}

func picture(id string, fill color.Color) *mail.Picture {
	img := image.NewRGBA(image.Rect(0, 0, 280, 160))
	for y := range 160 {
		for x := range 280 {
			img.Set(x, y, fill)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return &mail.Picture{ID: id, Type: "image/png", Data: out.Bytes(), Width: 280, Height: 160}
}

func TestLettersSayWhatHappened(t *testing.T) {
	made := letters(t)
	tests := []struct {
		letter, subject string
		words           []string // in both forms
	}{
		{"digest", "5 changes and 1 failed screenshot: Shop, nightly", []string{"Shop", "24 comparisons", "Prices",
			"shop.example.com/prices", "12 %", "threshold 0.10 %", "0.01 %", "“Plans”", "and 3 more changes", "Blog",
			"Nothing changed above the threshold", "https://afterimage.example.com/c/abc", "5 March 2026 at 14:30 CET",
			"scheduled monitoring"}},
		{"nothing", "No changes: Nightly", []string{"8 comparisons, 2 of them not fully captured", "is an alert recipient of this group"}},
		{"others", "1 change and 1 failed flow: Nightly",
			[]string{"2 more groups with 1 change, 1 failed flow and 0 failed screenshots."}},
		{"update", "Updates completed with errors, 1 visible change: shop.example.com", []string{"2 updates attempted", "1 failed", "Forms",
			"5.1", "5.2", "could not be unpacked", "3.20 %"}},
		{"update that took a page down", "Updates completed, 1 failed screenshot: shop.example.com", []string{"1 update attempted",
			"shop.example.com/", "did not accept"}},
		{"webhook", "Webhook disabled: https://hooks.example.com/a", []string{"batch_finished", "last 5 days", "5 March 2026"}},
		{"notice", "Your account is paused", []string{"90 days", "Reactivate"}},
	}
	for _, tt := range tests {
		letter := made[tt.letter]
		if letter.Subject != tt.subject {
			t.Errorf("%s: subject %q, want %q", tt.letter, letter.Subject, tt.subject)
		}
		for _, words := range tt.words {
			for form, text := range map[string]string{"HTML": letter.HTML, "text": letter.Text} {
				if !strings.Contains(text, words) {
					t.Errorf("%s: %q is not in its %s", tt.letter, words, form)
				}
			}
		}
	}
}

func TestPagesCannotWriteIntoMails(t *testing.T) {
	hostile := `</td><script>alert(1)</script><img src="https://example.com/spy.png">` + "\r\nBcc: victim@example.com\r\n\r\n" +
		strings.Repeat("x", 5000)
	d := digest()
	d.Batch = hostile
	d.Groups[0].Name = hostile
	d.Groups[0].Changes[0].Title = hostile
	d.Groups[0].Changes[0].Address = hostile
	d.Groups[0].Changes[0].Words = hostile
	d.Groups[0].Changes[0].Review = "javascript:alert(1)"
	letter, err := d.Letter()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img src=\"https:", "href=\"javascript:"} {
		if strings.Contains(letter.HTML, bad) {
			t.Errorf("%s is in the HTML", bad)
		}
	}
	if strings.ContainsAny(letter.Subject, "\r\n") || strings.Contains(letter.Text, "\r\nBcc") {
		t.Error("a line of the page's own is in the mail")
	}
	if len(letter.HTML) > 30_000 {
		t.Errorf("the HTML has %d bytes", len(letter.HTML))
	}
}

// Opening a mail loads nothing from anywhere.
func TestLettersAreWhole(t *testing.T) {
	for name, letter := range letters(t) {
		for _, loads := range []string{"src=\"http", "url(", "<link", "<script", "@import"} {
			if strings.Contains(letter.HTML, loads) {
				t.Errorf("%s: %s in the HTML", name, loads)
			}
		}
		for _, p := range letter.Pictures {
			if !strings.Contains(letter.HTML, "cid:"+p.ID) {
				t.Errorf("%s: picture %s is not shown", name, p.ID)
			}
		}
		if shown := strings.Count(letter.HTML, "cid:"); shown != len(letter.Pictures) {
			t.Errorf("%s: %d pictures shown, %d there", name, shown, len(letter.Pictures))
		}
	}
}
