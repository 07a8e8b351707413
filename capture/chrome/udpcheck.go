package chrome

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// ErrLeaks means that a browser sends datagrams past the egress proxy in spite of our switches.
var ErrLeaks = errors.New("this browser lets pages send UDP past the egress guard and is not safe to use: install " +
	"chromium-headless-shell (`make setup`)")

// gatherCandidates makes WebRTC query a STUN server at a port of ours, the one path to UDP that a switch has to close.
const gatherCandidates = `(async () => {
	const connection = new RTCPeerConnection({iceServers: [{urls: 'stun:%s'}]});
	connection.createDataChannel('check');
	await connection.setLocalDescription(await connection.createOffer());
	const end = new Promise((done) => setTimeout(done, 1000));
	const complete = new Promise((done) => {
		connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && done();
	});
	if (connection.iceGatheringState !== 'complete') await Promise.race([complete, end]);
	connection.close();
	return true;
})()`

// checkUDP verifies that the browser obeys the WebRTC switch. Its spelling differs between Chromium's builds, and a
// build ignores an unknown spelling silently: the headless shell 156 ignores the one that full Chromium obeys.
func (b *browser) checkUDP(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errors.New("the browser did not answer in time"))
	defer cancel()
	socket, err := (&net.ListenConfig{}).ListenPacket(ctx, "udp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("check the browser's egress: %w", err)
	}
	defer func() { err = errors.Join(err, socket.Close()) }()
	t, err := b.newTab(ctx)
	if err != nil {
		return fmt.Errorf("check the browser's egress: %w", err)
	}
	expression := fmt.Sprintf(gatherCandidates, socket.LocalAddr())
	if _, err := (proto.RuntimeEvaluate{Expression: expression, AwaitPromise: true}).Call(b.session(ctx, t.session)); err != nil {
		return fmt.Errorf("check the browser's egress: %w", err)
	}
	if err := socket.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		return fmt.Errorf("check the browser's egress: %w", err)
	}
	if _, _, err := socket.ReadFrom(make([]byte, 1)); err == nil {
		return ErrLeaks
	}
	return b.dispose(ctx, t, silenceTimeout)
}
