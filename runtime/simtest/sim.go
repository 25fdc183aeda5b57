package simtest

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TB has the methods of testing.TB that a Sim needs, for tests that are not Go tests as
// well. Helper, Cleanup, Failed, Logf, Errorf and Error do the same as there; Fatal and
// Fatalf do not return.
type TB interface {
	Helper()
	Cleanup(f func())
	Failed() bool
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Error(args ...any)
	Fatal(args ...any)
}

// Options configure a match. Zero values are usable except for Bundle and Compile.
type Options struct {
	Seed     uint64            // of the random behaviour of the lines
	Clients  int               // the number of clients
	Profile  memlink.Profile   // of every client's line, each way
	Profiles []memlink.Profile // by client; overrides Profile
	Bundle   *bundle.Bundle
	Compile  world.Compile
	Controls func(client int) client.Controls // nil: no key is pressed
	// Host and Client change the configurations before they are used; may be nil.
	Host   func(*host.Config)
	Client func(client int, cfg *client.Config) // see Host
	Log    slog.Handler                         // of the host; nil: no log
	// Around calls run, which polls and updates a client; nil: nothing is done around it.
	Around func(client int, run func())
}

// PollEvery is the time between two polls of host and clients.
const PollEvery = 4 * time.Millisecond

// verifyEvery is client.Config.VerifyEvery of all clients. The tests of this package change it.
var verifyEvery = 0

// Sim is a match in virtual time.
type Sim struct {
	Host     *host.Host
	Clients  []*client.Client
	Net      *memlink.Network
	Now      time.Duration // the virtual time since the start
	tb       TB
	opts     Options
	nextTick time.Duration
	asleep   map[int]time.Duration   // by client (or theHost): until when it sleeps; only looked up
	stood    map[int]time.Duration   // by client: for how long its clock has stood still; only looked up
	hashes   []map[world.Tick]uint64 // the host's, then each client's; only looked up
	hostErr  error
	record   bytes.Buffer // the match's replay
	recorder *replay.Recorder
	tally    tally // counts of hosts and clients that no longer exist
}

// New prepares a match; Run plays it.
func New(tb TB, o Options) *Sim {
	tb.Helper()
	s := &Sim{
		tb:     tb,
		opts:   o,
		Net:    memlink.New(o.Seed),
		hashes: []map[world.Tick]uint64{{}},
		asleep: map[int]time.Duration{},
		stood:  map[int]time.Duration{},
	}
	s.Net.Check(true)
	s.recorder = replay.NewRecorder(&s.record, nil)
	seed := o.Seed
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("simtest: seed %d", seed)
		}
		// package testing keeps this function until the test that started this one ends, and with it the match
		*s = Sim{}
	})
	random := chance(o.Seed)
	cfg := host.Config{
		Bundle:    o.Bundle,
		Compile:   o.Compile,
		Link:      s.Net.Host(),
		Random:    &random,
		Verify:    true,
		Recorder:  s.recorder,
		Confirmed: func(t world.Tick, h uint64) { s.hashes[0][t] = h },
	}
	if o.Log != nil {
		cfg.Log = slog.New(o.Log)
	}
	if o.Host != nil {
		o.Host(&cfg)
	}
	tb.Cleanup(func() { endTally(s) }) // after the next, which adds to it
	tb.Cleanup(func() { s.verifyReplay(&cfg) })
	host, err := host.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	s.Host = host
	for range o.Clients {
		s.Join()
	}
	return s
}

// endTally adds the present host and clients to the tally, and publishes it.
func endTally(s *Sim) {
	to, ok := s.tb.(attributes)
	if !ok || s.Host == nil {
		return
	}
	r := s.Host.Report(s.Now)
	s.tally.add(&r)
	for i := range s.Clients {
		r := s.Report(i)
		s.tally.add(&r)
	}
	for _, confirmed := range s.hashes {
		s.tally.confirmed(len(confirmed))
	}
	s.tally.publish(to)
}

// chance is the host's source of tickets: different bytes each time.
type chance uint64

func (c *chance) Read(b []byte) (int, error) {
	for i := range b {
		*c = *c*6364136223846793005 + 1442695040888963407
		b[i] = byte(*c >> 56)
	}
	return len(b), nil
}

// Join adds a client, now.
func (s *Sim) Join() *client.Client {
	s.Clients, s.hashes = append(s.Clients, nil), append(s.hashes, map[world.Tick]uint64{})
	return s.connect(len(s.Clients)-1, room.Ticket{})
}

// Return replaces client i, as another run of its program does, with a new line and the
// ticket of the previous client, which is no longer polled.
func (s *Sim) Return(i int) *client.Client {
	r := s.Report(i)
	s.tally.add(&r)
	return s.connect(i, s.Clients[i].Ticket())
}

// connect makes client i, with a new line.
func (s *Sim) connect(i int, ticket room.Ticket) *client.Client {
	profile := s.opts.Profile
	if i < len(s.opts.Profiles) {
		profile = s.opts.Profiles[i]
	}
	hashes := s.hashes[i+1]
	// Every client counts time from a different moment, as real ones do.
	l := skewed{s.Net.Dial(profile, profile), func() time.Duration { return s.Time(i) - s.Now }}
	cfg := client.Config{
		Link:      l,
		Compile:   s.opts.Compile,
		Name:      fmt.Sprintf("client %d", i),
		Ticket:    ticket,
		Verify:    true,
		Confirmed: func(t world.Tick, h uint64) { hashes[t] = h },

		VerifyEvery: verifyEvery,
	}
	if s.opts.Controls != nil {
		cfg.Controls = s.opts.Controls(i)
	}
	if s.opts.Client != nil {
		s.opts.Client(i, &cfg)
	}
	c := client.New(cfg)
	s.Clients[i] = c
	return c
}

