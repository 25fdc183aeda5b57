package simtest_test

import (
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// failing has a class that only the host simulates, one that everybody does, and a filter that only the host asks.
const failing = `
Near = object "Near" { body = { shape = { circle = 1 } } }
function Near:tick() self.near.far = 1 end
Far = object "Far" { body = { shape = { circle = 1 } }, lod = "interpolate" }
function Far:tick()
  self.far.away = 1
end
function onStart() spawn("Near", { x = 5 }) spawn("Far", { x = -5 }) end
function filterChat(player, text) return text .. nil end`

// lines is a log that a test reads.
type lines struct{ strings.Builder }

func (l *lines) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// count returns in how many lines the log has a text.
func (l *lines) count(text string) (n int) {
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// TestClientsLearnWhatIsWrong: a client of each kind learns which functions fail at the host, those that it does not run
// and those that failed before it came included, and why saved scripts are not in force; and that nothing is wrong any
// more. Its log has each once.
func TestClientsLearnWhatIsWrong(t *testing.T) {
	t.Parallel()
	last, logs := make([]room.Problems, 3), make([]lines, 3)
	game := func(text string) *bundle.Bundle {
		return bundle.New("failing", world.Source{Name: "game.lua", Text: text})
	}
	kinds := []client.Kind{client.Predictor, client.Spectator, client.Predictor}
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Average(), Compile: compile, Bundle: game(failing),
		Host: func(c *host.Config) { c.Folder = "/home/ann/mine" },
		Client: func(i int, c *client.Config) {
			c.Kind, c.Log, c.Problems = kinds[i], logs[i].logger(), func(p room.Problems) { last[i] = p }
		}})
	everybodyPlays(s)
	s.Join()
	s.Run(2 * time.Second)
	s.Clients[0].Say(s.Now, "hello")
	s.Run(2 * time.Second)
	for i, p := range last {
		said := fmt.Sprint(p.Failed)
		for _, want := range []string{"Near", "Far", "filterChat", "game.lua:6", "has no field or method far"} {
			if !strings.Contains(said, want) {
				t.Errorf("client %d (%v) is not told of %s: %s", i, kinds[i], want, said)
			}
		}
		for _, line := range []string{"game.lua:3", "game.lua:6", "game.lua:9"} {
			if n := logs[i].count("level=ERROR msg=\"" + line); n != 1 {
				t.Errorf("the log of client %d (%v) has %s %d times:\n%s", i, kinds[i], line, n, logs[i].String())
			}
		}
		for _, class := range []string{"Near", "Far"} { // what is paused, and for how long
			pause := regexp.MustCompile(`level=WARN msg="game\.lua:\d: \S.*; failed too often: paused for this object until tick \d+, 1 s after this one, or until other scripts are in force" tick=\d+ object=[0-9a-f]{16} class=` +
				class + ` hook=tick until=\d+ seconds=\d\b`)
			if !pause.MatchString(logs[i].String()) {
				t.Errorf("the log of client %d (%v) does not say what is paused of %s:\n%s", i, kinds[i], class, logs[i].String())
			}
		}
	}

	for range 2 {
		s.Host.Refuse("/home/ann/mine/game.lua:3: syntax error", "/home/ann/mine/rock.lua:1: no rock")
		s.Run(time.Second)
	}
	for i, p := range last {
		if !slices.Equal(p.Refused, []string{"game.lua:3: syntax error", "rock.lua:1: no rock"}) ||
			logs[i].count("saved files are not in force, the old ones stay: game.lua:3") != 1 ||
			logs[i].count("saved files are not in force, the old ones stay: rock.lua:1") != 1 {
			t.Errorf("client %d (%v) is told %q, and logs:\n%s", i, kinds[i], p.Refused, logs[i].String())
		}
	}
	s.Host.Refuse("/home/ann/mine/game.lua:4: syntax error")
	s.Run(time.Second)
	s.Host.Refuse("/home/ann/mine/game.lua:3: syntax error")
	s.Run(time.Second)
	for i, p := range last {
		if logs[i].count(`msg="rock.lua:1: no rock: mended"`) != 1 || logs[i].count("mended") != 1 || len(p.Refused) != 1 {
			t.Errorf("client %d (%v) is told %q, and logs:\n%s", i, kinds[i], p.Refused, logs[i].String())
		}
	}
	for i := range logs {
		logs[i].Reset()
	}

	held := "/home/ann/mine/game.lua is empty: if that lasts for a second, what it declared is removed"
	s.Host.Hold(held) // as the host logs it
	s.Run(time.Second)
	for i, p := range last {
		if n := logs[i].count(`level=WARN msg="` + held[len("/home/ann/mine/"):]); n != 1 || !p.Held || len(p.Refused) != 1 {
			t.Errorf("client %d (%v) is told %+v of files that may be saved by half, and logs:\n%s", i, kinds[i], p, logs[i].String())
		}
	}
	s.Host.Refuse("game.lua:3: syntax error")
	s.Run(time.Second)
	for i, p := range last {
		if n := logs[i].count(`level=INFO msg="` + held[len("/home/ann/mine/"):] + `: over"`); n != 1 {
			t.Errorf("the log of client %d (%v) says %d times that it waits no more:\n%s", i, kinds[i], n, logs[i].String())
		}
		if p.Held || logs[i].count("saved files are not in force, the old ones stay: game.lua:3") != 1 {
			t.Errorf("client %d (%v) is told %+v of files that are refused now, and logs:\n%s", i, kinds[i], p, logs[i].String())
		}
	}

	whole := game("Near = object \"Near\" {}\nFar = object \"Far\" { lod = \"interpolate\" }")
	script, err := compile(whole.Files, whole.Setup)
	if err == nil {
		_, _, err = s.Host.Switch(whole, script)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Run(3 * time.Second)
	for i, p := range last {
		if n := logs[i].count("nothing keeps saved files from being in force any more"); n != 1 {
			t.Errorf("the log of client %d (%v) says %d times that it is over:\n%s", i, kinds[i], n, logs[i].String())
		}
		if len(p.Refused) > 0 || len(p.Failed) > 0 {
			t.Errorf("after the scripts are mended, client %d (%v) is told %+v", i, kinds[i], p)
		}
	}
}

// TestPausesNameHowManyObjects: a hook that is paused for several objects of a class has one line in each log, with how
// many they are, and clients are told of those that follow, and of those that are gone.
func TestPausesNameHowManyObjects(t *testing.T) {
	t.Parallel()
	var hostLog lines
	last, logs := make([]room.Problems, 2), make([]lines, 2)
	kinds := []client.Kind{client.Predictor, client.InputOnly}
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.LAN(), Compile: compile,
		Bundle: bundle.New("many", world.Source{Name: "game.lua", Text: `
Near = object "Near" { body = { shape = { circle = 0.5 } } }
function Near:tick() self.near.far = 1 end
function onStart() for i = 1, 5 do spawn("Near", { x = i * 3 - 9 }) end end
function tick()
  if tickNumber() == 300 then spawn("Near", { y = 5 }) spawn("Near", { y = -5 }) end
  if tickNumber() == 420 then for i, o in ipairs(objects("Near")) do if i < 7 then o:remove() end end end
end`}),
		Host: func(c *host.Config) { c.Log = hostLog.logger() },
		Client: func(i int, c *client.Config) {
			c.Kind, c.Log, c.Problems = kinds[i], logs[i].logger(), func(p room.Problems) { last[i] = p }
		}})
	everybodyPlays(s)
	for _, at := range []struct {
		tick   world.Tick
		others uint32
	}{{280, 4}, {400, 6}, {540, 0}} {
		for s.Host.Now() < at.tick {
			s.Run(100 * time.Millisecond)
		}
		for i, p := range last {
			if len(p.Failed) != 1 || p.Failed[0].Others != at.others {
				t.Errorf("in tick %d, client %d (%v) is told %+v, want %d others", s.Host.Now(), i, kinds[i], p.Failed, at.others)
			}
		}
	}
	for i, l := range []*lines{&hostLog, &logs[0], &logs[1]} {
		if l.count("paused for this object and 4 others until tick") == 0 || l.count("paused for this object until") > 0 {
			t.Errorf("log %d does not say of how many objects a hook is paused:\n%s", i, l.String())
		}
		if n := l.count("paused for this object"); n > 5 {
			t.Errorf("log %d has %d lines of pauses:\n%s", i, n, l.String())
		}
	}
}

