package webhook_test

import (
	"testing"
	"time"

	"afterimage/internal/webhook"
)

func TestRetriesSpanAboutThreeDaysAndEnd(t *testing.T) {
	var span time.Duration
	for attempt := 1; ; attempt++ {
		pause, again := webhook.Retry(attempt, 0, 0.5)
		if !again {
			if attempt != webhook.MaxAttempts {
				t.Errorf("given up after %d attempts, want %d", attempt, webhook.MaxAttempts)
			}
			break
		}
		span += pause
	}
	if span < 72*time.Hour || span > 80*time.Hour {
		t.Errorf("the attempts span %s", span)
	}
}

func TestRetryHonoursTheReceiver(t *testing.T) {
	tests := []struct {
		name         string
		asked, least time.Duration
		most         time.Duration
	}{
		{"sooner than ours", time.Second, 4 * time.Second, 6 * time.Second},
		{"later than ours", time.Hour, time.Hour, time.Hour},
		{"for ever", 1 << 40, 4 * time.Second, 24 * time.Hour},
	}
	for _, tt := range tests {
		for _, chance := range []float64{0, 0.5, 0.999} {
			if pause, _ := webhook.Retry(1, tt.asked, chance); pause < tt.least || pause > tt.most {
				t.Errorf("%s: waits %s, want %s to %s", tt.name, pause, tt.least, tt.most)
			}
		}
	}
}
