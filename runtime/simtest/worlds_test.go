package simtest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// A generated world has objects of players, crates and a ball, of levels of detail, authority and ticking that worldKind
// says. They push and carry each other, hang on ropes, some of them on objects that nobody is sent, shoot, and come to rest
// when the players have played for worldPlays ticks. Clients may cull what they predict, and the scripts may be reloaded.
// After worldRests ticks more, all is at rest on all clients.
var worldPlays, worldRests = draws.Pick[world.Tick](480, 900), draws.Pick[world.Tick](300, 600)

// worldTraits are the ways in which worlds differ. The ball is carried by pilots.
var worldTraits = []struct {
	name   string
	values []string
}{
	{"authority", []string{"host", "owner"}},
	{"ticking", []string{"fixed", "independent"}},
	{"holder", []string{"predict", "interpolate", "extrapolate"}},
	{"carried", []string{"predict", "interpolate", "extrapolate"}},
	{"crates", []string{"predict", "interpolate", "extrapolate"}},
	{"culling", []string{"none", "range", "function"}},
	{"reloads", []string{"none", "some"}},
	{"work", []string{"light", "dear"}}, // at times hooks are too much work, of objects of nobody or of players
}

// worldKind is a world's value of each trait.
type worldKind map[string]string

// pairs calls f for each pair of values.
func (k worldKind) pairs(f func(pair [2]string)) {
	for i := range worldTraits {
		for j := range i {
			a, b := worldTraits[j].name, worldTraits[i].name
			f([2]string{a + " " + k[a], b + " " + k[b]})
		}
	}
}

// allPairs is the number of pairs of values.
func allPairs() (n int) {
	for i := range worldTraits {
		for j := range i {
			n += len(worldTraits[i].values) * len(worldTraits[j].values)
		}
	}
	return n
}

// chosenWorlds are those of the seeds from 1 on: of some drawn kinds, each is the one with the most pairs that those
// before it do not have. Together they have all pairs.
var chosenWorlds = sync.OnceValue(func() (kinds []worldKind) {
	had := map[[2]string]bool{}
	rng := rand.New(rand.NewPCG(1, 35))
	for len(had) < allPairs() {
		var best worldKind
		most := -1
		for range 200 {
			k, n := drawKind(rng), 0
			k.pairs(func(pair [2]string) { n += one(!had[pair]) })
			if n > most {
				best, most = k, n
			}
		}
		best.pairs(func(pair [2]string) { had[pair] = true })
		kinds = append(kinds, best)
	}
	return kinds
})

func drawKind(rng *rand.Rand) worldKind {
	k := worldKind{}
	for _, t := range worldTraits {
		k[t.name] = t.values[rng.IntN(len(t.values))]
	}
	return k
}

// worldKindOf is the kind of the world of a seed.
func worldKindOf(seed uint64) worldKind {
	if n := chosenWorlds(); seed <= uint64(len(n)) {
		return n[seed-1]
	}
	return drawKind(rand.New(rand.NewPCG(seed, 35)))
}

// reloadedWorld is the game of a seed after some reloads: each changes a number, the second adds fields, which move
// others, the third a hook.
func reloadedWorld(seed uint64, reloads int) string {
	text := strings.Replace(generatedWorld(seed), "mass = 3.0", fmt.Sprintf("mass = %d.5", 3+reloads), 1)
	if reloads >= 2 {
		text = strings.ReplaceAll(text, "state = { ", `state = { a_first = 7, fresh = { "number", show = "step" }, `)
	}
	if reloads >= 3 {
		text += "function Ball:onContact() self.fresh = self.fresh + 1 end\n"
	}
	return text
}