// TestFailuresNameHowManyObjects: of a hook that fails for three objects in one tick, and is not paused, host and clients
// name one and how many others.
func TestFailuresNameHowManyObjects(t *testing.T) {
	t.Parallel()
	var hostLog, log lines
	var last room.Problems
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.LAN(), Compile: compile,
		Bundle: bundle.New("many", world.Source{Name: "game.lua", Text: `
Near = object "Near" { body = { shape = { circle = 0.5 } } }
function Near:onSpawn() self.near.far = 1 end
function tick() if tickNumber() == 100 then for i = 1, 3 do spawn("Near", { x = i * 3 - 9 }) end end end`}),
		Host:   func(c *host.Config) { c.Log = hostLog.logger() },
		Client: func(i int, c *client.Config) { c.Log, c.Problems = log.logger(), func(p room.Problems) { last = p } }})
	for s.Host.Now() < 150 {
		s.Run(100 * time.Millisecond)
	}
	if len(last.Failed) != 1 || last.Failed[0].Others != 2 {
		t.Errorf("the client is told %+v, want 2 others", last.Failed)
	}
	for i, l := range []*lines{&hostLog, &log} {
		if l.count("others=2") != 1 {
			t.Errorf("log %d does not say how many objects failed:\n%s", i, l.String())
		}
	}
}

