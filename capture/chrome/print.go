package chrome

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// printTimeout is how long a document may take to become a PDF file.
const printTimeout = 30 * time.Second

// MaxPrinted is the size up to which PDF files are made, in bytes.
const MaxPrinted = 64 << 20

var errTooLarge = errors.New("the PDF file would be too large")

// Print creates a PDF file from an HTML document, on A4. The document has everything in itself: pictures are data: addresses. It
// is shown without network and without scripts. The footer stands below every page: HTML with inline styles, in which elements of
// the classes pageNumber and totalPages are filled in. Print waits for a lane like Capture.
func (p *Pool) Print(ctx context.Context, document, footer string) ([]byte, error) {
	l, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer p.idle.put(l)
	return l.print(ctx, document, footer)
}

// print runs in a tab of its own, like a capture. No visit of the proxy is begun: it lets nothing through.
func (l *lane) print(ctx context.Context, document, footer string) ([]byte, error) {
	<-l.tidied
	ctx, cancel := context.WithTimeoutCause(ctx, printTimeout, fmt.Errorf("not printed within %s", printTimeout))
	defer cancel()
	t, err := l.ready(ctx)
	if err != nil {
		return nil, err
	}
	l.captures++
	limited, unwatch := l.limitMemory(ctx, t.browser.process)
	pdf, err := t.print(limited, document, footer)
	unwatch()
	l.tidied = make(chan struct{})
	go func() {
		defer close(l.tidied)
		l.tidy(t, silenceTimeout)
	}()
	return pdf, err
}

func (t *tab) print(ctx context.Context, document, footer string) ([]byte, error) {
	page := t.browser.session(ctx, t.session)
	steps := []interface{ Call(c proto.Client) error }{
		proto.EmulationSetScriptExecutionDisabled{Value: true},
		proto.NetworkEnable{},
		proto.NetworkEmulateNetworkConditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1},
		proto.PageEnable{},
		proto.PageSetDocumentContent{FrameID: t.Frame(), HTML: document},
	}
	for _, step := range steps {
		if err := step.Call(page); err != nil {
			return nil, fmt.Errorf("show the document: %w", err)
		}
	}
	made, err := proto.PagePrintToPDF{
		PrintBackground: true, PreferCSSPageSize: true, DisplayHeaderFooter: true, HeaderTemplate: "<span></span>",
		FooterTemplate: footer, TransferMode: proto.PagePrintToPDFTransferModeReturnAsStream,
		GenerateTaggedPDF: true, GenerateDocumentOutline: true,
	}.Call(page)
	if err != nil {
		return nil, fmt.Errorf("print the document: %w", err)
	}
	return readStream(page, made.Stream)
}

// readStream reads what the browser made, and lets it forget it.
func readStream(page session, handle proto.IOStreamHandle) (content []byte, err error) {
	defer func() { err = errors.Join(err, proto.IOClose{Handle: handle}.Call(page)) }()
	for {
		part, err := proto.IORead{Handle: handle}.Call(page)
		if err != nil {
			return nil, fmt.Errorf("read the PDF file: %w", err)
		}
		piece, err := decodePart(part)
		if err != nil {
			return nil, fmt.Errorf("read the PDF file: %w", err)
		}
		if content = append(content, piece...); len(content) > MaxPrinted {
			return nil, errTooLarge
		}
		if part.EOF {
			return content, nil
		}
	}
}

func decodePart(part *proto.IOReadResult) ([]byte, error) {
	if part.Base64Encoded {
		return base64.StdEncoding.DecodeString(part.Data)
	}
	return []byte(part.Data), nil
}
