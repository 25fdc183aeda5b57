package replicate_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// cueLine is a line between a CueSender and a CueReceiver, with what the client has.
type cueLine struct {
	sender    replicate.CueSender
	receiver  replicate.CueReceiver
	now       time.Duration
	datagrams [][]byte // on their way
	acks      []wire.Ack
	host      map[world.CueKey]world.Cue // the cues that were sent and not cancelled
	client    map[world.CueKey]world.Cue
	next      int
	numbered  []world.CueKey // by number, in the newest version
}

func newCueLine() *cueLine {
	return &cueLine{host: map[world.CueKey]world.Cue{}, client: map[world.CueKey]world.Cue{}}
}

// cue draws a cue that has its key in common with none before.
func (l *cueLine) cue(t *rapid.T) world.Cue {
	l.next++
	c := world.Cue{CueKey: world.CueKey{Tick: world.Tick(l.next/4 + 1), Object: world.ObjectID(rapid.IntRange(1, 3).Draw(t, "object")),
		Name: rapid.SampledFrom([]string{"hit", "flash"}).Draw(t, "name"), Count: l.next % 4}, Lasts: world.Tick(rapid.IntRange(0, 1).Draw(t, "lasts"))}
	c.Fields = l.fields(t)
	return c
}

func (l *cueLine) fields(t *rapid.T) []world.CueField {
	return []world.CueField{{Name: "power", Kind: world.Number, Number: float64(rapid.IntRange(0, 9).Draw(t, "power"))}}[:rapid.IntRange(0, 1).Draw(t, "fields")]
}

// some draws the number of a cue that the host has sent and still knows: one of the newest 2048.
func (l *cueLine) some(t *rapid.T) (n int, ok bool) {
	if len(l.numbered) == 0 {
		return 0, false
	}
	n = rapid.IntRange(max(len(l.numbered)-2048, 0), len(l.numbered)-1).Draw(t, "which")
	_, ok = l.host[l.numbered[n]]
	return n, ok
}

// send lets the host send what is due.
func (l *cueLine) send() {
	for {
		b := l.sender.Datagram(l.now, 300)
		if b == nil {
			return
		}
		l.datagrams = append(l.datagrams, slices.Clone(b))
	}
}

// arrive hands datagram i to the client.
func (l *cueLine) arrive(t *rapid.T, i int) {
	changes, err := l.receiver.Read(l.datagrams[i])
	if err != nil && !errors.Is(err, replicate.ErrDuplicate) && !errors.Is(err, replicate.ErrStale) {
		t.Fatalf("an honest datagram: %v", err)
	}
	for _, c := range changes {
		if err != nil {
			break
		}
		if c.Was != nil {
			if _, ok := l.client[c.Was.CueKey]; !ok {
				t.Fatalf("%v was changed and had not fired", c.Was.CueKey)
			}
			delete(l.client, c.Was.CueKey)
		}
		if c.Cue == nil {
			continue
		}
		if _, twice := l.client[c.Cue.CueKey]; twice {
			t.Fatalf("%v fired twice", c.Cue.CueKey)
		}
		l.client[c.Cue.CueKey] = *c.Cue
	}
	if a := l.receiver.Ack(); a.Newest != 0 {
		l.acks = append(l.acks, a)
	}
}

// TestCuesArriveOnBadLines tests on lines that lose, repeat and reorder datagrams that a client gets
// every change of every cue, once.
func TestCuesArriveOnBadLines(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		l := newCueLine()
		burst := rapid.SampledFrom([]int{1, 3, 40, 800}).Draw(t, "burst")
		t.Repeat(map[string]func(*rapid.T){
			"fire": func(t *rapid.T) {
				for range rapid.IntRange(1, burst).Draw(t, "how many") {
					c := l.cue(t)
					l.sender.Fire(l.now, c, rapid.Bool().Draw(t, "later"), false)
					l.host[c.CueKey] = c
					l.numbered = append(l.numbered, c.CueKey)
				}
			},
			"move": func(t *rapid.T) {
				if n, ok := l.some(t); ok {
					c := l.cue(t)
					if !l.sender.Move(l.now, l.numbered[n], c) {
						t.Fatalf("%v is not known", l.numbered[n])
					}
					delete(l.host, l.numbered[n])
					l.host[c.CueKey], l.numbered[n] = c, c.CueKey
				}
			},
			"cancel": func(t *rapid.T) {
				if n, ok := l.some(t); ok {
					l.sender.Cancel(l.now, l.numbered[n])
					delete(l.host, l.numbered[n])
				}
			},
			"send": func(t *rapid.T) {
				l.now += time.Duration(rapid.IntRange(1, 60).Draw(t, "ms")) * time.Millisecond
				l.send()
			},
			"arrive": func(t *rapid.T) {
				if len(l.datagrams) > 0 {
					i := rapid.IntRange(0, len(l.datagrams)-1).Draw(t, "datagram")
					l.arrive(t, i)
					if !rapid.Bool().Draw(t, "comes again") {
						l.datagrams = slices.Delete(l.datagrams, i, i+1)
					}
				}
			},
			"lose": func(t *rapid.T) {
				if len(l.datagrams) > 0 {
					i := rapid.IntRange(0, len(l.datagrams)-1).Draw(t, "datagram")
					l.datagrams = slices.Delete(l.datagrams, i, i+1)
				}
			},
			"acknowledge": func(t *rapid.T) {
				if len(l.acks) > 0 {
					i := rapid.IntRange(0, len(l.acks)-1).Draw(t, "ack")
					l.sender.Acknowledge(l.acks[i])
					l.acks = slices.Delete(l.acks, 0, i+1)
				}
			},
			"": func(*rapid.T) {},
		})
		// From now on the line is good.
		for range 60 {
			l.now += 50 * time.Millisecond
			l.send()
			for i := range l.datagrams {
				l.arrive(t, i)
			}
			l.datagrams = nil
			for _, a := range l.acks {
				l.sender.Acknowledge(a)
			}
			l.acks = nil
		}
		missing := 0
		for key, want := range l.host {
			if got, ok := l.client[key]; !ok {
				missing++
			} else if !got.Same(&want) {
				t.Fatalf("%v: the client has %v, want %v", key, got, want)
			}
		}
		for key := range l.client {
			if _, ok := l.host[key]; !ok {
				missing++
			}
		}
		if lost := l.sender.Counts().Lost; missing > 2*lost { // the former version of a lost one may be there
			t.Fatalf("%d cues differ, and %d are counted as lost", missing, lost)
		}
	})
}