// TestSlowRoomsSayWhy: a room that cannot keep up says so once, on host and clients, with the class that does most of the
// work, and when it is over. A reload does not end it silently.
func TestSlowRoomsSayWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		prices timeline.Prices
		why    string
	}{
		{"hooks", timeline.Prices{Call: 8 * time.Millisecond}, "most of the work is the hooks of Rock; host check says how much"},
		{"physics", timeline.Prices{Body: 10 * time.Millisecond}, "most of the work is physics; many bodies touch each other"},
		{"machine", timeline.Prices{Call: 1}, "its scripts are not to blame; the machine is slow, or busy with something else"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var hostLog, log lines
			var last room.Problems
			s := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.LAN(), Compile: compile,
				Bundle: bundle.New("slow", world.Source{Name: "game.lua", Text: `
Rock = object "Rock" { body = { shape = { circle = 0.5 } } }
function Rock:tick() end
function onStart() for i = 1, 4 do spawn("Rock", { x = i * 3 - 9 }) end end`}),
				Host: func(h *host.Config) { h.Log, h.Prices = hostLog.logger(), c.prices },
				Client: func(i int, cfg *client.Config) {
					cfg.Log, cfg.Problems = log.logger(), func(p room.Problems) { last = p }
				}})
			everybodyPlays(s)
			for range 3 {
				must(t, s.Host.Update(s.Now+600*time.Millisecond)) // of which it skips most
				s.Run(700 * time.Millisecond)
			}
			if len(last.Failed) != 1 || last.Failed[0].Message != "the room runs slower than real time: "+c.why {
				t.Errorf("the client is told %+v", last.Failed)
			}
			s.Run(5 * time.Second)
			if len(last.Failed) > 0 {
				t.Errorf("the client is still told %+v", last.Failed)
			}
			for i, l := range []*lines{&hostLog, &log} {
				if l.count(c.why) != 1 || l.count("the room keeps up with real time again") != 1 {
					t.Errorf("log %d does not say so once:\n%s", i, l.String())
				}
			}
		})
	}
}

