package main

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// slowLine accepts connections as if the clients were far away: whatever is sent arrives half a round trip later, in both
// directions, and the first bytes of a connection wait for another round trip, in which it is established. Its bandwidth
// is not limited.
type slowLine struct {
	net.Listener
	roundTrip time.Duration
	conns     sync.WaitGroup
}

func (l *slowLine) Accept() (net.Conn, error) {
	far, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	near, ours := net.Pipe()
	half := l.roundTrip / 2
	l.conns.Go(func() { carry(ours, far, l.roundTrip+half, half) })
	l.conns.Go(func() { carry(far, ours, half, half) })
	return addressed{near, far}, nil
}

// addressed has the addresses of the connection behind it.
type addressed struct {
	net.Conn
	of net.Conn
}

func (a addressed) LocalAddr() net.Addr  { return a.of.LocalAddr() }
func (a addressed) RemoteAddr() net.Addr { return a.of.RemoteAddr() }

// parcel is what was read at once.
type parcel struct {
	bytes []byte
	due   time.Time
}

// maxParcels is how many parcels are on their way in one direction.
const maxParcels = 4096

// carry copies with a delay, and ends both connections with the first that ends.
func carry(to io.WriteCloser, from io.ReadCloser, first, delay time.Duration) {
	parcels := make(chan parcel, maxParcels)
	go func() {
		defer close(parcels)
		for begin := time.Now(); ; {
			buffer := make([]byte, 32<<10)
			n, err := from.Read(buffer)
			if n > 0 {
				due := time.Now().Add(delay)
				if earliest := begin.Add(first); due.Before(earliest) {
					due = earliest
				}
				parcels <- parcel{buffer[:n], due}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range parcels {
		time.Sleep(time.Until(p.due))
		if _, err := to.Write(p.bytes); err != nil {
			_ = from.Close() // the reader ends
			for range parcels {
				continue
			}
			break
		}
	}
	_ = to.Close()
	_ = from.Close()
}

// Close ends the listener. Connections end with their clients.
func (l *slowLine) Close() error {
	err := l.Listener.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
