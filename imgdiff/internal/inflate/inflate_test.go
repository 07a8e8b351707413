package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// pad adds what the decoder wants to be able to read behind the input. It is
// no zeros, so that using it does not go unnoticed.
func pad(data []byte) []byte {
	return append(bytes.Clone(data), bytes.Repeat([]byte{0xa5}, InputPadding)...)
}

// inflate decodes a whole stream of known size.
func inflate(stream []byte, size int) ([]byte, int, error) {
	var d Decoder
	out := make([]byte, size+OutputSlack)
	d.Reset(pad(stream), len(stream), out, size)
	used, err := d.Finish()
	return out[:size], used, err
}

func deflate(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// samples are data that compress in different ways.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	skewed := make([]byte, 200_000)
	for i := range skewed {
		skewed[i] = byte(r.ExpFloat64() * 6)
	}
	var periods []byte
	for period := 1; period < 70; period++ {
		for i := range 700 {
			periods = append(periods, byte(i%period*37))
		}
	}
	steep := make([]byte, 1<<17) // symbol n half as often as n-1: the longest codes
	for i := range steep {
		n := 0
		for r.IntN(2) == 0 && n < 40 {
			n++
		}
		steep[i] = byte(n)
	}
	return map[string][]byte{
		"empty": nil, "one byte": {7}, "zeros": make([]byte, 300_000), "noise": noise,
		"skewed": skewed, "periods": periods, "steep": steep, "text": bytes.Repeat([]byte("the quick brown fox. "), 3000),
	}
}

func TestInflatesWhatFlateWrites(t *testing.T) {
	for name, data := range samples() {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 6, 9} {
			stream := deflate(t, data, level)
			got, used, err := inflate(stream, len(data))
			if err != nil || used != len(stream) || !bytes.Equal(got, data) {
				t.Errorf("%s at level %d: equal %v, used %d of %d, error %v",
					name, level, bytes.Equal(got, data), used, len(stream), err)
			}
		}
	}
}

func TestRunPausesAnywhere(t *testing.T) {
	data := samples()["periods"]
	for _, level := range []int{flate.NoCompression, 6} {
		stream := deflate(t, data, level)
		var d Decoder
		out := make([]byte, len(data)+OutputSlack)
		d.Reset(pad(stream), len(stream), out, len(data))
		for until := 0; until <= len(data); until += 997 {
			have, err := d.Run(until)
			if err != nil || have < until || !bytes.Equal(out[:have], data[:have]) {
				t.Fatalf("level %d, until %d: have %d, error %v", level, until, have, err)
			}
		}
		if used, err := d.Finish(); err != nil || used != len(stream) {
			t.Errorf("level %d: used %d of %d, error %v", level, used, len(stream), err)
		}
	}
}

func TestRefusesWrongSizesAndTruncation(t *testing.T) {
	data := samples()["skewed"]
	for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 6} {
		stream := deflate(t, data, level)
		if _, _, err := inflate(stream, len(data)-1); !errors.Is(err, ErrTooLong) {
			t.Errorf("level %d, one byte too long: error %v", level, err)
		}
		if _, _, err := inflate(stream, len(data)+1); !errors.Is(err, ErrTooShort) {
			t.Errorf("level %d, one byte too short: error %v", level, err)
		}
		for cut := 0; cut < len(stream); cut += 1 + len(stream)/500 {
			if _, _, err := inflate(stream[:cut], len(data)); err == nil {
				t.Errorf("level %d, cut at %d of %d: no error", level, cut, len(stream))
			}
		}
	}
}

// FuzzInflate holds the decoder to compress/flate: the same streams accepted,
// with the same bytes.
func FuzzInflate(f *testing.F) {
	for _, data := range samples() {
		data = data[:min(len(data), 4000)]
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 9} {
			f.Add(deflate(f, data, level))
		}
	}
	f.Add([]byte{0x03, 0x00})             // empty fixed block
	f.Add([]byte{0x07})                   // no such block type
	f.Add([]byte{0x01, 1, 0, 0xff, 0xff}) // stored block whose length is wrong
	f.Fuzz(func(t *testing.T, stream []byte) {
		const limit = 1 << 20
		reader := flate.NewReader(bytes.NewReader(stream))
		want, wantErr := io.ReadAll(io.LimitReader(reader, limit+1))
		if len(want) > limit {
			return
		}
		got, _, err := inflate(stream, len(want))
		switch {
		case wantErr == nil && err != nil:
			t.Fatalf("refused with %v what flate accepts", err)
		case wantErr != nil && err == nil:
			t.Fatalf("accepted what flate refuses with %v", wantErr)
		case err == nil && !bytes.Equal(got, want):
			t.Fatal("other bytes than flate's")
		}
	})
}
