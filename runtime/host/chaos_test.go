package host_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

var chaosMatches = flag.Int("chaos", 0, "`N` random matches to play, one a seed (default: 3, or 12 in a full run)")

// chaosSeeds returns the seeds of random matches. Tests that play fewer matches get one
// seed in part.
func chaosSeeds(part int) []uint64 {
	n := *chaosMatches
	if n == 0 {
		n = draws.Pick(3, 12)
	}
	if testing.Short() {
		n = min(n, 3)
	}
	return draws.Seeds(max(n/part, min(n, 3)))
}

// TestRandomMatches plays matches in which random things happen to machines, lines,
// players and scripts. It checks in each that all clients go on confirming the hashes
// of the host, and that no honest client is corrected, except where the rules refuse
// its owner pose. To play one again:
//
//	go test ./runtime -run 'TestRandomMatches/seed=17$' -chaos 17
//
// Larger seeds were drawn: HINDCAST_TEST_SEED draws them again.
func TestRandomMatches(t *testing.T) {
	t.Parallel()
	var sighted, clamped, culled, restored atomic.Int64
	seeds := chaosSeeds(1)
	t.Cleanup(func() { // after the matches
		if len(seeds) >= 3 && (sighted.Load() < 1000 || clamped.Load() < 3) {
			t.Errorf("%d poses of sights were accepted, and %d clamped", sighted.Load(), clamped.Load())
		}
		if len(seeds) >= 3 && (culled.Load() < 100 || restored.Load() < 20) {
			t.Errorf("clients culled objects %d times, and restored them %d times", culled.Load(), restored.Load())
		}
	})
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			m := newChaos(t, seed, false)
			m.play()
			m.calmDown()
			m.check()
			sights := m.Host.Report(m.Now).Inputs.Sights
			sighted.Add(int64(sights.Accepted))
			clamped.Add(int64(sights.Clamped))
			for i := range m.Clients {
				if counts := m.Report(i).Culling; counts != nil { // it has played
					culled.Add(int64(counts.Culled))
					restored.Add(int64(counts.Restored))
				}
			}
		})
	}
}

// unruly is the seed of a mixed match that found three faults when it was first played.
const unruly = 29

// complement is the seed of a mixed match with the pairs of traits that those of the seeds 1 and 2 lack.
const complement = 10

// TestRandomMixedMatches is TestRandomMatches for partially replicated rooms. Each bundle switch
// changes which classes clients simulate. Clients confirm the shared set. All pairs of traits occur: more
// matches are drawn until they have.
func TestRandomMixedMatches(t *testing.T) {
	t.Parallel()
	var patches, replicated, rows, compared, sighted, cues, levels atomic.Int64
	var mu sync.Mutex
	pairs, played := newChaosPairs(), 0
	seeds := chaosSeeds(3)
	if draws.Full() && !slices.Contains(seeds, unruly) {
		seeds = append(seeds, unruly)
	}
	if i := slices.Index(seeds, 3); i >= 0 && *chaosMatches == 0 && !draws.Full() {
		seeds[i] = complement // or another three would have to be drawn
	}
	t.Cleanup(func() { // after the matches
		if len(seeds) >= 3 && (patches.Load() < 10_000 || replicated.Load() < 10_000 || rows.Load() < 20 || compared.Load() < 1000 || sighted.Load() < 500 || cues.Load() < 100 || levels.Load() < 8) {
			t.Errorf("%d bytes of patches, %d of snapshots, %d rows, %d inputs compared, %d poses of sights, %d cues of proxies, %d changes of the level", patches.Load(), replicated.Load(), rows.Load(), compared.Load(), sighted.Load(), cues.Load(), levels.Load())
		}
		if played == len(seeds) && len(seeds) >= 3 {
			if missing := complete(pairs, func(more uint64) *chaos { return playMixed(t, slices.Max(seeds)+more) }); len(missing) > 0 {
				t.Errorf("no object had %s", strings.Join(missing, "; "))
			}
		}
	})
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			m := playMixed(t, seed)
			report := m.Host.Report(m.Now)
			bytes := report.Bytes
			rows.Add(int64(report.Snapshots.Rows))
			patches.Add(bytes["given"])
			replicated.Add(bytes["snapshots"])
			compared.Add(int64(m.compared))
			sighted.Add(int64(report.Inputs.Sights.Accepted))
			cues.Add(int64(m.cues.same))
			levels.Add(int64(m.changes))
			mu.Lock()
			defer mu.Unlock()
			pairs.add(m.pairs)
			played++
		})
	}
}

func playMixed(t *testing.T, seed uint64) *chaos {
	m := newChaos(t, seed, true)
	m.play()
	m.calmDown()
	m.check()
	return m
}

func TestMatchFollowsItsSeed(t *testing.T) {
	t.Parallel()
	a, b := newChaos(t, 3, false), newChaos(t, 3, false)
	a.play()
	b.play()
	x, y := a.Host.Report(a.Now), b.Host.Report(b.Now)
	if !slices.Equal(a.story, b.story) || x.Confirmed != y.Confirmed || x.Inputs != y.Inputs || a.Now != b.Now {
		t.Errorf("%+v %+v\n%+v %+v", x.Confirmed, x.Inputs, y.Confirmed, y.Inputs)
	}
}

