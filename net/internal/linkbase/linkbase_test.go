package linkbase_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

func TestPollsDoNotNest(t *testing.T) {
	var c linkbase.Calls
	var got []link.Event
	polls := 0
	var deliver func(ev link.Event)
	poll := func(now time.Duration) {
		if !c.Begin(now, deliver) {
			return
		}
		defer c.End()
		polls++
		c.Deliver(link.Event{Kind: link.Opened, Peer: link.Peer(polls)})
	}
	deliver = func(ev link.Event) {
		got = append(got, ev)
		poll(5)
	}
	poll(3)
	if polls != 1 || len(got) != 1 || c.Now() != 3 {
		t.Errorf("%d polls, %d events, now %v; a poll from deliver does nothing", polls, len(got), c.Now())
	}
	poll(2)
	if polls != 2 || c.Now() != 3 {
		t.Errorf("%d polls, now %v; the next poll goes on, and time does not go back", polls, c.Now())
	}
	if !c.ShutDown() || c.ShutDown() {
		t.Error("a link is shut down once")
	}
	if poll(9); polls != 2 {
		t.Error("a link that is down was polled")
	}
}

func TestSendable(t *testing.T) {
	var c linkbase.Calls
	for _, tc := range []struct {
		open    bool
		n, most int
		want    error
	}{
		{true, 1, 1, nil},
		{false, 1, 1, link.ErrNoPeer},
		{true, 0, 1, link.ErrEmpty},
		{true, 2, 1, link.ErrTooLarge},
		{true, 1, link.Stream(7).MaxMessage(), link.ErrTooLarge},
	} {
		if err := c.Sendable(tc.open, tc.n, tc.most); !errors.Is(err, tc.want) {
			t.Errorf("open %v, %d bytes of %d: %v, not %v", tc.open, tc.n, tc.most, err, tc.want)
		}
	}
	c.ShutDown()
	if err := c.Sendable(true, 1, 1); !errors.Is(err, link.ErrShutdown) {
		t.Errorf("after the end: %v", err)
	}
}

func TestQueueable(t *testing.T) {
	for _, s := range []link.Stream{link.Control, link.Bulk} {
		if err := linkbase.Queueable(s, s.MaxMessage(), s.MaxMessage()); err != nil {
			t.Errorf("two of the largest messages on %v: %v", s, err)
		}
		if err := linkbase.Queueable(s, 4*s.MaxMessage(), 1); !errors.Is(err, link.ErrBacklog) {
			t.Errorf("more than four of the largest messages on %v: %v", s, err)
		}
	}
}
