package host_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// hasty is a link that was due long ago, now and then, as one with something new to send on a stream that was idle.
type hasty struct {
	link.Link
	asked int
}

func (l *hasty) Due(now time.Duration) time.Duration {
	if l.asked++; l.asked%50 == 0 {
		return now / 4
	}
	return l.Link.Due(now)
}

// TestALinkThatWasDueLongAgoIsNoStop: the process of the host did not stand still because the link or a tick is overdue.
func TestALinkThatWasDueLongAgoIsNoStop(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(9, 2, memlink.LAN())
	log := newTally()
	o.Log = log
	var line *hasty
	o.Host = func(c *host.Config) {
		line = &hasty{Link: c.Link}
		c.Link = line
	}
	sim := simtest.New(t, o)
	sim.Run(8 * time.Second)
	if line.asked < 500 || sim.Host.Players() != 2 {
		t.Errorf("the link was asked %d times, %d players", line.asked, sim.Host.Players())
	}
	if n := log.lines["the process did not run for a while: it was stopped, or the machine is busy of nobody"]; n > 0 {
		t.Errorf("the log says %d times that the process did not run: %v", n, log.lines)
	}
}

// TestAStopOfAnEmptyRoomIsNoFault: the process of a host that rests, because nobody is there, stands still. The room can
// keep up.
func TestAStopOfAnEmptyRoomIsNoFault(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(9, 0, memlink.LAN())
	log := newTally()
	o.Log = log
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	before, now := sim.Host.Now(), sim.Now
	sim.Host.Due(now)
	now += 4 * time.Second
	sim.Host.Wake(now)
	sim.Host.Poll(now)
	if err := sim.Host.Update(now); err != nil || sim.Host.Now() <= before {
		t.Errorf("tick %d, and %d before: it does not go on: %v", sim.Host.Now(), before, err)
	}
	if len(log.lines) > 0 {
		t.Errorf("the log has %v", log.lines)
	}
}
