package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/world"
)

// unanswered is a link to a host that does not answer.
type unanswered struct{ link.Link }

func (unanswered) Poll(_ time.Duration, deliver func(link.Event)) {
	deliver(link.Event{Kind: link.Closed, Peer: link.HostPeer, Reason: "no answer in 5s"})
}

// TestLogSaysThatTheClientGoesOn: after each attempt in vain to come back the log says whether the client goes on trying.
func TestLogSaysThatTheClientGoesOn(t *testing.T) {
	var out strings.Builder
	log := slog.New(slog.NewTextHandler(&out, nil))
	p := newPlayer(nil, line{}, entrance{}, waits{longest: time.Hour, asked: true})
	p.config.Log = log
	attempt := func() bool {
		out.Reset()
		cfg := client.Config{Log: log, Link: unanswered{memlink.New(1).Dial(memlink.Profile{}, memlink.Profile{})},
			Compile: func([]world.Source, world.Setup) (world.Script, error) { return nil, nil }}
		p.client = client.New(cfg)
		p.client.Poll(0)
		if !strings.Contains(out.String(), `msg="did not get into the room" reason="connection closed: no answer in 5s"`) {
			t.Fatalf("the client says\n%s", &out)
		}
		return p.mayReturn(log)
	}
	p.absence.begin(time.Now(), client.ErrClosed, nil)
	if again := attempt(); !again || strings.Count(out.String(), `msg="trying again to come back" "for another"=`) != 1 {
		t.Errorf("goes on: %v, and says\n%s", again, &out)
	}
	p.absence.longest = time.Nanosecond
	if again := attempt(); again || strings.Contains(out.String(), "trying again") {
		t.Errorf("in vain, it goes on: %v, and says\n%s", again, &out)
	}
}