// TestSlowRoomsBlameHooksThatArePaused: hooks that are much work fail, and are paused. A room that is late because of
// them blames their class, and not the machine as soon as they do not run.
func TestSlowRoomsBlameHooksThatArePaused(t *testing.T) {
	t.Parallel()
	var hostLog, log lines
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.LAN(), Compile: compile,
		Bundle: bundle.New("slow", world.Source{Name: "game.lua", Text: `
Rock = object "Rock" { body = { shape = { circle = 0.5 } } }
function Rock:tick() if tickNumber() >= 300 then error("no") end end
function onStart() for i = 1, 4 do spawn("Rock", { x = i * 3 - 9 }) end end`}),
		Host: func(h *host.Config) {
			h.Log, h.Prices = hostLog.logger(), timeline.Prices{Call: 8 * time.Millisecond}
		},
		Client: func(i int, cfg *client.Config) { cfg.Log = log.logger() }})
	everybodyPlays(s)
	for s.Host.Now() < 308 {
		s.Run(5 * time.Millisecond)
	}
	for range 3 {
		must(t, s.Host.Update(s.Now+600*time.Millisecond)) // of which it skips most
		s.Run(700 * time.Millisecond)
	}
	s.Run(5 * time.Second)
	for i, l := range []*lines{&hostLog, &log} {
		if l.count("paused for this object") == 0 {
			t.Errorf("log %d names no pause:\n%s", i, l.String())
		}
		if l.count("most of the work is the hooks of Rock") != 1 || l.count("not to blame") != 0 ||
			l.count("the room keeps up with real time again") != 1 {
			t.Errorf("log %d does not blame Rock, once:\n%s", i, l.String())
		}
	}
}

// TestSavesIntoSlowRooms: in a room that runs at a small share of real time, saved scripts are in force as soon as the
// clients' window allows, and all are told how long that takes. Until the room is on time again nobody says that it is,
// also where the machine stands still meanwhile, and the hooks that are gone are not blamed anew.
func TestSavesIntoSlowRooms(t *testing.T) {
	t.Parallel()
	game := func(tick string) *bundle.Bundle {
		return bundle.New("slow", world.Source{Name: "game.lua", Text: `
Rock = object "Rock" { body = { shape = { circle = 0.5 } } }
` + tick + `
function onStart() for i = 1, 4 do spawn("Rock", { x = i * 3 - 9 }) end end`})
	}
	var hostLog, log lines
	var last room.Problems
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.Average(), Compile: compile,
		Bundle: game("function Rock:tick() end"),
		Host: func(h *host.Config) {
			h.Log, h.Prices = hostLog.logger(), timeline.Prices{Call: 8 * time.Millisecond}
		},
		Client: func(i int, cfg *client.Config) {
			cfg.Log, cfg.Problems = log.logger(), func(p room.Problems) { last = p }
		}})
	everybodyPlays(s)
	crawl := func(stopped bool) {
		if s.SleepHost(600 * time.Millisecond); !stopped {
			s.Host.Poll(s.Now) // it is busy: its driver does not sleep
		}
		s.Run(590 * time.Millisecond)
		s.Host.Poll(s.Now)
		must(t, s.Host.Update(s.Now)) // of which it skips most
		s.Run(60 * time.Millisecond)
	}
	for range 12 {
		crawl(false)
	}
	if r := s.Host.Report(s.Now); r.SkippedMS < 1500 {
		t.Fatalf("it skipped %v ms", r.SkippedMS)
	}
	b := game("")
	script, err := compile(b.Files, b.Setup)
	if err != nil {
		t.Fatal(err)
	}
	saved := s.Host.Now()
	from, _, err := s.Host.Switch(b, script)
	if err != nil {
		t.Fatal(err)
	}
	if wait := from - saved; wait > 80 {
		t.Errorf("the scripts are in force after %d ticks", wait)
	}
	for range 2 { // the message takes longer than the rest of one
		crawl(false)
	}
	if len(last.Refused) != 1 || !last.Held || !strings.Contains(last.Refused[0], "the saved scripts are in force in about ") ||
		!strings.Contains(last.Refused[0], "slower than real time") {
		t.Errorf("the client is told %+v", last)
	}
	for range 12 {
		crawl(true)
	}
	if s.Host.Now() < from || hostLog.count("the room keeps up") > 0 {
		t.Errorf("in tick %d of a host that stands still again and again, after %d:\n%s", s.Host.Now(), from, hostLog.String())
	}
	if len(last.Refused) > 0 {
		t.Errorf("the client is still told %+v", last)
	}
	s.Run(8 * time.Second)
	for i, l := range []*lines{&hostLog, &log} {
		if l.count("most of the work is the hooks of Rock") != 1 || l.count("the room keeps up with real time again") != 1 ||
			l.count("the saved scripts are in force in about") == 0 {
			t.Errorf("log %d:\n%s", i, l.String())
		}
	}
}

