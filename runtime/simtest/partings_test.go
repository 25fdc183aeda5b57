package simtest_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// TestJoinedIsLogged: a client that joins a room which begins logs what is there, and not the nothing before the first tick.
func TestJoinedIsLogged(t *testing.T) {
	t.Parallel()
	logs, kinds := make([]lines, 3), []client.Kind{client.Predictor, client.Spectator, client.InputOnly}
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 3, Profile: memlink.Average(), Compile: stub.Compile, Bundle: stub.Game(),
		Client: func(i int, c *client.Config) { c.Kind, c.Log = kinds[i], logs[i].logger() }})
	s.Run(3 * time.Second)
	for i, want := range []string{`msg=joined player=\d tick=[1-9]\d* objects=[1-9]\d*`, `msg=joined player=\d tick=[1-9]\d* objects=[1-9]\d*`, `msg=joined player=\d\n`} {
		if log := logs[i].String(); len(regexp.MustCompile(want).FindAllString(log, -1)) != 1 || strings.Count(log, "msg=joined") != 1 {
			t.Errorf("the log of a %v lacks %s:\n%s", kinds[i], want, log)
		}
	}
}

// TestPartingsAreLogged: the log of a client tells leaving from a host that restarts and from not getting in at all, and the
// log of the host has spectators who leave.
func TestPartingsAreLogged(t *testing.T) {
	t.Parallel()
	var hosts lines
	logs := make([]lines, 3)
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.LAN(), Compile: stub.Compile, Bundle: stub.Game(),
		Host: func(c *host.Config) { c.Log = hosts.logger() },
		Client: func(i int, c *client.Config) {
			c.Log = logs[i].logger()
			if i == 1 {
				c.Kind, c.Onlooker = client.Spectator, true
			}
		}})
	s.Run(2 * time.Second)
	if !s.Clients[0].Playing() || !s.Clients[1].Playing() {
		t.Fatal("the clients are not in the room")
	}
	s.Leave(1)
	s.Run(time.Second)
	s.Join()
	s.Leave(2)
	s.Host.End(s.Now, &room.RestartError{Reason: "tick_rate has changed"}, false)
	s.SleepHost(5 * time.Second) // it has no more ticks
	for range 100 {
		s.Host.Poll(s.Now)
		s.Run(10 * time.Millisecond)
	}
	for i, want := range []string{`msg="the room has ended for now" reason="connection closed: the room has ended and may be back: tick_rate has changed"`,
		`msg="left the room" reason=left`, `msg="did not get into the room" reason="the client was stopped before"`} {
		if logs[i].count(want) != 1 {
			t.Errorf("the log of client %d lacks %s:\n%s", i, want, logs[i].String())
		}
		if n := logs[i].count("left the room"); i != 1 && n > 0 {
			t.Errorf("client %d has left, by its log:\n%s", i, logs[i].String())
		}
	}
	if hosts.count(`msg="looks on no more" player=2`) != 1 {
		t.Errorf("the log of the host does not say that the spectator has left:\n%s", hosts.String())
	}
}
