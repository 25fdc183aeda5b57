package kcplink

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/netip"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

const (
	askAgain  = 200 * time.Millisecond // between two attempts
	cookieTry = 5                      // CONNECTs with one cookie, then the client asks for another
)

type dialState uint8

const (
	dialHello   dialState = iota // asking for a cookie
	dialConnect                  // showing it
	dialDone                     // answered, given up, or closed
)

// dialer is the part that only a client's Link has: its side of the handshake.
type dialer struct {
	addr    netip.AddrPort // of the host
	nonce   uint64
	cookie  cookie
	state   dialState
	started bool
	startAt time.Duration
	nextAt  time.Duration // of the next attempt
	tries   int           // with this cookie
}

func newDialer(addr netip.AddrPort) *dialer {
	var b [8]byte
	rand.Read(b[:]) // its documentation says that it never fails
	return &dialer{addr: addr, nonce: binary.LittleEndian.Uint64(b[:])}
}

// remote returns the address of the host.
func (d *dialer) remote() netip.AddrPort { return d.addr }

// drive asks again when it is time to, and gives up after Options.DialTimeout.
func (d *dialer) drive(io *conduit) {
	if d.state == dialDone {
		return
	}
	if !d.started {
		d.started, d.startAt, d.nextAt = true, io.Now(), io.Now()
	}
	if io.Now()-d.startAt > io.opts().DialTimeout {
		d.fail(io, fmt.Sprintf("no answer from %v in %v", d.addr, io.opts().DialTimeout))
		return
	}
	if io.Now() < d.nextAt {
		return
	}
	d.nextAt = io.Now() + askAgain
	if d.state == dialConnect && d.tries >= cookieTry {
		d.state = dialHello
	}
	if d.state == dialHello {
		io.send(d.addr, appendHello(io.begin(), hello{linkVersion, io.opts().Protocol, d.nonce}))
		return
	}
	d.tries++
	io.send(d.addr, appendCookie(io.begin(), kindConnect, d.nonce, d.cookie))
}

// due returns when drive has something to do.
func (d *dialer) due(now, timeout time.Duration) time.Duration {
	switch {
	case d.state == dialDone:
		return link.Never
	case !d.started:
		return now
	}
	return min(d.nextAt, justAfter(d.startAt+timeout))
}

// fail ends the handshake, unless it is over, and tells the caller why.
func (d *dialer) fail(io *conduit, reason string) {
	if d.state == dialDone {
		return
	}
	d.state = dialDone
	io.opts().Logger.Info("dial failed", "addr", d.addr, "reason", reason)
	io.Deliver(link.Event{Kind: link.Closed, Peer: link.HostPeer, Reason: reason})
}

// stop ends the handshake without an event.
func (d *dialer) stop() { d.state = dialDone }

// expects reports whether an answer of the host is to the last question, and
// counts it if not. Only one who saw the question knows its nonce.
func (d *dialer) expects(io *conduit, nonce uint64, waiting bool) bool {
	switch {
	case nonce != d.nonce:
		io.stats().Dropped.UnknownConn++
	case !waiting:
		io.stats().Dropped.Duplicates++
	default:
		return true
	}
	return false
}

func (d *dialer) onCookie(io *conduit, b []byte) error {
	nonce, c, err := parseCookie(b, kindCookie)
	if err == nil && d.expects(io, nonce, d.state == dialHello) {
		d.state, d.cookie, d.tries, d.nextAt = dialConnect, c, 0, io.Now()
	}
	return err
}

func (d *dialer) onAccept(io *conduit, peers *roster, b []byte) error {
	nonce, id, err := parseAccept(b)
	if err == nil && d.expects(io, nonce, d.state != dialDone) {
		d.state = dialDone
		peers.add(io, id, d.addr).open(io)
	}
	return err
}

func (d *dialer) onRefuse(io *conduit, b []byte) error {
	nonce, reason, err := parseRefuse(b)
	if err == nil && d.expects(io, nonce, d.state != dialDone) {
		d.fail(io, fmt.Sprintf("refused by %v: %s", d.addr, reason))
	}
	return err
}
