package kcplink

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	inboxSize      = 4096 // packets between two polls; more are dropped and counted
	inboxStrangers = 256  // of these, packets of handshakes: a flood of them leaves room for peers
	bufferSize     = maxPacket + 1
	inboxSpare     = 512 // buffers that are kept for the packets to come; a flood leaves no more
	maxReadErrors  = 100 // in a row; then the socket has failed
)

// packet is a packet that was read and not yet handled. One that is longer than
// maxPacket was truncated to one byte more, and is refused as malformed.
type packet struct {
	Buf  *[bufferSize]byte
	N    int
	From netip.AddrPort
}

// socket is the part of *net.UDPConn that is used.
type socket interface {
	ReadFromUDPAddrPort(b []byte) (int, netip.AddrPort, error)
	WriteToUDPAddrPort(b []byte, addr netip.AddrPort) (int, error)
	Close() error
}

// inbox holds packets between the goroutine that reads the socket and the poll.
type inbox struct {
	ready chan struct{}
	done  chan struct{} // closed when the goroutine has ended

	mu        sync.Mutex
	packets   []packet
	strangers int // of packets
	free      []*[bufferSize]byte
	dropped   uint64
	err       error // the socket has failed
}

func newInbox() *inbox {
	return &inbox{ready: make(chan struct{}, 1), done: make(chan struct{})}
}

// signalled receives after a packet was filed.
func (in *inbox) signalled() <-chan struct{} { return in.ready }

// wait returns when the reading goroutine has ended.
func (in *inbox) wait() { <-in.done }

// read fills the inbox until the socket is closed. It runs on the only goroutine of a
// Link.
func (in *inbox) read(sock socket) {
	defer close(in.done)
	buf := new([bufferSize]byte)
	failed := 0
	for {
		n, from, err := sock.ReadFromUDPAddrPort(buf[:])
		if err != nil {
			if failed++; !in.survives(err, failed) {
				return
			}
			continue
		}
		failed = 0
		buf = in.put(buf, n, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()))
		in.signal()
	}
}

// survives reports whether to go on reading after so many errors in a row. Some systems
// report the fate of a packet that was sent as an error of reading.
func (in *inbox) survives(err error, failed int) bool {
	if errors.Is(err, net.ErrClosed) {
		return false
	}
	if failed < maxReadErrors {
		time.Sleep(time.Duration(failed) * 100 * time.Microsecond)
		return true
	}
	in.mu.Lock()
	in.err = err
	in.mu.Unlock()
	in.signal()
	return false
}

// put files a packet, or drops it if there are too many, and returns a buffer for the
// next one.
func (in *inbox) put(buf *[bufferSize]byte, n int, from netip.AddrPort) *[bufferSize]byte {
	stranger := n == 0 || !kind(buf[0]).isSession()
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.packets) >= inboxSize || (stranger && in.strangers >= inboxStrangers) {
		in.dropped++
		return buf
	}
	if stranger {
		in.strangers++
	}
	in.packets = append(in.packets, packet{buf, n, from})
	last := len(in.free) - 1
	if last < 0 {
		return new([bufferSize]byte)
	}
	next := in.free[last]
	in.free = in.free[:last]
	return next
}

func (in *inbox) signal() {
	select {
	case in.ready <- struct{}{}:
	default:
	}
}

// swap takes all packets and gives back those of the time before, whose buffers
// are used again.
func (in *inbox) swap(old []packet) (packets []packet, dropped uint64, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for i := range old {
		if len(in.free) < inboxSpare {
			in.free = append(in.free, old[i].Buf)
		}
		old[i].Buf = nil
	}
	packets, in.packets = in.packets, old[:0]
	in.strangers = 0
	return packets, in.dropped, in.err
}
