package egress

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// tunnel serves CONNECT: dial, answer, then copy bytes both ways until either side ends or the visit does.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request, v *Visit) {
	ctx, cancel := visitContext(r, v)
	defer cancel()
	target, err := v.dialSecured(ctx, r.Host)
	if err != nil {
		sayWhy(w, err)
		return
	}
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		_ = target.Close()
		http.Error(w, "tunnels need HTTP/1.1", http.StatusInternalServerError)
		return
	}
	client, buffered, err := hijacker.Hijack()
	if err != nil {
		_ = target.Close()
		p.logger.Debug("egress tunnel not opened", "target", r.Host, "error", err)
		return
	}
	defer p.forget(client)
	if !p.register(target, v) {
		_ = target.Close()
		_ = client.Close()
		return
	}
	defer p.forget(target)
	if _, err := fmt.Fprint(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil || v.ctx.Err() != nil {
		_ = target.Close()
		_ = client.Close()
		return
	}
	relay(client, buffered, target)
}

// relay copies both directions. A side that stops sending is half-closed, so that the other may still finish its answer.
func relay(client net.Conn, fromClient io.Reader, target net.Conn) {
	var both sync.WaitGroup
	both.Go(func() {
		_, _ = io.Copy(target, fromClient) // an error here means that one side is gone: the close below tells the other
		closeWrite(target)
	})
	both.Go(func() {
		_, _ = io.Copy(client, target)
		_ = client.Close()
	})
	both.Wait()
	_ = target.Close()
}

func closeWrite(conn net.Conn) {
	if counted, ok := conn.(*countedConn); ok {
		conn = counted.Conn
	}
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = conn.Close()
}
