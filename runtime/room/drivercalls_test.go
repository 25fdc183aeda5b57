package room_test

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// calls has the functions and interfaces that a Host or a Client calls in a run. In each of these
// calls, Do on the Driver must run its function at once, whatever its context.
type calls struct {
	t      *testing.T
	driver *room.Driver
	count  map[string]int
	events func(now time.Duration) // what the callbacks for events do
	begun  bool                    // the run has begun; before, Do would wait for it
	inside bool                    // a callback for an event is running
}

func newCalls(t *testing.T) *calls {
	return &calls{t: t, driver: room.NewDriver(), count: map[string]int{}}
}

// event is called in callbacks for events, which may call the Host or the Client.
func (c *calls) event(name string) { c.do(name, c.events) }

// service is called in functions that a tick needs, which may not.
func (c *calls) service(name string) { c.do(name, func(time.Duration) {}) }

func (c *calls) do(name string, f func(now time.Duration)) {
	c.count[name]++
	if !c.begun || c.inside {
		return
	}
	c.inside = true
	defer func() { c.inside = false }()
	ran := false
	err := c.driver.Do(context.Background(), func(_ context.Context, now time.Duration) error {
		f(now)
		ran = true
		return nil
	})
	if err != nil || !ran {
		c.t.Errorf("Do in %s: %v, it ran: %v", name, err, ran)
	}
	if c.count[name] > 5 {
		return // a post wakes the driver, which calls again
	}
	if err := c.driver.Post(func(time.Duration) { c.count["posted"]++ }); err != nil {
		c.t.Errorf("Post in %s: %v", name, err)
	}
}

// allOf fails unless every function and interface of a config was called, except those left
// out, and every function that was posted in these calls has run.
func (c *calls) allOf(config any, leftOut map[string]string) {
	c.t.Helper()
	of := reflect.TypeOf(config)
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Type == reflect.TypeFor[host.Callbacks]() {
			c.allOf(host.Callbacks{}, nil)
		}
		if kind := f.Type.Kind(); kind != reflect.Func && kind != reflect.Interface || leftOut[f.Name] != "" {
			continue
		}
		if c.count[f.Name] == 0 {
			c.t.Errorf("%v.%s was not called: have this test call Do in it", of, f.Name)
		}
	}
	if c.count["posted"] == 0 {
		c.t.Error("nothing that was posted has run")
	}
}

// Read makes calls the Random of a host, Write the destination of a Recorder and of a
// log.
func (c *calls) Read(b []byte) (int, error) {
	c.service("Random")
	for i := range b {
		b[i] = byte(c.count["Random"] + i)
	}
	return len(b), nil
}

// written calls service with a name for everything that is written to it.
type written struct {
	*calls
	name string
}

func (w written) Write(b []byte) (int, error) {
	w.service(w.name)
	return len(b), nil
}

// puffing is a script in which the steered objects ask for a cue now and then.
type puffing struct{ world.Script }

func (s puffing) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if err := s.Script.Call(w, h, slot, a); err != nil || h != world.ApplyInput || w.State().Tick%20 > 0 {
		return err
	}
	return w.Cue("puff", world.CueAll, world.CuePredicted, 0, nil)
}

func compilePuffing(files []world.Source, setup world.Setup) (world.Script, error) {
	s, err := stub.CompileWild(files, setup)
	return puffing{s}, err
}

// listen sets all functions of a host's config, and notes which hashes it confirms.
func (c *calls) listen(cfg *host.Config, confirmed map[world.Tick]uint64) {
	cfg.Random = c
	cfg.Recorder = replay.NewRecorder(written{c, "Recorder"}, nil)
	cfg.Log = slog.New(slog.NewTextHandler(written{c, "Log"}, nil))
	cfg.Admit = func(string, []byte) error { c.event("Admit"); return nil }
	cfg.Confirmed = func(t world.Tick, hash uint64) { confirmed[t] = hash; c.event("Confirmed") }
	cfg.Rewound = func(timeline.Rewound) { c.event("Rewound") }
	cfg.Displaced = func(room.Displacement) { c.event("Displaced") }
	cfg.Stopwatch = func() time.Duration { c.service("Stopwatch"); return c.driver.Now() }
	cfg.Stop = func() bool { c.service("Stop"); return c.driver.Stopping() }
	cfg.On = host.Callbacks{
		Joined:         func(world.PlayerID, string) { c.event("Joined") },
		Left:           func(world.PlayerID, string, string) { c.event("Left") },
		Chat:           func(world.PlayerID, string) bool { c.event("Chat"); return true },
		ScriptError:    func(world.Tick, world.Fault) { c.event("ScriptError") },
		Cue:            func(room.CueEvent) { c.event("Cue") },
		Match:          func(world.Tick, world.FieldReader) { c.event("Match") },
		MatchCommitted: func(world.Tick, world.FieldReader) { c.event("MatchCommitted") },
	}
}

