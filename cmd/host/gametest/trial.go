package gametest

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// The size of a trial run, in ticks.
const (
	leastTicks   = 600  // cues and changes of the match come later than the first second
	mostTicks    = 3600 // for hooks that have not been called until then
	crowdedTicks = 90   // with one more object of each class
	loneTicks    = 900  // most ticks of that, for hooks of classes of which the game spawns nothing
	trialPlayers = 2    // who stay
	guestComes   = 120  // one more joins
	guestGoes    = 240  // and leaves
	guestEvery   = 20   // then, others come and go who choose other answers of an entry form
	guestStays   = 60
	meetEvery    = 12  // two objects are brought together
	meetSpan     = 120 // for so long; for as long after it, they touch what they meet by themselves
	removeFrom   = 420 // an object is removed, if its class has an onRemove that has not been called
	removeEvery  = 60
)

// TrialOptions say how a trial run is watched.
type TrialOptions struct {
	// Stopwatch returns the time since any fixed moment; nil: the run takes as long as it takes.
	Stopwatch func() time.Duration
	// Progress is called now and then with the share that is done, 0 to 1; nil: nobody wants to know.
	Progress func(share float64)
}

// Trial is the result of a trial run.
type Trial struct {
	Errors []*world.ScriptError // of hooks and of view.lua, each once: mistakes
	// Missed are the hooks that the game declares and that were not called, functions of calls, and timers that ran and were
	// not due in time: Class:function, or function for game.lua, sorted.
	Missed []string
	Cut    Cut             // it ended before it had played enough
	Load   Load            // the tick that was the most work, in the game as it is
	Shown  luabind.HUDCost // the most that hud and camera of view.lua took for a frame
	// Spawned are the classes with hooks of which the game spawned nothing and the trial two objects: sorted.
	Spawned []string
	// Calls are the calls in which functions of calls failed that are among Errors, by the FILE:LINE of the error: as a
	// player writes them, /go 3, or as the program that runs the host calls them, go(3).
	Calls map[string]string
	// Doubtful are errors that may be no mistakes, each once: of such objects, if they come about only because what the
	// game would have spawned them with is missing, and of calls with values that the trial made up.
	Doubtful []Doubt
	// Overlooked is what hooks overlook of changes of other objects, which take effect when the order ends: each once.
	Overlooked []*world.ScriptError
}

// Cut is why a trial run ended early.
type Cut uint8

// Reasons to end a trial run early.
const (
	NotCut  Cut = iota
	TooMuch     // the counted work of its ticks was too much: so it is on any machine
	TooLong     // the machine, which is slow or busy, took too long for that work
)

// Doubt is an error that may be no mistake.
type Doubt struct {
	*world.ScriptError
	Why string // for people: what the trial run did itself
}

// doubt adds an error to Doubtful, once for each place and reason.
func (found *Trial) doubt(e *world.ScriptError, why string) {
	found.Doubtful = append(found.Doubtful, Doubt{e, why})
}

// onceDoubted joins the errors of one reason that are about one thing, and leaves out places that others have.
func onceDoubted(list []Doubt, files []world.Source) (out []Doubt) {
	var whys []string
	by := map[string][]*world.ScriptError{}
	for _, d := range list {
		if by[d.Why] == nil {
			whys = append(whys, d.Why)
		}
		by[d.Why] = append(by[d.Why], d.ScriptError)
	}
	for _, why := range whys {
		before := out
		for _, e := range oncePerPlace(by[why], files) {
			if !slices.ContainsFunc(before, func(d Doubt) bool { return d.Place() == e.Place() }) {
				out = append(out, Doubt{e, why})
			}
		}
	}
	return out
}

// Load is the work of a tick, and how many objects of each class there were then.
type Load struct {
	Work    timeline.Work
	Objects map[string]int
}