// generatedWorld is the game of a seed.
func generatedWorld(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 33))
	kind := worldKindOf(seed)
	hook, extra := "applyInput(input)", ""
	if kind["authority"] == "owner" {
		extra = `authority = "owner", moves = { speed = 30 },`
	}
	if kind["ticking"] == "independent" {
		extra, hook = extra+` ticking = "independent",`, "simulate(input, dt)"
	}
	culls := ""
	if kind["culling"] == "function" {
		culls = "function predicted(v, o) return (math.floor(tickNumber() / 90) + #o.class) % 2 == 0 end"
	}
	unseen := []string{"hidden = true,", "range = 4,"}[rng.IntN(2)]
	wide := ""
	if rng.IntN(2) == 0 {
		wide = strings.Join(each(80, func(i int) string { return fmt.Sprintf(`w%d = { "number", show = "step" }`, i) }), ", ")
	}
	fill, names := "", ""
	if wide != "" {
		names = `local WIDE = {} for i = 1, 80 do WIDE[i] = "w" .. i end`
		fill = `if self.clock % 4 == 0 then for i, name in ipairs(WIDE) do self[name] = self.clock * 1000003 + i end end`
	}
	dear, dearly, dears := "", "", ""
	if kind["work"] == "dear" {
		dear = fmt.Sprintf(`Dear = object "Dear" { state = { n = 0 } }
function Dear:tick()
  self.n = self.n + 1
  if tickNumber() %% 300 > 280 and tickNumber() < %d then for i = 1, 20000 do end end
end`, worldPlays)
		dearly = "if input.u and input.l and tickNumber() % 250 > 200 then for i = 1, 40000 do end end"
		dears = `for i = 1, 5 do spawn("Dear") end`
	}
	tie := []string{"rope", "rod", "spring"}[rng.IntN(3)]
	return strings.NewReplacer("PILOT", kind["holder"], "EXTRA", extra, "HOOK", hook, "CRATE", kind["crates"],
		"BALL", kind["carried"], "UNSEEN", unseen, "CULLS", culls,
		"NAMES", names, "WIDE", wide, "DEARLY", dearly, "DEARS", dears, "DEAR", dear, "FILL", fill, "TIE", tie, "PLAYS", fmt.Sprint(worldPlays)).Replace(ordinaryLua(seed).Replace(`
MODULE
NAMES
local function go(self, input)
  if tickNumber() > PLAYS then return end
  DEARLY
  PONDERS
  local x, y = self:getPosition()
  self:setVelocity(SPEED)
  if input:pressed("Fire") then
    self.shots = self.shots + 1
    cue("shot", { shot = self.shots })
  end
end
Pilot = object "Pilot" {
  lod = "PILOT", EXTRA
  input = { l = "bool", r = "bool", u = "bool", d = "bool", Fire = "bool" },
  state = { shots = 0, hits = 0 MEMORY TEAM },
  body = { shape = { circle = 0.5 }, density = 1, linear_damping = 4, angular_damping = 4 },
}
function Pilot:HOOK go(self, input) end
function Pilot:onContact(other) self.hits = HITS end
ROOKIES
Crate = object "Crate" {
  lod = "CRATE",
  state = { hits = 0, clock = { "number", show = "step" } MEMORY, WIDE },
  body = { shape = { box = { 0.8, 0.8 } }, density = 0.5, linear_damping = 4, angular_damping = 4 },
}
function Crate:onContact() self.hits = self.hits + 1 end
function Crate:tick()
  self.clock = math.floor(math.min(tickNumber(), PLAYS) / 15)
  FILL
  OTHERS
end
HEAVY
Ball = object "Ball" {
  lod = "BALL", state = { taken = 0 },
  body = { shape = { circle = 0.3 }, mass = 3.0, linear_damping = 2, angular_damping = 4 },
}
function Ball:tick()
  if tickNumber() % 120 ~= 60 or tickNumber() > PLAYS then return end
  local x, y = self:getPosition()
  local p = nearest("Pilot", x, y)
  self.taken = self.taken + 1
  if self:getHolder() then self:detach() self:setVelocity(4, 3)
  elseif p then self:attach(p, 0.9, 0.1) end
end
DEAR
Post = object "Post" { lod = "interpolate", UNSEEN body = { type = "static", shape = { circle = 0.1 }, layer = "post", collides = { "wall" } } }
function onStart()
  for i = 1, 10 do
    local c = spawn(KIND, { x = (i % 5) * 4 - 8, y = math.floor(i / 5) * 5 - 5 })
    if i % 4 == 0 then TIE(spawn("Post", { x = 15, y = 10 }), c, { length = 18 }) end
  end
  spawn("Ball", { x = 1, y = 1 })
  FREE
  DEARS
end
function onJoin(player)
  JOIN
  spawn("Pilot", { x = 3 * player - 8, y = 8, owner = player })
end
CULLS
`))
}