// TestCuesAreOvertaken tests that a datagram which newer ones overtake by more cues than a client
// keeps is stale. It is not malformed: that would end the client.
func TestCuesAreOvertaken(t *testing.T) {
	var sender replicate.CueSender
	var receiver replicate.CueReceiver
	fire := func(from, n int) (datagrams [][]byte) {
		for i := range n {
			sender.Fire(0, world.Cue{CueKey: world.CueKey{Tick: world.Tick(from + i), Object: 7, Name: "hit"}}, true, false)
		}
		for {
			b := sender.Datagram(0, 1000)
			if b == nil {
				return datagrams
			}
			datagrams = append(datagrams, slices.Clone(b))
		}
	}
	read := func(datagrams [][]byte) {
		for _, b := range datagrams {
			if _, err := receiver.Read(b); err != nil {
				t.Fatal(err)
			}
			sender.Acknowledge(receiver.Ack())
		}
	}
	read(fire(1, 20))
	held := fire(21, 1)
	read(fire(22, 2048))
	if _, err := receiver.Read(held[0]); !errors.Is(err, replicate.ErrStale) {
		t.Errorf("%v, want %v", err, replicate.ErrStale)
	}
}

// TestCuesAreConfirmed tests that a sender knows up to which tick its client has all cues that it may have guessed, also
// if datagrams are lost, and that it does not confirm what it has sent as unknown to the client.
func TestCuesAreConfirmed(t *testing.T) {
	const repeat, giveUp = 200 * time.Millisecond, 5 * time.Second
	var sender replicate.CueSender
	var receiver replicate.CueReceiver
	cue := func(tick world.Tick) world.Cue {
		return world.Cue{CueKey: world.CueKey{Tick: tick, Object: 5, Name: "shot"}}
	}
	var got []world.Tick
	deliver := func(now time.Duration) {
		t.Helper()
		changes, err := receiver.Read(sender.Datagram(now, 1000))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			if c.Own {
				got = append(got, c.Cue.Tick)
			}
		}
	}
	settled := func(want world.Tick) {
		t.Helper()
		if to := sender.ConfirmedTo(60); to != want {
			t.Errorf("confirmed up to tick %d, want %d", to, want)
		}
	}
	settled(60)
	sender.Confirm(0, cue(30))
	sender.Confirm(0, cue(40))
	settled(29)
	sender.Datagram(0, 1000) // lost
	if b := sender.Datagram(repeat/2, 1000); b != nil {
		t.Error("a cue that has time was sent at once again")
	}
	sender.Confirm(repeat/2, cue(50))
	deliver(repeat / 2)
	sender.Acknowledge(receiver.Ack())
	settled(29)
	deliver(repeat)
	settled(29)
	sender.Acknowledge(receiver.Ack())
	settled(60)
	sender.Fire(repeat, cue(55), false, false)
	sender.Confirm(repeat, cue(55))
	deliver(repeat)
	sender.Acknowledge(receiver.Ack())
	settled(60)
	if !slices.Equal(got, []world.Tick{50, 30, 40}) {
		t.Errorf("cues of ticks %v", got)
	}
	if n := sender.Counts(); n != (replicate.CueCounts{Sent: 1}) {
		t.Errorf("%+v", n)
	}
	sender.Confirm(repeat, cue(58))
	sender.Datagram(repeat+giveUp, 1000) // lost
	settled(57)
	deliver(2 * giveUp)
	sender.Acknowledge(receiver.Ack())
	settled(60)
}
