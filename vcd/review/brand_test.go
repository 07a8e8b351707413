package review_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/review"
)

// webPLogo is a WebP file without loss of 16 × 8 red pixels.
const webPLogo = "UklGRhwAAABXRUJQVlA4TBAAAAAvD8ABAAcQ/Y/+ByKi/wEA"

func encoded(t *testing.T, width, height int, paint func(x, y int) color.Color) string {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.Set(x, y, paint(x, y))
		}
	}
	var out bytes.Buffer
	must(t, png.Encode(&out, picture))
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func red(int, int) color.Color { return color.NRGBA{R: 200, A: 255} }

func (w *world) brand(in review.BrandChange) review.ShownBrand {
	w.T.Helper()
	brand, err := w.Service.Reviews.UpdateBrand(w.T.Context(), w.Actor, in)
	must(w.T, err)
	return brand
}

func TestALogoIsDrawnAnew(t *testing.T) {
	w := newWorld(t)
	var photo bytes.Buffer
	must(t, jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 900, 300)), nil))
	photo.WriteString("<script>alert(1)</script>") // what follows a picture is ignored by those who decode it
	for name, c := range map[string]struct {
		text          string
		width, height int
	}{
		"small": {encoded(t, 120, 40, red), 120, 40}, "wide": {encoded(t, 2000, 100, red), 640, 32},
		"a line": {encoded(t, 5000, 1, red), 640, 1}, "JPEG": {base64.StdEncoding.EncodeToString(photo.Bytes()), 640, 213},
		"WebP": {webPLogo, 16, 8},
	} {
		w.brand(review.BrandChange{Logo: vcd.Some(c.text)})
		logo, err := w.Service.Reviews.BrandLogo(t.Context(), w.Actor)
		must(t, err)
		if logo.Width != c.width || logo.Height != c.height {
			t.Errorf("%s: %d × %d, want %d × %d", name, logo.Width, logo.Height, c.width, c.height)
		}
		drawn, err := png.DecodeConfig(bytes.NewReader(logo.Content))
		must(t, err)
		if drawn.Width != c.width || drawn.Height != c.height || bytes.Contains(logo.Content, []byte("script")) {
			t.Errorf("%s: the file has %d × %d pixels", name, drawn.Width, drawn.Height)
		}
	}
	w.CheckInvariants()
}

