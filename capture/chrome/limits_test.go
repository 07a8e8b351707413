package chrome

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"os"
	"strings"
	"testing"

	"afterimage/capture"
)

// A page that asks for a wider viewport than any device has does not choose how much memory its picture takes.
func TestAWidePageIsCut(t *testing.T) {
	address := site.page(t, `<meta name=viewport content="width=10000"><title>wide</title><div style="height:16000px">wide</div>`)
	shot := take(t, capture.Request{URL: address, Device: capture.Mobile})
	size, err := png.DecodeConfig(bytes.NewReader(shot.PNG))
	if err != nil || size.Width > capture.MaxWidth || size.Width*size.Height > capture.MaxPixels || !shot.Truncated {
		t.Errorf("picture is %d × %d, truncated %v, %v", size.Width, size.Height, shot.Truncated, err)
	}
}

func TestALongTitleIsCut(t *testing.T) {
	shot := take(t, capture.Request{URL: site.page(t, `<script>document.title = 'x'.repeat(20 << 20)</script>`), Device: capture.Desktop})
	if len(shot.Title) == 0 || len(shot.Title) > 1000 {
		t.Errorf("the title has %d bytes", len(shot.Title))
	}
}

// What an injected script evaluates to comes back to us: a large value is the page's fault and costs neither memory nor
// the browser. It is twice as large as is allowed, and at full size twelve times.
func TestALargeAnswerIsThePagesFault(t *testing.T) {
	size := 2 * maxMessage
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		size = 12 * maxMessage
	}
	pool := startPool(t, testConfig())
	_, err := pool.Capture(t.Context(), capture.Request{
		URL: site.page(t, "<title>x</title>"), Device: capture.Desktop, Deadline: patient,
		Scripts: []string{fmt.Sprintf("'x'.repeat(%d)", size)},
	})
	var failure *capture.Failure
	if !errors.As(err, &failure) || failure.Reason != capture.ReasonTooLarge || failure.Retryable() {
		t.Errorf("a script with a large value: %v", err)
	}
	takeWith(t, pool, capture.Request{URL: site.page(t, "<title>next</title>"), Device: capture.Desktop})
}

func TestReadMessageKeepsOnlyTheBeginningOfWhatIsTooLarge(t *testing.T) {
	p := &pipe{waiting: map[int64]*reply{7: {method: "Page.captureScreenshot"}, 8: {method: "Runtime.evaluate"}}}
	for _, c := range []struct {
		begins string
		whole  bool
	}{
		{`{"id":7,"result":"`, true}, {`{"id":8,"result":"`, false}, {`{"id":9,"result":"`, false},
		{`{"method":"Runtime.consoleAPICalled","p":"`, false},
	} {
		message, whole, err := p.readMessage(bufio.NewReader(strings.NewReader(c.begins + strings.Repeat("x", maxMessage) +
			"\x00next\x00")))
		if err != nil || whole != c.whole || !strings.HasPrefix(string(message), c.begins) || !whole && len(message) > keptOfLarge {
			t.Errorf("%s: %d bytes, whole %v, %v", c.begins, len(message), whole, err)
		}
	}
}