// chaos is a random match, with a list of what happened in it, which is printed if it fails.
type chaos struct {
	*simtest.Sim
	t        *testing.T
	rng      *rand.Rand
	game     *bundle.Bundle
	cut      []time.Duration // by client: when the line is mended; 0: it is not cut
	away     []time.Duration // by client: until when it is cut off or asleep
	left     []bool          // by client
	bundles  int
	compared int  // inputs that clients have, compared with those of the host
	mixed    bool // clients do not simulate all classes
	culls    bool // clients predict what is near
	ranged   bool // clients receive what is near
	newest   bool // the newest input of a tick counts, and some players revise their inputs
	story    []string
	acts     *chaosHostEvents
	cues     chaosCues
	pairs    chaosPairs
	views    chaosViews
	level    string   // in force on the host
	changes  int      // of it
	reloads  []reload // of the host, then by client
}

// lines returns the lines of a room with a tick rate in Hz. The last one has just enough bandwidth
// for such a room: the patches of the largest mixed room at 128 Hz alone take 57 kB/s.
func lines(rate int) []memlink.Profile {
	odd := memlink.Profile{Delay: 40 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.02, Duplicate: 0.05, Reorder: 0.05, Rate: 500_000}
	if rate > 60 {
		odd.Rate *= 4
	}
	return []memlink.Profile{memlink.Off(), memlink.LAN(), memlink.Average(), memlink.Bad(), memlink.Awful(), odd}
}

func newChaos(t *testing.T, seed uint64, mixed bool) *chaos {
	m := &chaos{mixed: mixed, newest: seed%3 == 2, culls: seed%4 < 2 || mixed && seed%4 == 2, ranged: mixed && seed%5 == 1, t: t, rng: rand.New(rand.NewPCG(seed, 99)), game: stub.Game(), cut: make([]time.Duration, maxClients),
		away: make([]time.Duration, maxClients), left: make([]bool, maxClients), acts: newChaosHostEvents(seed), pairs: newChaosPairs(), cues: chaosCues{host: newCueBook("the host")}}
	rate := []int{20, 20, 30, 30, 60, 60, 128}[m.rng.IntN(7)]
	m.draw(rate)
	m.game.Files = []world.Source{{Name: "rules.lua", Text: "first" + m.levels()}}
	o := simtest.Options{Seed: seed, Clients: 2 + m.rng.IntN(3), Bundle: m.game, Compile: compileFlaring,
		Controls: func(i int) client.Controls { return &stub.Wildling{Seed: uint64(i) + seed} }, Host: m.listen,
		Client: func(i int, cfg *client.Config) {
			m.watchCues(i, cfg)
			cfg.VerifyEvery = draws.Pick(4, 0)
			cfg.CatchUp = []int{0, 3, client.MaxCatchUp}[i%3]
			cfg.Prediction = []client.Prediction{{}, {InputDelay: 1 + int(seed%9)}, {Window: 40 + int(seed%80)}}[(i+int(seed))%3]
			cfg.FrameEvery = []time.Duration{0, 7 * time.Millisecond, 33 * time.Millisecond}[i%3]
			if m.game.Rules.Newest && i%2 == 0 {
				cfg.Link = &roomtest.Tamper{Link: cfg.Link, Change: fickle()}
			}
		}}
	for range maxClients {
		o.Profiles = append(o.Profiles, lines(rate)[m.rng.IntN(len(lines(rate)))])
	}
	m.Sim = simtest.New(t, o)
	m.note("%s; %d clients at %d Hz, repeat %d, grace %d, rewind %v, seen %v", m.game.Files[0].Text, o.Clients, rate,
		m.game.Setup.RepeatInputTicks, m.game.Setup.GraceTicks, m.game.Rules.MaxRewind, m.game.Rules.MaxSeen)
	t.Cleanup(func() {
		if t.Failed() {
			for _, line := range m.story {
				t.Log(line)
			}
		}
	})
	return m
}

// fickle returns a change to the InputPackets of a client that now and then replaces
// inputs which it repeats.
func fickle() func(*wire.InputPacket) {
	n := 0
	return func(m *wire.InputPacket) {
		n++
		for i := range m.Runs {
			for j := range m.Runs[i].Inputs {
				if (int(m.Runs[i].First)+j+n/2)%7 == 0 {
					m.Runs[i].Inputs[j].Buttons ^= 1
					m.Runs[i].Inputs[j].Held = [world.MaxButtons]uint8{}
				}
			}
		}
	}
}