// wanderer holds drawn directions for a while, and presses Fire in one tick of 31.
type wanderer struct{ seed uint64 }

func (w *wanderer) Input(r world.Reader, slot int) (in world.Input) {
	t := uint64(r.Tick())
	x := (t/37 + w.seed*1000003) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	for _, f := range r.Class(slot).Inputs {
		switch {
		case f.Name != "Fire":
			in.Buttons |= uint32(x>>(7+f.Index)) & 1 << f.Index
		case (t+7*w.seed)%31 == 0:
			in.Press(f.Index, 1)
		}
	}
	return in
}

// worldEye is what one client has shown of a generated world.
type worldEye struct {
	shots map[ownShot]*shotEvents
	clock map[string]float64 // of each crate, by field
	back  string             // the first field that went back
}

func (e *worldEye) of(c *world.Cue) *shotEvents {
	s := ownShot{object: c.Object, number: fieldOf(c, "shot")}
	if e.shots[s] == nil {
		e.shots[s] = &shotEvents{}
	}
	return e.shots[s]
}

func (e *worldEye) take(ev room.CueEvent) {
	switch s := e.of(&ev.Cue); ev.Kind {
	case room.CueFired:
		s.fired++
	case room.CueCancelled:
		s.gone++
	case room.CueMoved:
		if was := e.of(&ev.Was); was != s {
			was.gone++
			s.fired++
		}
	}
}

func (e *worldEye) look(v *room.View) {
	for i := range v.Bodies {
		b := &v.Bodies[i]
		for _, name := range [...]string{"clock", "w40"} {
			n, err := b.Fields().Number(name)
			if err != nil {
				continue
			}
			key := b.ID.String() + name
			if n < e.clock[key] && e.back == "" {
				e.back = fmt.Sprintf("%s of %s %s goes from %v back to %v", name, b.Class, b.ID, e.clock[key], n)
			}
			e.clock[key] = n
		}
	}
}

// TestGeneratedWorlds plays generated worlds on all lines: each cue, own ones too, is shown once, fields never go back,
// and when all is at rest, every client shows every object that it may see where the host has it, with equal fields. The
// seeds of a full run have every pair of authority, ticking, levels of holders and of what they carry, culling and reloads.
func TestGeneratedWorlds(t *testing.T) {
	t.Parallel()
	seeds := draws.Seeds(draws.Pick(4, len(chosenWorlds())))
	t.Logf("%d worlds have all %d pairs", len(chosenWorlds()), allPairs())
	if n := slices.IndexFunc(seeds, func(seed uint64) bool { return strings.Contains(generatedWorld(seed), "require") }); n < 0 {
		t.Error("no world has modules and caught errors")
	}
	log, games := &luaLog{}, 0
	t.Cleanup(func() { log.check(t, games, !draws.Full()) })
	for i, seed := range seeds {
		for j, name := range []string{"awful", "average", "bad", "off"} {
			if !draws.Full() && i%4 != j {
				continue
			}
			games++
			t.Run(fmt.Sprintf("seed=%d/%s", seed, name), func(t *testing.T) {
				t.Parallel()
				line, err := memlink.ParseProfile(name)
				must(t, err)
				playGenerated(t, seed, line, log)
			})
		}
	}
}