// Try plays a game with two players who press random keys, and a third one who joins and leaves, and shows it with its
// view.lua and the functions of fields for show. It goes on until every hook of the game has been called, and the
// function of every timer that runs and is due in time, for at most
// a minute of the game: objects whose class has a hook for contacts are now and then brought to others that they can touch,
// and an object is removed of each class with an onRemove. If the game declares functions in calls, it is played once more, and these are called
// (Trial.call). Then it plays again for a moment with one more object of each class, close to each
// other. Of that it returns as Errors only those of hooks that exceed their budget, because the game may never spawn
// such objects so close to each other. Of a class of which nothing spawns an object, that object is brought to others
// and removed, too. What fails there is one of the Errors, unless it is Doubtful. A class that others extend and no
// file spawns is not one of these: its methods may be there to be overridden.
func Try(game *scripts.Game, o TrialOptions) Trial { return try(game, o, trialWork) }

// try is Try, with at most so much counted work.
func try(game *scripts.Game, o TrialOptions, most time.Duration) (found Trial) {
	found.Calls = map[string]string{}
	defer func() {
		found.Errors = oncePerPlace(found.Errors, game.Bundle.Files)
		found.Doubtful = onceDoubted(found.Doubtful, game.Bundle.Files)
	}()
	if o.Stopwatch == nil {
		o.Stopwatch = func() time.Duration { return 0 }
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	quick := *game
	bundled := *game.Bundle
	// onLeave comes after it
	bundled.Setup.GraceTicks = min(bundled.Setup.GraceTicks, world.Tick(bundled.Setup.TickRate))
	quick.Bundle = &bundled
	var program *luabind.Program
	var overlooked overlooks
	defer func() { found.Overlooked = overlooked.list }()
	script, err := quick.Compile(func(files []world.Source, setup world.Setup) (world.Script, error) {
		p, err := luabind.NewProgram(files, setup)
		if err != nil {
			return nil, err
		}
		program = p
		vm := p.NewVM()
		vm.WatchPending(overlooked.note)
		return vm, nil
	})
	if err != nil {
		return found
	}
	f, limit := newFaults(), newLimit(o.Stopwatch, most)
	t := &trial{game: newReached(script, program), faults: f, shows: newShownTrial(game, f), fields: newShownFields(script, f),
		limit: limit}
	t.play(leastTicks, mostTicks, o.Progress)
	t.fields.rest()
	found.Errors = t.errors(func(*world.ScriptError, string) bool { return true })
	found.Missed = t.game.missed()
	found.cut(t)
	found.Load = t.world.worst
	if t.shows != nil {
		found.Shown = t.shows.most
	}
	if found.Cut != NotCut {
		return found
	}
	first := t.game
	half := limit.half() // the rest is for objects that the trial spawns itself
	if plain := newCalling(program.Schema(), game.Bundle.Files, true); plain != nil {
		found.call(first, program, plain, half)
	}
	if all := newCalling(program.Schema(), game.Bundle.Files, false); all != nil && all.given {
		found.call(first, program, all, half)
	}
	also := slices.DeleteFunc(classesOf(program.Schema()), func(class string) bool {
		return !first.spawned(class) && slices.Contains(first.abstract, class)
	})
	alone := slices.DeleteFunc(slices.Clone(also), func(class string) bool {
		return first.spawned(class) || !first.hasHooks(class)
	})
	crowded := func(filled bool) *trial {
		t := &trial{game: newReached(program.NewVM(), program), faults: newFaults(), limit: limit, also: also, filled: filled}
		t.game.only = alone
		t.play(crowdedTicks, loneTicks, func(float64) {})
		found.cut(t)
		return t
	}
	failed := found.add(first, crowded(false))
	if len(failed) > 0 {
		found.judge(failed, crowded(true))
	}
	return found
}

// cut notes whether a trial had to end before it had played what it wanted to.
func (found *Trial) cut(t *trial) {
	switch {
	case found.Cut != NotCut || !t.ended:
	case t.limit.late():
		found.Cut = TooLong
	default:
		found.Cut = TooMuch
	}
}

// add adds what a trial with one more object of each class has found. It returns what has failed in objects of which
// the game spawns none.
func (found *Trial) add(first *reached, t *trial) (failed []*world.ScriptError) {
	found.Errors = append(found.Errors, t.errors(func(e *world.ScriptError, class string) bool {
		lone := slices.Contains(t.game.only, class)
		switch {
		case contains(found.Errors, e):
			return false
		case lone && !e.Budget && !contains(failed, e):
			failed = append(failed, e)
		}
		return e.Budget
	})...)
	found.Spawned = slices.DeleteFunc(slices.Sorted(slices.Values(t.game.only)), func(class string) bool {
		return !t.game.spawned(class)
	})
	// order: sets are joined
	for c := range t.game.seen {
		first.seen[c] = first.seen[c] || slices.Contains(t.game.only, c.class)
	}
	// order: sets are joined
	for c := range t.game.begun {
		first.begun[c] = first.begun[c] || slices.Contains(t.game.only, c.class)
	}
	found.Missed = first.missed()
	return failed
}

// judge tells mistakes from what failed only because nothing set the objects up: it does not fail again in filled, a
// trial that gave their fields other values, or it is about a nil where the game may give a value.
func (found *Trial) judge(failed []*world.ScriptError, filled *trial) {
	again := filled.errors(func(*world.ScriptError, string) bool { return true })
	for _, e := range failed {
		if contains(again, e) && !(strings.Contains(e.Message, "nil") && filled.game.isGiven(e.Class)) {
			found.Errors = append(found.Errors, e)
		} else {
			found.doubt(e, "the trial run spawned the "+e.Class+" itself, without what the game would give it")
		}
	}
}

func classesOf(schema *world.Schema) (names []string) {
	for _, c := range schema.Classes {
		if !world.BuiltIn(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// trial is a game that is played for a moment.
type trial struct {
	game   *reached
	faults *faults
	shows  *shownTrial  // nil: there is no view.lua
	fields *shownFields // nil: no function shows a field
	limit  *limit
	also   []string // the classes of which there is one more object
	filled bool     // what nothing else spawns has no field with the value zero
	calls  *calling // nil: no functions are called

	world *alone
	ended bool // the limit ended it
	met   int  // how often objects were brought together
}

// play plays the game for at least some ticks, and for at most some if hooks have not been called.
func (t *trial) play(least, most int, progress func(float64)) {
	keys := newHeld()
	a, err := openAlone(&watched{Script: t.game, faults: t.faults, prints: func(string) {}}, keys, trialPlayers,
		t.answer, t.limit)
	t.world = a
	if err != nil {
		t.ended = a.tl.Interrupted()
		return
	}
	for i, class := range t.also {
		t.spawn(i, class)
	}
	for tick := range most {
		if t.limit.over(0) {
			t.ended = true
			return
		}
		if tick >= least && t.game.isDone(a.state(), most-tick) {
			return
		}
		t.press(keys, tick)
		t.happen(tick)
		if a.step(1) != nil {
			t.ended = true
			return
		}
		t.game.note(a.state())
		if t.shows != nil {
			t.limit.work += timeline.TypicalPrices.Instruction * time.Duration(a.show(t.shows))
		}
		t.fields.follow(a.tl)
		progress(max(float64(tick)/float64(most), t.limit.spent()))
	}
}

// spawn spawns one more object of the i-th class, and two that may touch each other if nothing else spawns it.
// What the world refuses is not there: its hooks are missed.
func (t *trial) spawn(i int, class string) {
	at := world.Placement{Owner: world.PlayerID(i % (trialPlayers + 1))}
	if t.game.hasBody(class) { // the world refuses a place for what has none
		at.X = 0.4 * float64(i)
	}
	n := 1
	var fields host.Fields
	if slices.Contains(t.game.only, class) {
		at.Owner = world.PlayerID(1 + i%trialPlayers) // for hooks that need an input
		n = 2
		if t.filled {
			fields = t.game.fill(class, t.world.state())
		}
	}
	for range n {
		_, _ = t.world.spawn(class, at, fields)
	}
}

// press has each player press other keys.
func (t *trial) press(keys *held, tick int) {
	schema := t.game.Schema()
	for p := 1; p <= trialPlayers+1; p++ {
		inputs := make([]world.Input, len(schema.Classes))
		for c := range inputs {
			inputs[c] = world.Conform(schema.Classes[c].Inputs, pressed(tick/5*7+p))
		}
		keys.hold(world.PlayerID(p), inputs)
	}
}

// answer answers the entry form: the first player with nothing, the others each with other options.
func (t *trial) answer(form *world.EntryForm, p world.PlayerID) string {
	var words []string
	for _, q := range form.Questions {
		if p > 1 {
			words = append(words, q.Name+"="+q.Options[int(p-2)%len(q.Options)].Name)
		}
	}
	if words == nil {
		return unanswered(form, p)
	}
	return strings.Join(words, " ")
}

// choosers returns how many players it takes to choose each option of the entry form.
func (t *trial) choosers() (n int) {
	if _, form := t.game.Schema().Functions.EntryForm(); form != nil {
		for _, q := range form.Questions {
			n = max(n, 1+len(q.Options))
		}
	}
	return n
}

// choose has those come and go who choose what nobody has chosen yet.
func (t *trial) choose(tick int) {
	const first = trialPlayers + 2
	for p := first; p <= t.choosers(); p++ {
		switch comes := guestGoes + guestEvery*(p-first+1); tick {
		case comes:
			_ = t.world.enter(t.game.Schema(), world.PlayerID(p), t.answer)
		case comes + guestStays:
			_ = t.world.insert(world.Event{Kind: world.LeaveEvent, Player: world.PlayerID(p)})
		}
	}
}

// happen has happen in the next tick what may take long to happen by itself. An event that the game refuses does not.
func (t *trial) happen(tick int) {
	const guest = trialPlayers + 1
	t.choose(tick)
	if t.calls != nil {
		if e, ok := t.calls.next(tick, t.game.Schema(), t.world.state()); ok {
			_ = t.world.act(e)
		}
	}
	switch {
	case tick == guestComes:
		_ = t.world.enter(t.game.Schema(), guest, t.answer)
	case tick == guestGoes:
		_ = t.world.insert(world.Event{Kind: world.LeaveEvent, Player: guest})
	case tick >= removeFrom && tick%removeEvery == 0:
		if id := t.game.doomed(t.world.state()); id != 0 {
			_ = t.world.act(world.Event{Kind: world.RemoveEvent, Object: id})
		}
	case tick > 0 && tick%meetEvery == 0 && tick/meetSpan%2 == 0:
		t.met++
		if values := t.game.meet(t.world.state(), t.met); values != nil {
			_ = t.world.act(world.Event{Kind: world.CallEvent, Name: bring, Values: values})
		}
	}
}

// pressed returns the n-th of many different inputs.
func pressed(n int) (in world.Input) {
	bits := uint32(n) * 2654435761 // Knuth's multiplicative hash
	in.Buttons = bits ^ bits>>16
	for i := range in.Axes {
		in.Axes[i] = float64(int8(bits>>i)) / 64
	}
	return in
}

// errors returns the errors so far that keep keeps, each once. class is that of the object.
func (t *trial) errors(keep func(e *world.ScriptError, class string) bool) (out []*world.ScriptError) {
	for _, err := range t.faults.take() {
		var se *world.ScriptError
		if errors.As(err, &se) && keep(se, t.faults.class[err]) && !contains(out, se) {
			out = append(out, se)
		}
	}
	return out
}

// contains reports whether the list has the same error, of whatever object.
func contains(list []*world.ScriptError, e *world.ScriptError) bool {
	return slices.ContainsFunc(list, func(o *world.ScriptError) bool { return o.Error() == e.Error() })
}