// TestLikelyMistakesAreTold: for half a minute, also to who joins, and until there are others.
func TestLikelyMistakesAreTold(t *testing.T) {
	t.Parallel()
	last := make([]room.Problems, 3)
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.LAN(), Compile: compile,
		Bundle: bundle.New("quiet", world.Source{Name: "game.lua", Text: "function tick() end"}),
		Host:   func(h *host.Config) { h.Folder = "mine" },
		Client: func(i int, c *client.Config) { c.Problems = func(p room.Problems) { last[i] = p } }})
	everybodyPlays(s)
	told := func(want ...string) {
		t.Helper()
		for i := range s.Clients {
			if !slices.Equal(last[i].Warned, want) {
				t.Errorf("client %d is told %q, want %q", i, last[i].Warned, want)
			}
		}
	}
	s.Host.Warn("mine/game.lua:1:1: one", "mine/game.lua:2:1: two")
	s.Run(time.Second)
	told("game.lua:1:1: one", "game.lua:2:1: two")
	s.Host.Warn("mine/game.lua:3:1: three")
	s.Join()
	s.Run(5 * time.Second)
	told("game.lua:3:1: three")
	s.Run(26 * time.Second)
	told()
	s.Host.Warn("mine/game.lua:4:1: four")
	s.Run(time.Second)
	s.Host.Warn()
	s.Run(time.Second)
	told()
}

// TestFailuresAreToldSeldom: a host event may fail in each tick, with another text each time. What clients are told of
// that is bounded.
func TestFailuresAreToldSeldom(t *testing.T) {
	t.Parallel()
	told, most := 0, 0
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.LAN(), Compile: compile,
		Bundle: bundle.New("noisy", world.Source{Name: "game.lua", Text: `function tick() error("tick " .. tickNumber()) end`}),
		Client: func(_ int, c *client.Config) {
			c.Problems = func(p room.Problems) { told, most = told+1, max(most, len(p.Failed)) }
		}})
	everybodyPlays(s)
	told = 0
	s.Run(10 * time.Second)
	if told > 41 || most > 8 {
		t.Errorf("told %d times in 10 s, of up to %d failures", told, most)
	}
}