func playGenerated(t *testing.T, seed uint64, line memlink.Profile, log *luaLog) {
	const spectator = 3
	log.plays()
	text, kind := generatedWorld(seed), worldKindOf(seed)
	game := func(text string) *bundle.Bundle {
		b := shooterBundle(text)
		b.Files = worldFiles(text)
		if kind["culling"] == "range" {
			b.Rules.Prediction.Range = 6
		}
		b.Setup.Walls = []world.Wall{{Y: -12, W: 42, H: 1}, {Y: 12, W: 42, H: 1}, {X: -20.5, W: 1, H: 25}, {X: 20.5, W: 1, H: 25}}
		return b
	}
	prices := timeline.TypicalPrices
	if kind["work"] == "dear" {
		prices.Instruction = time.Microsecond
	}
	var eyes []*worldEye
	truth := &worldEye{shots: map[ownShot]*shotEvents{}}
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 4, Profile: line, Bundle: game(text), Compile: log.compile(seed, true),
		Controls: func(i int) client.Controls { return &wanderer{uint64(i) + seed} },
		Host:     func(c *host.Config) { c.On.Cue, c.Prices = truth.take, prices },
		Client: func(i int, c *client.Config) {
			if i == spectator {
				c.Kind = client.Spectator
			}
			c.Verify = draws.Full() || i == 0 && kind["ticking"] == "fixed" // each frame is a rewind, all of which it repeats
			c.Compile = log.compile(seed, c.Verify)
			e := &worldEye{shots: map[ownShot]*shotEvents{}, clock: map[string]float64{}}
			eyes = append(eyes, e)
			c.Cues, c.Prices = e.take, prices
		}})
	var v room.View
	reloads, culled := 0, 0
	for sim.Host.Now() < worldPlays+worldRests {
		if next := world.Tick(300 + 150*reloads); kind["reloads"] != "none" && next < worldPlays && sim.Host.Now() >= next {
			reloads++
			switchTo(t, sim, game(reloadedWorld(seed, reloads)))
		}
		sim.Run(4 * simtest.PollEvery)
		for i, c := range sim.Clients {
			if c.Stage() == room.StagePlaying {
				c.View(&v)
				eyes[i].look(&v)
			}
		}
	}
	for i, c := range sim.Clients {
		e, who := eyes[i], fmt.Sprintf("client %d", i)
		// What a client has predicted of a hook that the host suspends is corrected.
		if e.back != "" && (kind["work"] != "dear" || kind["crates"] == "interpolate") {
			t.Errorf("%s: %s", who, e.back)
		}
		e.compareShots(t, who, truth, kind)
		if i != spectator { // who waits for the world after a reload, and gets the cues whose effects still last
			// The host may run the frame of the first one in a tick before the client was at its present.
			e.missesNone(t, who, truth, ownObject(sim, i), 2)
		}
		c.View(&v)
		compareAtRest(t, who, sim, &v)
		r := sim.Report(i)
		if d := c.Desync(); d != nil || r.Confirmed.Mismatched > 0 || i != spectator && r.Confirmed.Compared == 0 {
			t.Errorf("%s: %+v; %v", who, r.Confirmed, d)
		}
		if r.Culling != nil {
			culled += r.Culling.Culled
		}
	}
	if kind["culling"] != "none" && kind["crates"] == "predict" && culled == 0 {
		t.Error("no crate was culled")
	}
	if w := sim.Host.Report(sim.Now).Work; (w.Suspended > 0) != (kind["work"] == "dear") {
		t.Errorf("%+v", w)
	}
	if r := sim.Host.Report(sim.Now); r.ScriptErrors > 0 || sim.Failed() != nil || len(truth.shots) < 5 {
		t.Errorf("%d script errors, %d shots; %v", r.ScriptErrors, len(truth.shots), sim.Failed())
	}
	if t.Failed() {
		t.Log(kind, text)
	}
}

