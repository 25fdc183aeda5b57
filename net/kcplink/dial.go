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
	clientPeer link.Peer = 1 // the host, as its client names it

	askAgain  = 200 * time.Millisecond // between two tries
	cookieTry = 5                      // CONNECTs with one cookie, then a new cookie is asked for
)

type dialState uint8

const (
	dialHello   dialState = iota // asking for a cookie
	dialConnect                  // showing it
	dialDone                     // answered, given up, or closed
)

// dialer is what only a client's Link has: the handshake.
type dialer struct {
	remote  netip.AddrPort
	nonce   uint64
	cookie  cookie
	state   dialState
	started bool
	startAt time.Duration
	nextAt  time.Duration // of the next try
	tries   int           // with this cookie
}

func newDialer(remote netip.AddrPort) *dialer {
	var b [8]byte
	rand.Read(b[:]) // never fails, says its documentation
	return &dialer{remote: remote, nonce: binary.LittleEndian.Uint64(b[:])}
}

// driveDial asks again when it is time, and gives up when it is late.
func (l *Link) driveDial() {
	d := l.dial
	if d.state == dialDone {
		return
	}
	if !d.started {
		d.started, d.startAt, d.nextAt = true, l.now, l.now
	}
	if l.now-d.startAt > l.opts.DialTimeout {
		l.failDial(fmt.Sprintf("no answer from %v in %v", d.remote, l.opts.DialTimeout))
		return
	}
	if l.now < d.nextAt {
		return
	}
	d.nextAt = l.now + askAgain
	if d.state == dialConnect && d.tries >= cookieTry {
		d.state = dialHello
	}
	if d.state == dialHello {
		l.transmit(d.remote, appendHello(l.out[:0], hello{linkVersion, l.opts.Protocol, d.nonce}))
		return
	}
	d.tries++
	l.transmit(d.remote, appendCookie(l.out[:0], kindConnect, d.nonce, d.cookie))
}

func (l *Link) failDial(reason string) {
	l.dial.state = dialDone
	l.opts.Logger.Info("dial failed", "addr", l.dial.remote, "reason", reason)
	l.deliver(link.Event{Kind: link.Closed, Peer: clientPeer, Reason: reason})
}

// awaited says whether an answer of the host is to the question we asked last,
// and counts it if not. The nonce keeps out who did not see the question.
func (l *Link) awaited(nonce uint64, waiting bool) bool {
	switch {
	case nonce != l.dial.nonce:
		l.stats.UnknownConn++
	case !waiting:
		l.stats.Duplicates++
	default:
		return true
	}
	return false
}

func (l *Link) onCookie(b []byte) error {
	nonce, c, err := parseCookie(b, kindCookie)
	if err != nil {
		return err
	}
	d := l.dial
	if !l.awaited(nonce, d.state == dialHello) {
		return nil
	}
	d.state, d.cookie, d.tries, d.nextAt = dialConnect, c, 0, l.now
	return nil
}

func (l *Link) onAccept(b []byte) error {
	nonce, id, err := parseAccept(b)
	if err != nil {
		return err
	}
	if !l.awaited(nonce, l.dial.state != dialDone) {
		return nil
	}
	l.dial.state = dialDone
	l.openPeer(l.addPeer(id, l.dial.remote))
	return nil
}

func (l *Link) onRefuse(b []byte) error {
	nonce, reason, err := parseRefuse(b)
	if err != nil {
		return err
	}
	if !l.awaited(nonce, l.dial.state != dialDone) {
		return nil
	}
	l.failDial(fmt.Sprintf("refused by %v: %s", l.dial.remote, reason))
	return nil
}