// TestLogsSayWhatIsOver: the logs of the host and of each kind of client say of each error when it is over: that a hook
// which was paused runs again, and that other scripts are in force, those of before included, which clients have
// already. A pause that the scripts end is named as ended. Nothing is said of what goes on.
func TestLogsSayWhatIsOver(t *testing.T) {
	t.Parallel()
	logs, hostLog := make([]lines, 4), lines{}
	all := func() []*lines { return []*lines{&hostLog, &logs[0], &logs[1], &logs[2], &logs[3]} }
	game := func(far string) *bundle.Bundle {
		return bundle.New("recovering", world.Source{Name: "game.lua", Text: `
Near = object "Near" { body = { shape = { circle = 1 } } }
function Near:tick() if tickNumber() % 600 < 200 then self.near.far = 1 end end
Far = object "Far" { body = { shape = { circle = 1 } }, lod = "interpolate" }
function Far:tick() ` + far + ` end
function onStart() spawn("Near", { x = 5 }) spawn("Far", { x = -5 }) end`})
	}
	broken, whole := game("self.far.away = 1"), game("")
	kinds := []client.Kind{client.Predictor, client.Spectator, client.InputOnly, client.Predictor}
	last := make([]room.Problems, len(kinds))
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 3, Profile: memlink.Average(), Compile: compile, Bundle: broken,
		Host: func(c *host.Config) { c.Log = hostLog.logger() },
		Client: func(i int, c *client.Config) {
			c.Kind, c.Log, c.Problems = kinds[i], logs[i].logger(), func(p room.Problems) { last[i] = p }
		}})
	everybodyPlays(s)
	s.Join()
	expect := func(when string, n int, texts ...string) {
		t.Helper()
		for i, l := range all() {
			for _, text := range texts {
				if got := l.count(text); got != n {
					t.Fatalf("%s, log %d has %q %d times, want %d:\n%s", when, i, text, got, n, l.String())
				}
			}
		}
	}
	switchTo := func(b *bundle.Bundle) (from world.Tick) {
		t.Helper()
		script, err := compile(b.Files, b.Setup)
		if err == nil {
			from, _, err = s.Host.Switch(b, script)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Run(4 * time.Second)
		return from
	}
	s.Run(5 * time.Second)
	expect("while both fail", 1, `level=ERROR msg="game.lua:3`, `level=ERROR msg="game.lua:5`)
	s.Run(3 * time.Second)
	expect("when one has recovered", 1, `level=INFO msg="game.lua:3: Near has no field or method near: declare a field in state, or write function Near:near(): no object's tick is paused any more"`)
	expect("when one has recovered", 0, ": over, other scripts are in force")
	for i, p := range last {
		if len(p.Failed) != 2 || p.Failed[0].Until > 0 && p.Failed[1].Until > 0 {
			t.Errorf("client %d is told %+v", i, p.Failed)
		}
	}
	for round, b := range []*bundle.Bundle{whole, broken, whole, broken} {
		when, from := fmt.Sprintf("round %d", round), switchTo(b)
		mended := (round + 2) / 2
		expect(when, mended, `msg="game.lua:5: Far has no field or method far: declare a field in state, or write function Far:far(): over, other scripts are in force`)
		expect(when, round/2+1+round%2, `level=ERROR msg="game.lua:5`)
		if b == whole {
			expect(when, 1, fmt.Sprintf(" has ended\" tick=%d class=Far", from))
		}
		for i := range logs {
			if n := logs[i].count(fmt.Sprintf(`msg="scripts loaded" bundle=%s changed=game.lua "in force from tick"=%d`, bundle.HashOf(b.Encode()), from)); n != 1 {
				t.Errorf("%s, the log of client %d says %d times which scripts are in force:\n%s", when, i, n, logs[i].String())
			}
		}
	}
	s.Host.End(s.Now, &room.RestartError{Reason: "seed has changed"}, false)
	s.SleepHost(5 * time.Second) // it has no more ticks
	for range 100 {
		s.Host.Poll(s.Now)
		s.Run(10 * time.Millisecond)
	}
	for i, l := range all() {
		want := "what was wrong with the scripts may be over"
		if i == 0 {
			want = "the failures and pauses of the hooks of this room are over with it"
		}
		if n := l.count(want); n != 1 {
			t.Errorf("when the room starts again, log %d has %q %d times:\n%s", i, want, n, l.String())
		}
	}
}