// compareShots fails if a shot of which the host has a cue was shown twice, or one was shown that the host does not have.
// Where hooks are suspended, a shot that was taken back may come again. The host runs independent frames in other ticks
// than the client: of those at the edges of a suspension only one of them runs the hook.
func (e *worldEye) compareShots(t *testing.T, who string, truth *worldEye, kind worldKind) {
	wrong, n, most, again := []string{}, 0, 0, kind["work"] == "dear"
	if again && kind["ticking"] == "independent" {
		most = 2
	}
	for shot, s := range e.shots { // order: they are counted
		is := truth.shots[shot]
		n += s.fired - s.gone
		if s.fired-s.gone > 1 || s.fired > 1 && !again || s.fired-s.gone == 1 && (is == nil || is.fired == is.gone) {
			wrong = append(wrong, fmt.Sprintf("shot %v of %s fired %d times and was taken back %d times; the host has it: %v", shot.number,
				shot.object, s.fired, s.gone, is != nil))
		}
	}
	slices.Sort(wrong)
	if len(wrong) > most || n == 0 {
		t.Errorf("%s shows %d shots; %d are wrong: %s", who, n, len(wrong), strings.Join(wrong[:min(len(wrong), 3)], "; "))
	}
}

// missesNone fails if a shot of the client's own object, of a number from least on, has happened at the host and is not
// shown.
func (e *worldEye) missesNone(t *testing.T, who string, truth *worldEye, own world.ObjectID, least float64) {
	missing, n := []string{}, 0
	for shot, is := range truth.shots { // order: sorted below
		if shot.object != own || shot.number < least || is.fired == is.gone {
			continue
		}
		n++
		if s := e.shots[shot]; s == nil || s.fired == s.gone {
			missing = append(missing, fmt.Sprint(shot.number, s))
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("%s lacks %d of its %d shots: %s", who, len(missing), n, strings.Join(missing[:min(len(missing), 5)], "; "))
	}
}

// compareAtRest fails unless a view has all pilots, crates and the ball where the host has them, with equal fields.
func compareAtRest(t *testing.T, who string, sim *simtest.Sim, v *room.View) {
	s, schema := sim.Host.State(), sim.Host.Schema()
	wrong := []string{}
	for _, slot := range s.Run {
		o, at := &s.Objects[slot], s.Body(int(slot))
		class := &schema.Classes[o.Class]
		if at.Key == 0 || !slices.Contains([]string{"Pilot", "Rookie", "Crate", "Heavy", "Giant", "Ball"}, class.Name) {
			continue
		}
		if math.Hypot(at.VX, at.VY) > 0.01 {
			wrong = append(wrong, fmt.Sprintf("%s %s does not rest: %v m/s", class.Name, o.ID, math.Hypot(at.VX, at.VY)))
			continue
		}
		i := slices.IndexFunc(v.Bodies, func(b room.ViewBody) bool { return b.ID == o.ID })
		if i < 0 {
			wrong = append(wrong, fmt.Sprintf("%s %s is not shown", class.Name, o.ID))
			continue
		}
		b := &v.Bodies[i]
		if off := math.Hypot(b.X-at.X, b.Y-at.Y); off > 0.02 {
			wrong = append(wrong, fmt.Sprintf("%s %s is shown %.3f m off", class.Name, o.ID, off))
		}
		for j := range class.Declared() {
			f := &class.Fields[j]
			if !slices.Equal(b.Row().Words(f), s.Row(int(slot)).Words(f)) {
				wrong = append(wrong, fmt.Sprintf("%s %s has another %s", class.Name, o.ID, f.Name))
				break
			}
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%s: %d differences: %s", who, len(wrong), strings.Join(wrong[:min(len(wrong), 4)], "; "))
	}
}
