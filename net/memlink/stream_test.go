package memlink

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// sentMessage is what a test remembers of a message: its size tells its content.
type sentMessage struct {
	number, size int
}

// content makes the bytes of a message from its number.
func (m sentMessage) content() []byte {
	return bytes.Repeat([]byte{byte(m.number), byte(m.number >> 8), 0xA5}, m.size/3+1)[:m.size]
}

// Whatever the lines do, short of a cut: all that is sent reliably by either end
// arrives exactly once, whole, and in order within its stream; datagrams arrive
// at most once.
func TestReliableProperty(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		n := New(rapid.Uint64().Draw(t, "seed"))
		n.Check(true)
		client := n.Dial(drawProfile(t), drawProfile(t))
		ends := [2]*End{n.Host(), client}
		var open [2]bool
		var queue [2][link.Streams][]sentMessage // sent by the other end, not yet here
		datagrams := map[string]int{}
		now := time.Duration(0)
		step := func() {
			now += time.Duration(rapid.IntRange(1, 40).Draw(t, "gap")) * ms
			for at, e := range ends {
				e.Poll(now, func(ev link.Event) {
					switch ev.Kind {
					case link.Opened:
						open[at] = true
					case link.Closed:
						t.Fatalf("closed: %s", ev.Reason)
					case link.Datagram:
						if datagrams[string(ev.Data)]++; datagrams[string(ev.Data)] > 1 {
							t.Fatalf("datagram %q came twice", ev.Data)
						}
					case link.Message:
						q := queue[at][ev.Stream]
						if len(q) == 0 || !bytes.Equal(ev.Data, q[0].content()) {
							t.Fatalf("end %d got %d bytes on %v, waiting for %v", at, len(ev.Data), ev.Stream, q)
						}
						queue[at][ev.Stream] = q[1:]
					}
				})
			}
		}
		for i := 0; !(open[0] && open[1]); i++ {
			if i > 1000 {
				t.Fatal("not opened after 1,000 polls")
			}
			step()
		}
		for number := range rapid.IntRange(1, 40).Draw(t, "messages") {
			from := rapid.IntRange(0, 1).Draw(t, "from")
			s := link.Stream(rapid.IntRange(0, 1).Draw(t, "stream"))
			m := sentMessage{number, rapid.OneOf(rapid.IntRange(1, 20), rapid.IntRange(1099, 1101), rapid.IntRange(1, 20_000)).Draw(t, "size")}
			must2(t, ends[from].SendMessage(now, 1, s, m.content()))
			queue[1-from][s] = append(queue[1-from][s], m)
			must2(t, ends[from].SendDatagram(now, 1, fmt.Appendf(nil, "%d %d", from, number)))
			step()
		}
		for i := 0; fmt.Sprint(queue) != fmt.Sprint([2][link.Streams][]sentMessage{}); i++ {
			if i > 20_000 {
				t.Fatalf("after %v still waiting for %v", now, queue)
			}
			step()
		}
	})
}

func must2(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// Duplicates are found within the span, and numbers older than it count as such.
func TestDedupe(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var d dedupe
		seen, newest := map[uint64]bool{}, uint64(0)
		for range rapid.IntRange(1, 300).Draw(t, "numbers") {
			step := rapid.OneOf(rapid.Int64Range(-20, 20), rapid.Int64Range(-1100, 1100), rapid.Int64Range(0, 5000)).Draw(t, "step")
			number := uint64(max(int64(newest)+step, 1))
			want := !seen[number] && number+dedupeSpan > newest
			if got := d.first(number); got != want {
				t.Fatalf("number %d after %d: first %v, want %v", number, newest, got, want)
			}
			seen[number], newest = true, max(newest, number)
		}
	})
}

func TestAckRoundTrip(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		a := ack{Stream: link.Bulk, Next: rapid.Uint32().Draw(t, "next"), Clock: time.Duration(rapid.Int64Range(0, 1<<60).Draw(t, "clock"))}
		for i := range a.Received {
			a.Received[i] = rapid.Bool().Draw(t, "here")
		}
		if got := parseAck(appendAck(nil, &a)); got != a {
			t.Fatalf("got %+v, want %+v", got, a)
		}
	})
}

// A receiver stops where the caller closes, keeps nothing beyond its window, and
// takes a repeated segment once.
func TestReceiver(t *testing.T) {
	var r receiver
	var got []string
	going := true
	take := func(seq uint32, data string) {
		r.take(segmentHeader{Seq: seq, Last: true}, []byte(data), func(m []byte) bool {
			got = append(got, string(m))
			return going
		})
	}
	take(2, "two")
	take(1, "one")
	take(2, "again")
	take(windowSize, "too far")
	take(windowSize-1, "far")
	take(0, "zero")
	take(1, "late")
	if want := "[zero one two]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	a, _ := r.acknowledgement(link.Bulk)
	for i, here := range a.Received {
		if here != (a.Next+1+uint32(i) == windowSize-1) {
			t.Errorf("segment %d acknowledged: %v", int(a.Next)+1+i, here)
		}
	}
	got, going = nil, false
	take(5, "five")
	take(4, "four")
	take(3, "three")
	if want := "[three]"; fmt.Sprint(got) != want || r.next != 4 {
		t.Errorf("after the close got %v up to %d, want %v up to 4", got, r.next, want)
	}

	r, going, got = receiver{}, false, nil
	r.take(segmentHeader{Seq: 2, Last: true}, []byte("next"), nil)
	r.take(segmentHeader{Seq: 1, Last: true}, []byte("b"), nil)
	r.take(segmentHeader{Seq: 0}, []byte("a"), func(m []byte) bool {
		got = append(got, string(m))
		return going
	})
	if want := "[ab]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
