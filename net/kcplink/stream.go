package kcplink

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
	"github.com/xtaci/kcp-go/v5"
)

const (
	sendWindow = 128 // the largest number of KCP segments in transit
	recvWindow = 256 // of a client, twice as many: the announced window never comes near 0
	// hostRecvWindow is that of a host, on each stream: it keeps so many segments whose turn has not come, for as long
	// as a client leaves out the one before them. What clients say is short.
	hostRecvWindow = 8

	kcpInterval   = 10 * time.Millisecond  // between two flushes of KCP
	lingerAfterIn = 100 * time.Millisecond // how long KCP is driven after its last input
)

// stream is one reliable stream of one peer: a queue of messages, the KCP conversation
// that carries their bytes, and the assembler of what arrives.
//
// For KCP it is one sequence of bytes. Each message is its length and its bytes; small
// ones share a segment, large ones take many. A segment is a whole KCP message, so KCP's
// own fragments are never used: there can be only 255, and they must fit the window.
type stream struct {
	name     link.Stream
	kcp      *kcp.KCP
	queue    []outgoing // of the first, the bytes from offset on
	offset   int
	queued   int // bytes in queue, lengths included
	in       assembler
	flight   flight // what KCP has of the queue
	progress linkbase.Progress
	awake    time.Duration // KCP is driven until then, even if there is nothing to send
	flush    time.Duration // when KCP flushes next, if it is driven then
	output   func(b []byte, n int)
	echoes   echoes
	now      time.Duration // of the call in which KCP sends
}

func newStream(name link.Stream, limit, window int, output func(b []byte, n int)) *stream {
	s := &stream{name: name, in: assembler{limit: limit}, output: output}
	s.kcp = kcp.NewKCP(convOf(name), func(b []byte, n int) {
		s.echoes.note(s.now, b[:n])
		output(b, n)
	})
	s.kcp.NoDelay(1, int(kcpInterval/time.Millisecond), 2, 1)
	s.kcp.WndSize(sendWindow, window)
	s.kcp.SetMtu(kcpMTU)
	return s
}

// outgoing is a message that waits. Its bytes are those of whoever sends it, and several peers may share them.
type outgoing struct {
	length [lengthSize]byte
	body   []byte
}

// size returns how many bytes it is, with its length.
func (m *outgoing) size() int { return lengthSize + len(m.body) }

// from returns bytes that begin at an offset: those of the length, or those of the body.
func (m *outgoing) from(offset int) []byte {
	if offset < lengthSize {
		return m.length[offset:]
	}
	return m.body[offset-lengthSize:]
}

// push queues b.
func (s *stream) push(b []byte) error {
	if err := linkbase.Queueable(s.name, s.queued, len(b)+lengthSize); err != nil {
		return err
	}
	m := outgoing{body: b}
	binary.LittleEndian.PutUint32(m.length[:], uint32(len(b)))
	s.queue = append(s.queue, m)
	s.queued += m.size()
	return nil
}

// pump gives queued bytes to KCP, as far as its window and the pacer allow. A nil pacer
// allows everything.
func (s *stream) pump(now time.Duration, pace *pacer, scratch []byte) {
	s.now = now
	for s.canPump(pace) {
		if pace != nil && !pace.take(now) {
			return
		}
		b := s.pull(scratch[:0])
		s.flight.add(len(b))
		s.kcp.Send(b)
	}
}

// pull takes the bytes of one segment from the queue.
func (s *stream) pull(b []byte) []byte {
	for len(s.queue) > 0 && len(b) < kcpMSS {
		rest := s.queue[0].from(s.offset)
		n := min(len(rest), kcpMSS-len(b))
		b = append(b, rest[:n]...)
		s.offset += n
		s.queued -= n
		if s.offset == s.queue[0].size() {
			s.queue[0] = outgoing{}
			s.queue, s.offset = s.queue[1:], 0
		}
	}
	if len(s.queue) == 0 {
		s.queue = nil
	}
	return b
}

// input takes checked segments from the other end, and acknowledges them.
func (s *stream) input(now time.Duration, b []byte) {
	s.now = now
	s.awake = now + lingerAfterIn
	s.kcp.Input(b, kcp.IKCP_PACKET_REGULAR, true)
	if s.flight.acknowledged(b, s.kcp.WaitSnd()) {
		s.progress.Acknowledged(now)
	}
}

// stuck returns why the connection has to end, if the other end acknowledges nothing.
func (s *stream) stuck(now time.Duration) (reason string, stuck bool) {
	return s.progress.Stuck(now, s.name, s.queued+s.flight.size())
}