// draw decides about the rules of the room.
func (m *chaos) draw(rate int) {
	setup, rules := &m.game.Setup, &m.game.Rules
	setup.TickRate, setup.Substeps = rate, 2
	setup.GraceTicks = world.Tick(rate * (1 + m.rng.IntN(3)))
	setup.RepeatInputTicks = world.Tick([]int{0, rate / 4, 3 * rate}[m.rng.IntN(3)])
	rewinds := []time.Duration{0, 100 * time.Millisecond, 400 * time.Millisecond, time.Second}
	if rate > 60 {
		rewinds[3] = 200 * time.Millisecond // a second would be 128 ticks to run again, for each of many clients
	}
	rules.MaxRewind = rewinds[m.rng.IntN(len(rewinds))]
	rules.Newest = m.newest
	rules.MaxSeen = []time.Duration{0, time.Second}[m.rng.IntN(2)]
	shown := &rules.Snapshots.Interpolation // no draw, so that the matches of these seeds stay
	shown.Least, shown.Most = rules.MaxRewind/4, rules.MaxRewind+rules.MaxSeen/2
	shown.Extrapolate = rules.MaxSeen / 3
	if m.culls {
		rules.Prediction.Range = 4
	}
	if m.ranged {
		rules.Snapshots.Range = 5
	}
	for i := range setup.Spawns {
		setup.Spawns[i].Count = 4
	}
	stub.GiveRooms(setup, 0)
}

// levels draws the level of detail of each class, as text of a bundle, and whether asSeen moves objects.
func (m *chaos) levels() (text string) {
	if m.bundles%3 != 2 {
		text = " sees"
	}
	if m.bundles%4 < 2 { // every other switch moves fields between state and aux
		text += " aux"
	}
	if m.bundles%5 != 1 { // some switches remove the states of players, the next ones bring new ones
		text += " stats"
	}
	if !m.mixed {
		return text
	}
	for _, class := range []string{"Walker", "Racer", "Ship", "Bullet", "Crate"} {
		text += " " + class + ":" + world.LOD(m.rng.IntN(3)).String()
	}
	text += " Glider:" + world.LOD((m.bundles+1)%3).String()
	if m.bundles%2 == 0 { // some switches add fields that a snapshot has no room for, others remove them
		text += " wide"
	}
	text += []string{"", " strict", " lax"}[m.bundles%3] // thresholds of corrections of the classes
	return text
}

// maxClients is the largest number of clients that join a match.
const maxClients = 7

func (m *chaos) note(format string, args ...any) {
	m.story = append(m.story, fmt.Sprintf("%7.3f s, tick %4d: ", m.Now.Seconds(), m.Host.Now())+fmt.Sprintf(format, args...))
}

// compareInputs checks that clients have the inputs of the host.
func (m *chaos) compareInputs() {
	for i, c := range m.Clients {
		wrong, n := compareInputs(m.Host, c, m.mixed)
		if m.compared += n; wrong != "" {
			m.t.Errorf("client %d at tick %d: %s", i, m.Host.Now(), wrong)
		}
	}
}

// behind names a client that does not play, or confirms more than 3 s late.
func (m *chaos) behind() string {
	for i, c := range m.Clients {
		lag := int(m.Host.Now()) - int(c.Confirmed())
		if c.Player() == 0 && errors.Is(c.Err(), client.ErrClosed) {
			continue // its line was cut while it dialed
		}
		if !m.left[i] && (!c.Playing() || lag > 3*m.game.Setup.TickRate) {
			r := m.Report(i)
			return fmt.Sprintf("client %d (%s, %v) confirmed tick %d and stands at %d, the host at %d; resyncs %d, held %d",
				i, c.Status(), c.Err(), c.Confirmed(), c.Now(), m.Host.Now(), r.Resyncs, r.Held)
		}
	}
	return ""
}

func (m *chaos) check() {
	if m.compared < 100 && !m.mixed { // inputs of replicated objects are not relayed
		m.t.Errorf("only %d relayed inputs were compared with those of the host", m.compared)
	}
	corrected := 0
	for i, c := range m.Clients {
		r := m.Report(i)
		corrected += r.Corrections.Count
		for _, c := range r.Corrections.Causes {
			if strings.HasPrefix(c.Cause, timeline.CauseRefused.String()) { // after a cut, the rules may refuse an owner pose
				corrected -= c.Count
			}
		}
		if d := c.Desync(); d != nil || r.Confirmed.Mismatched > 0 {
			m.t.Errorf("client %d: %v, %d ticks mismatched", i, d, r.Confirmed.Mismatched)
		}
	}
	if corrected > 0 && !m.mixed {
		m.t.Errorf("honest clients were corrected %d times", corrected)
	}
	if v := &m.views; v.frames < 100 || v.drawn < 1000 {
		m.t.Errorf("only %d frames with %d bodies were looked at", v.frames, v.drawn)
	}
	m.note("%d frames with %d bodies, of which %d were culled and %d carried", m.views.frames, m.views.drawn, m.views.culled, m.views.held)
	if late := m.behind(); late != "" {
		m.t.Error(late)
	}
	roomtest.CheckHost(m.t, m.Sim, true)
	m.checkHostEvents()
	m.checkCues()
}
