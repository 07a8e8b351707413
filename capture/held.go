package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

const (
	maxPictures       = 2000    // files whose requests are remembered
	maxPictureNames   = 2 << 20 // bytes of their addresses
	maxCheckedPicture = 32 << 20
	sumLength         = 12 // hexadecimal digits of a file's checksum
)

// leftPart is a part of a page that the picture does not show, as our script reports it.
type leftPart struct {
	page.Missing
	Holds *heldText `json:"holds"` // nil if it cannot be told
}

// heldText is what an element holds out of sight: texts and pictures line by line, and the files that it shows there.
type heldText struct {
	Text  string     `json:"text"`
	Files []heldFile `json:"files"`
}

// heldFile is a file that is shown out of sight.
type heldFile struct {
	Line    int    `json:"line"` // that names it, -1 for none
	Address string `json:"address"`
}

// pictureFiles are the pictures that a page has asked for, and what they contain.
type pictureFiles struct {
	requests map[string]proto.NetworkRequestID // by the address that the page knows
	named    int                               // bytes of these
	sums     map[proto.NetworkRequestID]string
	read     int // bytes
}

// asked notes the request for a picture.
func (p *pictureFiles) asked(e proto.NetworkRequestWillBeSent) {
	address := e.Request.URL
	if e.Type != proto.NetworkResourceTypeImage || e.RedirectResponse != nil || strings.HasPrefix(address, "data:") ||
		len(p.requests) >= maxPictures || p.named+len(address) > maxPictureNames {
		return
	}
	if p.requests == nil {
		p.requests = make(map[string]proto.NetworkRequestID)
	}
	p.requests[address], p.named = e.RequestID, p.named+len(address)
}

// refused forgets a picture that the site does not have.
func (p *pictureFiles) refused(request proto.NetworkRequestID) {
	maps.DeleteFunc(p.requests, func(_ string, asked proto.NetworkRequestID) bool { return asked == request })
}

// readHeld looks into the files that elements show out of sight: another picture may have the same name and size.
func (r *run) readHeld() error {
	for i := range r.size.Parts {
		if p := &r.size.Parts[i]; p.Holds != nil {
			p.Missing.Holds = r.holds(p.Holds)
		}
	}
	return r.ctx.Err()
}

// holds adds the checksums of the files to the lines that name them and, of all, to the last line; "" if one cannot be read.
func (r *run) holds(h *heldText) string {
	lines := strings.Split(h.Text, "\n")
	all := sha256.New()
	for _, file := range h.Files {
		sum := r.pictureSum(file.Address)
		if sum == "" {
			return ""
		}
		all.Write([]byte(sum))
		if file.Line < 0 || file.Line >= len(lines)-1 {
			continue
		}
		if name, is := strings.CutSuffix(lines[file.Line], "]"); is {
			lines[file.Line] = name + " " + sum + "]"
		}
	}
	return strings.Join(lines, "\n") + " " + sumOf(all.Sum(nil))
}

func sumOf(hash []byte) string { return hex.EncodeToString(hash)[:sumLength] }

// pictureSum is the checksum of a picture's file, "" if the browser does not have it any more or it is too large.
func (r *run) pictureSum(address string) string {
	files := &r.events.pictures
	address, _, _ = strings.Cut(address, "#")
	r.events.mu.Lock()
	request, known := files.requests[address]
	r.events.mu.Unlock()
	if !known {
		return ""
	}
	if sum, done := files.sums[request]; done {
		return sum
	}
	text := ""
	if files.read < maxCheckedPicture {
		text, _ = resourceText(r, r.tab.Begin(proto.NetworkGetResponseBody{RequestID: request}))
		files.read += len(text)
	}
	sum := ""
	if text != "" {
		hash := sha256.Sum256([]byte(text))
		sum = sumOf(hash[:])
	}
	if files.sums == nil {
		files.sums = make(map[proto.NetworkRequestID]string)
	}
	files.sums[request] = sum
	return sum
}
