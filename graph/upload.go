package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"
	"golang.org/x/sync/semaphore"

	"afterimage/graph/resolver"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// UploadPrefix is the path at which Uploads is mounted.
const UploadPrefix = "/api/uploads/"

// Limits of uploaded pictures.
const (
	// maxPicture limits a file, in bytes: it has to arrive within half a minute.
	maxPicture = 16 << 20
	// maxPictures is how many are received at the same time by this process, and maxPicturesPerAccount of them for one account.
	maxPictures           = 32
	maxPicturesPerAccount = 8
	// maxHeld limits what these take in memory, in bytes: each file, and its pixels as they are packed in it while it is checked.
	// Those of one account take maxHeldPerAccount, as large a part of all as its places: others get in while it sends slowly.
	maxHeld           = 256 << 20
	maxHeldPerAccount = maxHeld / (maxPictures / maxPicturesPerAccount)
	// maxUploadQuery is far longer than a name and a device, in bytes.
	maxUploadQuery = 8 << 10
)

// Pictures checks and stores uploaded pictures, with the elements that they show as a JSON array, if any. Anything but a PNG file within
// the limits, and elements that are not valid, are vcd.CodeInvalid.
type Pictures interface {
	Keep(ctx context.Context, file, elements []byte) (run.Uploaded, error)
}

// Uploads receives screenshots for the run of a beginUpload; mount it at UploadPrefix. POST /api/uploads/<batch> takes the name of
// the page and the device as parameters and a PNG file as its body, or a form with the parts picture and elements, and an API token:
// there are no cookies. It answers 201 for a new screenshot and 200 for one that was sent before. Refusals look like those of
// operations.
func (s *Server) Uploads() http.Handler {
	receiving := &receiver{server: s, all: semaphore.NewWeighted(maxPictures), accounts: newShares(maxPicturesPerAccount),
		memory: semaphore.NewWeighted(maxHeld), memories: newShares(maxHeldPerAccount)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := WithRequestID(r.Context(), s.nameRequest(w.Header()))
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		defer s.recover(ctx, w)
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			refuseRequest(w, http.StatusMethodNotAllowed, coded(codeBadRequest, "Send a screenshot by POST."))
			return
		}
		receiving.serve(ctx, w, r)
	})
}

// receiver receives pictures, not more at once than fit into memory.
type receiver struct {
	server   *Server
	all      *semaphore.Weighted // places
	accounts *shares             // of the places
	memory   *semaphore.Weighted // bytes
	memories *shares             // of the bytes
}

func (u *receiver) serve(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	s := u.server
	ctx, err := s.withToken(ctx, bearer(r.Header.Get("Authorization")))
	if err != nil {
		u.refuse(ctx, w, err)
		return
	}
	if err := s.execution.admit(ctx, w.Header()); err != nil {
		refuseRequest(w, http.StatusTooManyRequests, err)
		return
	}
	actor, _ := resolver.ActorOf(ctx)
	if !actor.May(vcd.PermissionRun) {
		u.refuse(ctx, w, &vcd.Error{Code: vcd.CodeForbidden, Message: "This needs the permission RUN: use a token that has it."})
		return
	}
	leave, err := u.enter(actor.Account, expected(r))
	if err != nil {
		w.Header().Set("Connection", "close") // otherwise the answer would wait for the picture
		u.refuse(ctx, w, err)
		return
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, s.config.Timing.Operation+bodyTime)
	defer cancel()
	added, err := u.receive(ctx, w, r, actor)
	if err != nil {
		u.refuse(ctx, w, err)
		return
	}
	status := http.StatusOK
	if added {
		status = http.StatusCreated
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]bool{"added": added}) // a client that is gone needs no answer
}

// bodyTime is how long a picture may take to arrive, see package deadline.
const bodyTime = 30 * time.Second

// enter takes a place among the pictures that are received, for a body of some length. The error says when to come again.
func (u *receiver) enter(account vcd.ID, length int64) (leave func(), err error) {
	held := 2 * length
	leavePlace, ok := u.accounts.take(account, 1)
	if !ok {
		return nil, vcd.RateLimited(fmt.Sprintf("%d screenshots of the account are being received. Send fewer at the same time.",
			maxPicturesPerAccount), time.Second)
	}
	leaveMemory, ok := u.memories.take(account, held)
	if !ok {
		leavePlace()
		return nil, vcd.RateLimited(fmt.Sprintf("Screenshots of the account are being received, and with this one they exceed %d MiB. "+
			"Send fewer at the same time.", maxHeldPerAccount/2>>20), time.Second)
	}
	giveBack := func() { leaveMemory(); leavePlace() }
	full := vcd.RateLimited("Too many screenshots are being received. Please try again in a moment.", time.Second)
	if !u.memory.TryAcquire(held) {
		giveBack()
		return nil, full
	}
	if !u.all.TryAcquire(1) {
		u.memory.Release(held)
		giveBack()
		return nil, full
	}
	return func() { u.all.Release(1); u.memory.Release(held); giveBack() }, nil
}

// receive reads a picture once it is clear that it may be sent, and adds it to its run.
func (u *receiver) receive(ctx context.Context, w http.ResponseWriter, r *http.Request, actor vcd.Actor) (added bool, err error) {
	batch, ok := vcd.ParseID(strings.TrimPrefix(r.URL.Path, UploadPrefix))
	if !ok {
		return false, vcd.NotFound("Batch", "")
	}
	if u.server.config.Pictures == nil {
		return false, vcd.Unavailable(errors.New("this server stores no uploaded pictures"))
	}
	in, err := readUploaded(r)
	if err != nil {
		return false, err
	}
	if err := u.server.service.Runs.CheckUpload(ctx, actor, batch, in); err != nil {
		return false, err
	}
	sent, err := readSent(w, r)
	if err != nil {
		return false, err
	}
	kept, err := u.server.config.Pictures.Keep(ctx, sent.picture, sent.elements)
	if err != nil {
		return false, err
	}
	return u.server.service.Runs.Upload(ctx, actor, batch, in, kept)
}

// refuse answers with what is wrong.
func (u *receiver) refuse(ctx context.Context, w http.ResponseWriter, err error) {
	shown := u.server.execution.presenter.present(ctx, err)
	status := uploadStatus(w.Header(), shown)
	if errors.As(err, new(tooLongError)) {
		status = http.StatusRequestEntityTooLarge
	}
	refuseRequest(w, status, shown)
}

// uploadStatus is the HTTP status of a refusal, with the headers that go with it.
func uploadStatus(header http.Header, shown *gqlerror.Error) int {
	code, _ := shown.Extensions["code"].(string)
	switch vcd.Code(code) {
	case vcd.CodeNotFound:
		return http.StatusNotFound
	case vcd.CodeConflict:
		return http.StatusConflict
	case vcd.CodeChecksExhausted:
		return http.StatusPaymentRequired
	case vcd.CodeInvalid:
		return http.StatusUnprocessableEntity
	case vcd.CodeRateLimited:
		header.Set(retryAfterHeader, fmt.Sprint(shown.Extensions["retryAfter"]))
		return http.StatusTooManyRequests
	}
	return statusOf(header, vcd.Code(code))
}