// TestDriverDoInEveryCallOfAHost plays a match in check mode in which the functions of the
// host's config call the Driver and the Host.
func TestDriverDoInEveryCallOfAHost(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		c := newCalls(t)
		confirmed := map[world.Tick]uint64{}
		h, l, network := roomtest.NewHost(t, func(cfg *host.Config) {
			cfg.Verify, cfg.Compile = true, compilePuffing
			c.listen(cfg, confirmed)
		})
		mark := 0
		c.events = func(now time.Duration) {
			var v room.View
			h.View(&v)
			if r := h.Report(now); r.Tick != h.Now() || h.State().Tick != h.Now() {
				t.Errorf("the report is of tick %d, the state of tick %d, the present is %d", r.Tick, h.State().Tick, h.Now())
			}
			if mark++; mark%100 == 1 {
				if err := h.Set(world.MatchID, host.Fields{"mark": mark}); err != nil {
					t.Error(err)
				}
			}
		}
		clients := make([]*client.Client, 2)
		compared := 0
		for i := range clients {
			clients[i] = client.New(client.Config{Link: network.Dial(memlink.Bad(), memlink.Bad()), Compile: compilePuffing, Verify: true,
				Controls: &stub.Wildling{Seed: uint64(i)},
				Confirmed: func(tick world.Tick, hash uint64) {
					if compared++; confirmed[tick] != hash {
						t.Errorf("tick %d: client %d has hash %x, the host %x", tick, i, hash, confirmed[tick])
					}
				}})
			l.Others = append(l.Others, clients[i])
		}
		c.begun = true
		stop := driveHost(t, c.driver, h)
		time.Sleep(5 * time.Second)
		onDriver(t, c.driver, func(now time.Duration) {
			clients[0].Say(now, "bye")
			clients[1].Leave(now)
		})
		time.Sleep(2 * time.Second)
		onDriver(t, c.driver, func(now time.Duration) {
			if err := clients[1].Close(now, "left"); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(2 * time.Second)
		if err := stop(); err != nil {
			t.Error(err)
		}
		if compared < 400 {
			t.Errorf("%d ticks compared", compared)
		}
		c.allOf(host.Config{}, map[string]string{
			"Compile": "host.New calls it, before the run",
			"Link":    "it is the network",
		})
		if c.count["Log"] == 0 || c.count["Recorder"] == 0 {
			t.Error("nothing was logged, or recorded")
		}
	})
}

// asker is the Controls, the Frames and the Cache of a client.
type asker struct {
	*calls
	stub.Wanderer
}

func (a *asker) Input(r world.Reader, slot int) world.Input {
	a.service("Controls")
	return a.Wanderer.Input(r, slot)
}
func (a *asker) RestoreFrame(world.Reader)  { a.event("Frames") }
func (a *asker) FinalizeFrame(world.Reader) { a.event("Frames") }
func (a *asker) Load(bundle.Hash) []byte    { a.service("Cache"); return nil }
func (a *asker) Store(bundle.Hash, []byte)  { a.service("Cache") }

// shown is the asset.Receiver of a client.
type shown struct{ *calls }

func (s shown) Load(asset.Hash) []byte     { s.service("Assets"); return nil }
func (s shown) Store(asset.Hash, []byte)   { s.service("Assets") }
func (s shown) Announced(*asset.Manifest)  { s.service("Assets") }
func (s shown) Arrived(asset.File, []byte) { s.service("Assets") }

// failing is a script in which the steered objects fail now and then.
type failing struct{ world.Script }

func (s failing) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if err := s.Script.Call(w, h, slot, a); err != nil || h != world.ApplyInput || w.State().Tick%50 > 0 {
		return err
	}
	return errors.New("a failure")
}

func compileFailing(files []world.Source, setup world.Setup) (world.Script, error) {
	s, err := roomtest.CompileCueing(files, setup)
	return failing{s}, err
}

// TestDriverDoInEveryCallOfAClient does the same for a client, whose objects are displaced when
// inputs of another client become known.
func TestDriverDoInEveryCallOfAClient(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		c := newCalls(t)
		host, _, network := roomtest.NewHost(t, func(cfg *host.Config) { cfg.Compile = compileFailing })
		host.SetAssets(0, roomtest.SetOf(t, map[string][]byte{"a.ogg": roomtest.Sound(100, 1)}))
		l := &roomtest.Crowded{End: network.Dial(memlink.Bad(), memlink.Bad())}
		a := &asker{calls: c}
		cl := client.New(client.Config{Link: l, Verify: true, Controls: a, Frames: a, Cache: a, Assets: shown{c},
			Compile: func(files []world.Source, setup world.Setup) (world.Script, error) {
				c.service("Compile")
				return compileFailing(files, setup)
			},
			Background: func(job func()) {
				c.service("Background")
				job()
			},
			Log:       slog.New(slog.NewTextHandler(written{c, "Log"}, nil)),
			Confirmed: func(world.Tick, uint64) { c.event("Confirmed") },
			Cues:      func(room.CueEvent) { c.event("Cues") },
			Displaced: func(room.Displacement) { c.event("Displaced") },
			Chat:      func(world.PlayerID, string) { c.event("Chat") },
			Problems:  func(room.Problems) { c.service("Problems") },

			ScriptError: func(world.Tick, world.Fault) { c.service("ScriptError") },
			Stopwatch:   func() time.Duration { c.service("Stopwatch"); return c.driver.Now() },
			Stop:        func() bool { c.service("Stop"); return c.driver.Stopping() },
		})
		said := 0
		c.events = func(now time.Duration) {
			var v room.View
			cl.View(&v)
			if r := cl.Report(now); cl.State() == nil || r.Tick != cl.Now() {
				t.Errorf("the report is of tick %d, the present is %d", r.Tick, cl.Now())
			}
			if said++; said%400 == 1 {
				cl.Say(now, "hello")
			}
		}
		second := client.New(client.Config{Link: network.Dial(memlink.Bad(), memlink.Bad()), Compile: compileFailing, Controls: roomtest.Wanderers(1)})
		l.Others = []roomtest.Other{host, second}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		c.begun = true
		if err := c.driver.Run(ctx, cl); err != nil {
			t.Error(err)
		}
		if d := cl.Desync(); d != nil || cl.Confirmed() < 400 {
			t.Errorf("confirmed up to tick %d, %v", cl.Confirmed(), d)
		}
		c.allOf(client.Config{}, map[string]string{
			"AskedError": "these scripts have no function that is asked between ticks",
			"Link":       "it is the network",
		})
		if c.count["Log"] == 0 {
			t.Error("nothing was logged")
		}
	})
}