// skewed is a link for a client whose clock differs from the network's.
type skewed struct {
	link.Link
	ahead func() time.Duration
}

func (l skewed) Poll(now time.Duration, f func(link.Event)) { l.Link.Poll(now-l.ahead(), f) }
func (l skewed) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	return l.Link.SendDatagram(now-l.ahead(), p, b)
}
func (l skewed) SendMessage(now time.Duration, p link.Peer, st link.Stream, b []byte) error {
	return l.Link.SendMessage(now-l.ahead(), p, st, b)
}
func (l skewed) Due(now time.Duration) time.Duration {
	due := l.Link.Due(now - l.ahead())
	if due == link.Never {
		return due
	}
	return due + l.ahead()
}
func (l skewed) Close(now time.Duration, p link.Peer, reason string) {
	l.Link.Close(now-l.ahead(), p, reason)
}

// Run plays for a while.
func (s *Sim) Run(d time.Duration) {
	s.tb.Helper()
	for end := s.Now + d; s.Now < end; {
		s.step()
	}
}

// RunUntil plays until done returns true. If that takes longer than most, the match
// fails.
func (s *Sim) RunUntil(most time.Duration, what string, done func() bool) {
	s.tb.Helper()
	for end := s.Now + most; s.Now < end; {
		if done() {
			return
		}
		s.step()
	}
	s.tb.Fatalf("not within %v: %s", most, what)
}

// theHost is the host's index in asleep.
const theHost = -1

// SleepHost stops the host's process for a while, as a loaded machine does.
func (s *Sim) SleepHost(d time.Duration) { s.asleep[theHost] = s.Now + d }

// SleepClient stops a client's process for a while.
func (s *Sim) SleepClient(i int, d time.Duration) { s.asleep[i] = s.Now + d }

// SuspendClient puts a client's machine to sleep for a while. If clockStands is set, the
// client's clock stands still meanwhile, as a monotonic clock may.
func (s *Sim) SuspendClient(i int, d time.Duration, clockStands bool) {
	s.SleepClient(i, d)
	if clockStands {
		s.stood[i] += d
	}
}

func (s *Sim) step() {
	if s.Now >= s.asleep[theHost] {
		s.stepHost()
	}
	for i, c := range s.Clients {
		if s.Now < s.asleep[i] {
			continue
		}
		run := func() {
			c.Poll(s.Time(i))
			c.Update(s.Time(i))
		}
		if s.opts.Around == nil {
			run()
		} else {
			s.opts.Around(i, run)
		}
	}
	s.Now += PollEvery
}

func (s *Sim) stepHost() {
	defer func() { s.Host.Due(s.Now) }() // which a Driver asks before it sleeps
	s.Host.Poll(s.Now)
	if s.Now < s.nextTick {
		return
	}
	if err := s.Host.Tick(s.Now); err != nil && s.hostErr == nil {
		s.hostErr = err
		s.tb.Errorf("host: %v", err)
	}
	if s.nextTick += s.Host.TickLength(); s.Now-s.nextTick > s.opts.Bundle.Rules.CatchUpLimit() {
		s.nextTick = s.Now // as the Driver does: the room runs slower
	}
}

// Leave disconnects client i.
func (s *Sim) Leave(i int) { _ = s.Clients[i].Close(s.Time(i), "left") } // in memory, closing does not fail

// Time returns the present on the clock of client i.
func (s *Sim) Time(i int) time.Duration {
	return s.Now + time.Duration(i+1)*777*time.Millisecond - s.stood[i]
}

// Report returns the report of client i.
func (s *Sim) Report(i int) room.Report { return s.Clients[i].Report(s.Time(i)) }

// Drain stops the clients from playing and waits until all their ticks are confirmed.
func (s *Sim) Drain() {
	s.tb.Helper()
	for i, c := range s.Clients {
		c.Leave(s.Time(i))
	}
	s.RunUntil(20*time.Second, "everything played confirmed", func() bool {
		for _, c := range s.Clients {
			if !c.Done() {
				return false
			}
		}
		return true
	})
}

// AgreeOnHashes fails unless every tick that a client confirmed has the host's hash,
// and each client confirmed at least one. It returns the number of comparisons.
func (s *Sim) AgreeOnHashes() (compared int) {
	s.tb.Helper()
	for i, c := range s.Clients {
		// order: every difference is an error of its own
		for t, h := range s.hashes[i+1] {
			if s.hashes[0][t] != h {
				s.tb.Errorf("client %d, tick %d: hash %016x, the host's %016x", i, t, h, s.hashes[0][t])
			}
		}
		if len(s.hashes[i+1]) == 0 {
			s.tb.Errorf("client %d (%s, %v) confirmed nothing", i, c.Status(), c.Err())
		}
		if d := c.Desync(); d != nil {
			s.tb.Errorf("client %d: %v", i, d)
		}
		compared += len(s.hashes[i+1])
	}
	return compared
}

// Failed returns the first error of the host's ticks.
func (s *Sim) Failed() error { return s.hostErr }

// Desynced reports whether all clients noticed a desync and named it.
func (s *Sim) Desynced() bool {
	for _, c := range s.Clients {
		if d := c.Desync(); d == nil || !d.Named || !errors.Is(d, timeline.ErrDesync) {
			return false
		}
	}
	return true
}