// receive calls deliver for each complete message until deliver returns false. An error
// means that the other end violates the protocol.
func (s *stream) receive(scratch []byte, deliver func([]byte) bool) error {
	going := true
	for going {
		n := s.kcp.Recv(scratch)
		if n <= 0 {
			return nil
		}
		err := s.in.feed(scratch[:n], func(m []byte) bool {
			going = deliver(m)
			return going
		})
		if err != nil {
			return fmt.Errorf("%v: %w", s.name, err)
		}
	}
	return nil
}

// discard drops what KCP has received, so that its window stays open while the
// connection ends.
func (s *stream) discard(scratch []byte) {
	for s.kcp.Recv(scratch) > 0 {
	}
}

// drive lets KCP send, and send again. An idle conversation costs nothing.
func (s *stream) drive(now time.Duration) {
	s.now = now
	s.echoes.drive(now, s.kcp.WaitSnd() > 0, s.output)
	if s.kcp.WaitSnd() == 0 && now >= s.awake {
		return
	}
	s.kcp.Update()
	if s.flush > now {
		return
	}
	if s.flush += kcpInterval; s.flush <= now { // as KCP does
		s.flush = now + kcpInterval
	}
}

// due returns when pump or drive has something to do. It is KCP's next flush while
// something waits to be acknowledged, rounded up to KCP's clock of whole milliseconds.
func (s *stream) due(now time.Duration, pace *pacer) time.Duration {
	due := min(s.echoes.due(), s.progress.Due())
	if flush := s.flush + time.Millisecond; s.kcp.WaitSnd() > 0 || now < s.awake && flush < s.awake {
		due = flush
	}
	if s.canPump(pace) {
		if pace == nil {
			return now
		}
		due = min(due, pace.due())
	}
	return due
}

// canPump reports whether there are bytes for which KCP's window has room.
func (s *stream) canPump(pace *pacer) bool {
	window := s.flight.allowed()
	if pace != nil {
		window = min(window, pace.limit())
	}
	return s.queued > 0 && s.kcp.WaitSnd() < window
}

// drained reports whether all messages have been acknowledged.
func (s *stream) drained() bool { return s.queued == 0 && s.kcp.WaitSnd() == 0 }

// streamSet is the streams of one peer. Bulk is paced.
type streamSet struct {
	streams [link.Streams]*stream
	pace    pacer
}

// newStreamSet returns the streams of a peer that may send bulk messages of
// maxBulk bytes, and on each stream window segments ahead of their turn. KCP hands its packets to output.
func newStreamSet(maxBulk, window int, output func(b []byte, n int)) streamSet {
	limits := [link.Streams]int{link.Control: link.MaxControl, link.Bulk: maxBulk}
	t := streamSet{pace: newPacer()}
	for i := range t.streams {
		t.streams[i] = newStream(link.Stream(i), limits[i], window, output)
	}
	return t
}

func (t *streamSet) of(s link.Stream) *stream { return t.streams[s] }

// drive sends what is queued, as far as the window and the pace allow.
func (t *streamSet) drive(io *conduit) {
	for i, s := range t.streams {
		s.pump(io.Now(), t.paceOf(i), io.cutSpace())
		s.drive(io.Now())
	}
}

// due returns when drive has something to do.
func (t *streamSet) due(now time.Duration) time.Duration {
	due := link.Never
	for i, s := range t.streams {
		due = min(due, s.due(now, t.paceOf(i)))
	}
	return due
}

// paceOf returns the pacer of a stream; nil: it is not paced.
func (t *streamSet) paceOf(i int) *pacer {
	if link.Stream(i) == link.Bulk {
		return &t.pace
	}
	return nil
}

// driveUnpaced is drive without the pace.
func (t *streamSet) driveUnpaced(io *conduit) {
	for _, s := range t.streams {
		s.pump(io.Now(), nil, io.cutSpace())
		s.drive(io.Now())
	}
}

// stuck returns why the connection has to end, if the other end acknowledges nothing on a stream.
func (t *streamSet) stuck(now time.Duration) (reason string, stuck bool) {
	for _, s := range t.streams {
		if reason, stuck = s.stuck(now); stuck {
			return reason, true
		}
	}
	return "", false
}

// adapt sets the pace by the round trips measured so far.
func (t *streamSet) adapt(now time.Duration, m *rttMeter) { t.pace.adapt(now, m) }

// drained reports whether all messages have been acknowledged.
func (t *streamSet) drained() bool {
	for _, s := range t.streams {
		if !s.drained() {
			return false
		}
	}
	return true
}