func TestLogosAndColorsAreChecked(t *testing.T) {
	w := newWorld(t)
	random := rand.New(rand.NewPCG(1, 2))
	noise := image.NewNRGBA(image.Rect(0, 0, 640, 320))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32())
	}
	var loud bytes.Buffer // smaller than what it takes without loss
	must(t, jpeg.Encode(&loud, noise, nil))
	for name, c := range map[string]struct{ logo, says string }{
		"SVG":          {base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)), "PNG, JPEG or WebP"},
		"GIF":          {base64.StdEncoding.EncodeToString([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;")), "PNG, JPEG or WebP"},
		"empty":        {"", "PNG, JPEG or WebP"},
		"half a file":  {encoded(t, 120, 40, red)[:80], "PNG, JPEG or WebP"},
		"a data: URL":  {"data:image/png;base64," + webPLogo, "base64"},
		"many pixels":  {encoded(t, 1001, 1000, red), "1,000,000 pixels"},
		"a large file": {base64.StdEncoding.EncodeToString(make([]byte, vcd.MaxLogoBytes+1)), "512 KiB"},
		"a long text":  {strings.Repeat("A", 1<<20), "512 KiB"},
		"noise":        {base64.StdEncoding.EncodeToString(loud.Bytes()), "as a PNG file"},
	} {
		_, err := w.Service.Reviews.UpdateBrand(t.Context(), w.Actor, review.BrandChange{Logo: vcd.Some(c.logo)})
		wantField(t, name, err, "logo", c.says)
	}
	for _, bad := range []string{"", "red", "#12345", "#12345g", "#1234567", "url(#a)", "#123456;"} {
		_, err := w.Service.Reviews.UpdateBrand(t.Context(), w.Actor, review.BrandChange{Color: vcd.Some(bad)})
		wantField(t, bad, err, "color", "#rrggbb")
	}
	if brand := w.brand(review.BrandChange{}); !brand.Empty() {
		t.Errorf("the brand is %+v", brand)
	}
}

// TestABombIsNotDecoded: a file of a few hundred bytes may claim to be a picture of gigabytes.
func TestABombIsNotDecoded(t *testing.T) {
	w := newWorld(t)
	file, err := base64.StdEncoding.DecodeString(encoded(t, 1, 1, red))
	must(t, err)
	copy(file[16:], []byte{0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 8, 6, 0, 0, 0})
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	bomb := vcd.Some(base64.StdEncoding.EncodeToString(file))
	_, err = w.Service.Reviews.UpdateBrand(t.Context(), w.Actor, review.BrandChange{Logo: bomb})
	wantField(t, "65535 × 65535", err, "logo", "1,000,000 pixels")
}

func wantField(t *testing.T, name string, err error, field, says string) {
	t.Helper()
	wantCode(t, err, vcd.CodeInvalid)
	fields := err.(*vcd.Error).Fields //nolint:errorlint // of this very type, by its code
	if len(fields) != 1 || fields[0].Path != field || !strings.Contains(fields[0].Text(), says) {
		t.Errorf("%s: %+v", name, fields)
	}
}

func TestWhatIsAbsentStaysAndNullRemoves(t *testing.T) {
	w := newWorld(t)
	w.brand(review.BrandChange{Logo: vcd.Some(encoded(t, 30, 10, red)), Color: vcd.Some("#1A5FB4")})
	if b := w.brand(review.BrandChange{Color: vcd.Some("#ffd800")}); b.Logo == nil || b.Color != "#ffd800" {
		t.Errorf("after a new colour: %+v", b)
	}
	if b := w.brand(review.BrandChange{Color: vcd.Null[string]()}); b.Logo == nil || b.Color != "" {
		t.Errorf("without a colour: %+v", b)
	}
	if b := w.brand(review.BrandChange{Logo: vcd.Null[string]()}); !b.Empty() {
		t.Errorf("without everything: %+v", b)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM brands"); n != 0 {
		t.Errorf("%d rows of nothing", n)
	}
}

// TestASubaccountLooksLikeItsOwner until it chooses a look of its own; other accounts never do.
func TestASubaccountLooksLikeItsOwner(t *testing.T) {
	w := newWorld(t)
	use, ctx := w.Service.Reviews, t.Context()
	sub, _, err := w.Service.Accounts.CreateSubaccount(ctx, w.Actor, account.SubaccountChange{
		NameFirst: vcd.Some("Northern"), NameLast: vcd.Some("Shop"), Email: vcd.Some("shop@example.com"), LimitChecks: vcd.Some(10),
	})
	must(t, err)
	below, other := vcd.Actor{Account: sub.ID}, vcd.Actor{Account: w.NewAccount("other@example.com", 0).ID}
	w.brand(review.BrandChange{Logo: vcd.Some(encoded(t, 30, 10, red)), Color: vcd.Some("#1a5fb4")})
	_, err = w.Service.Accounts.UpdateAccount(ctx, w.Actor, account.Change{Company: vcd.Some("Agency")})
	must(t, err)
	inherited, err := use.Brand(ctx, below)
	must(t, err)
	if inherited.Color != "#1a5fb4" || inherited.Account != w.Account.ID || inherited.Name != "Agency" {
		t.Errorf("below: %+v", inherited)
	}
	if logo, err := use.BrandLogo(ctx, below); err != nil || logo == nil || logo.Width != 30 {
		t.Errorf("the logo below: %+v %v", logo, err)
	}
	_, err = use.UpdateBrand(ctx, below, review.BrandChange{Color: vcd.Some("#ffd800")})
	must(t, err)
	own, err := use.Brand(ctx, below)
	must(t, err)
	if own.Color != "#ffd800" || own.Logo != nil || own.Name != "Northern Shop" {
		t.Errorf("its own: %+v", own)
	}
	foreign, err := use.Brand(ctx, other)
	must(t, err)
	if !foreign.Empty() || foreign.Account != other.Account {
		t.Errorf("another account has %+v", foreign)
	}
	must(t, w.Service.Accounts.DeleteSubaccount(ctx, w.Actor, sub.ID))
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM brands WHERE account_id = $1", sub.ID); n != 0 {
		t.Error("a deleted account has a brand")
	}
}

// TestTheLogoGoesWithItsLink: whoever has a link sees the logo as long as the page behind it.
func TestTheLogoGoesWithItsLink(t *testing.T) {
	w := newInvited(t)
	use, ctx := w.Service.Reviews, t.Context()
	_, err := use.SharedLogo(ctx, w.guest.Token)
	wantCode(t, err, vcd.CodeNotFound)
	w.brand(review.BrandChange{Logo: vcd.Some(encoded(t, 30, 10, red))})
	if logo, err := use.SharedLogo(ctx, w.guest.Token); err != nil || len(logo.Content) == 0 {
		t.Errorf("by the link: %+v %v", logo, err)
	}
	if logo, err := use.ReviewLogo(ctx, w.compared[0].Token); err != nil || len(logo.Content) == 0 {
		t.Errorf("by the link of a comparison: %+v %v", logo, err)
	}
	_, err = use.UnshareBatch(ctx, w.Actor, w.batch)
	must(t, err)
	_, err = use.SharedLogo(ctx, w.guest.Token)
	wantCode(t, err, vcd.CodeNotFound)
	_, err = use.ReviewLogo(ctx, "unknown")
	wantCode(t, err, vcd.CodeNotFound)
}
