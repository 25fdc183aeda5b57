package roomtest

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
)

// Crowded is the link of one end of a network in memory. In its polls it drives the other
// ends, on the goroutine of its own Driver, so that one Driver serves the whole network.
type Crowded struct {
	*memlink.End
	Others []Other
	Polls  int
}

// Other is a Host or a Client that a crowded link drives.
type Other interface {
	Poll(now time.Duration)
	Due(now time.Duration) time.Duration
}

// NewHost makes a host of the stub's game on a network of its own; cfg may change its config.
func NewHost(t *testing.T, cfg func(*host.Config)) (*host.Host, *Crowded, *memlink.Network) {
	t.Helper()
	network := memlink.New(1)
	l := &Crowded{End: network.Host()}
	c := host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: l}
	if cfg != nil {
		cfg(&c)
	}
	host, err := host.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return host, l, network
}

// Poll drives the others that are due, then polls the link.
func (l *Crowded) Poll(now time.Duration, deliver func(link.Event)) {
	l.Polls++
	for _, o := range l.Others {
		if o.Due(now) > now {
			continue
		}
		o.Poll(now)
		switch o := o.(type) {
		case *host.Host:
			_ = o.Update(now) // no check mode: it cannot fail
		case *client.Client:
			o.Update(now)
		}
	}
	l.End.Poll(now, deliver)
}

// Due returns when the link or one of the others is due.
func (l *Crowded) Due(now time.Duration) time.Duration {
	due := l.End.Due(now)
	for _, o := range l.Others {
		due = min(due, o.Due(now))
	}
	return due
}

// Bubble runs a test on virtual time.
func Bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