// TestPausesOfOtherScriptsAreNotOver: a hook that fails in each tick under other scripts, too, is paused anew there. A
// client, which is ahead of its host, has found that pause already when the host tells of the first failure. Nobody says
// that the pause is over.
func TestPausesOfOtherScriptsAreNotOver(t *testing.T) {
	t.Parallel()
	game := func(n int) *bundle.Bundle {
		return bundle.New("failing", world.Source{Name: "far.lua", Text: `
Far = object "Far" { body = { shape = { circle = 1 } } }
function Far:tick() if tickNumber() % 20 == 0 then error("rare") end end`},
			world.Source{Name: "game.lua", Text: `
Near = object "Near" { body = { shape = { circle = 1 } } }
function Near:tick() while true do end end
function onStart() spawn("Near", { x = 5 }) spawn("Far", { x = -5 }) end
` + fmt.Sprintf("-- edit %d\n", n)})
	}
	logs, hostLog := make([]lines, 2), lines{}
	s := simtest.New(t, simtest.Options{Seed: 1, Clients: 2, Profile: memlink.Bad(), Compile: compile, Bundle: game(0),
		Host:   func(c *host.Config) { c.Log = hostLog.logger() },
		Client: func(i int, c *client.Config) { c.Log = logs[i].logger() }})
	everybodyPlays(s)
	const edits = 4
	for n := 1; n <= edits; n++ {
		b := game(n)
		script, err := compile(b.Files, b.Setup)
		if err == nil {
			_, _, err = s.Host.Switch(b, script)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Run(2 * time.Second)
	}
	for i, l := range []*lines{&hostLog, &logs[0], &logs[1]} {
		if n := l.count("is paused any more"); n > 0 {
			t.Errorf("log %d says %d times that a pause is over:\n%s", i, n, l.String())
		}
		if n := l.count("; failed too often: paused for this object until tick"); n < 2*edits {
			t.Errorf("log %d names %d pauses:\n%s", i, n, l.String())
		}
		if n := l.count("rare: over, other scripts are in force, with the same far.lua, so that it may happen again"); n != edits {
			t.Errorf("log %d says %d times that a failure in an unchanged file may happen again:\n%s", i, n, l.String())
		}
	}
}

// tapping holds button 0 in every 40th tick.
type tapping struct{}

func (tapping) Input(r world.Reader, _ int) (in world.Input) {
	if r.Tick()%40 == 0 {
		in.Buttons = 1
	}
	return in
}

// TestLogTakesFailuresBack: a host repeats the last input of a player whose next one is late, and a hook fails with it.
// With the late input it does not: then the log says so, and the players are told that nothing is wrong. A failure that
// happens is not taken back.
func TestLogTakesFailuresBack(t *testing.T) {
	t.Parallel()
	log, last := lines{}, room.Problems{}
	s := simtest.New(t, simtest.Options{Seed: 5, Clients: 1, Profile: memlink.Awful(), Compile: compile,
		Bundle: bundle.New("guessed", world.Source{Name: "game.lua", Text: `
Pilot = object "Pilot" { input = { Fire = "bool" }, body = { shape = { circle = 1 } } }
function Pilot:applyInput(input)
  if input.Fire and tickNumber() % 40 ~= 1 and tickNumber() < 850 then
    error("held for long")
  end
end
function Pilot:tick() if tickNumber() == 700 then error("at last") end end
function onJoin(player) spawn("Pilot", { owner = player }) end`}),
		Controls: func(int) client.Controls { return tapping{} },
		Host:     func(c *host.Config) { c.Log = log.logger() },
		Client:   func(_ int, c *client.Config) { c.Problems = func(p room.Problems) { last = p } }})
	everybodyPlays(s)
	s.Run(15 * time.Second)
	guesses, taken := log.count(`level=ERROR msg="game.lua:5: held for long"`), log.count("held for long: it did not happen after all")
	if guesses == 0 || taken != guesses {
		t.Errorf("of %d failures, %d were taken back:\n%s", guesses, taken, log.String())
	}
	if n := log.count("at last: it did not happen"); n > 0 || log.count("at last") == 0 {
		t.Errorf("%d lines take back what has happened:\n%s", n, log.String())
	}
	for _, f := range last.Failed {
		if strings.Contains(f.Message, "held") {
			t.Errorf("the players are told of %+v", f)
		}
	}
}
