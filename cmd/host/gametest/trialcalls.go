package gametest

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/world"
)

// The size of a trial of the functions of calls.
const (
	callsFrom  = 30 // ticks before the first call, in which players get their objects
	callEvery  = 4  // ticks from one call to the next
	plainCalls = 4  // of a function that takes nothing but a player
	mostCalls  = 24 // of one that takes values
	longText   = "words that go on for longer than most texts that a game keeps"
	afterCalls = 900 // most ticks after the last call, for timers, and for hooks of what the functions spawned
)

// calling calls the functions that a game declares in calls, in turn, each with several values.
type calling struct {
	functions []*tried
	rounds    int
	given     bool // not all are commands without values
}

// tried is a function, and how the calls of it ended.
type tried struct {
	*world.Function
	texts   []string
	numbers []float64
	line    string   // of the call that runs, as somebody would write it
	fine    bool     // a call ended without an error
	varies  bool     // not all errors are the same
	failed  []failed // what failed, one for each place
}

// failed is a call that failed.
type failed struct {
	*world.ScriptError
	line string
}

// newCalling returns the calls of the functions of a game; nil if it declares none. plain asks for those that players may
// call with nothing else. The function of an entry form is called when players join.
func newCalling(schema *world.Schema, files []world.Source, plain bool) *calling {
	c := &calling{}
	for i := range schema.Functions {
		f := &schema.Functions[i]
		t := &tried{Function: f}
		if f.Entry != nil || plain && !t.plain() {
			continue
		}
		c.given = c.given || !t.plain()
		t.texts, t.numbers = valuesFor(f.Name, files)
		c.functions = append(c.functions, t)
		c.rounds = max(c.rounds, t.calls())
	}
	if len(c.functions) == 0 {
		return nil
	}
	return c
}

// ticks returns how many ticks the calls take.
func (c *calling) ticks() int { return callsFrom + callEvery*c.rounds*len(c.functions) }

// next returns the event of the call in a tick; ok is false if there is none. All functions are called once before one
// is called again: some only work after others.
func (c *calling) next(tick int, schema *world.Schema, s *world.State) (e world.Event, ok bool) {
	n := (tick - callsFrom) / callEvery
	if tick < callsFrom || (tick-callsFrom)%callEvery != 0 || n >= c.rounds*len(c.functions) {
		return e, false
	}
	t, round := c.functions[n%len(c.functions)], n/len(c.functions)
	if round >= t.calls() {
		return e, false
	}
	e = world.Event{Kind: world.CallEvent, Name: t.Name, Values: t.values(round, s)}
	t.line = t.written(e.Values, schema, s)
	return e, true
}

// note notes how a call ended.
func (c *calling) note(function string, err error) {
	at := slices.IndexFunc(c.functions, func(t *tried) bool { return t.Name == function })
	if at < 0 {
		return
	}
	t := c.functions[at]
	var se *world.ScriptError
	if !errors.As(err, &se) {
		t.fine = t.fine || err == nil
		return
	}
	if len(t.failed) > 0 && t.failed[0].Error() != se.Error() {
		t.varies = true
	}
	if !slices.ContainsFunc(t.failed, func(f failed) bool { return f.Place() == se.Place() }) {
		t.failed = append(t.failed, failed{se, t.line})
	}
}

// made are the kinds of the parameters whose values a trial makes up: not the player of a command.
func (t *tried) made() []world.FieldKind {
	if t.Command {
		return t.Params[1:]
	}
	return t.Params
}

// plain reports whether any player may call the function as the trial does.
func (t *tried) plain() bool { return t.Command && len(t.Params) == 1 }

func (t *tried) calls() int {
	if len(t.made()) == 0 {
		return plainCalls
	}
	return mostCalls
}

// values returns the arguments of the n-th call.
func (t *tried) values(n int, s *world.State) (values []world.NamedValue) {
	for i, kind := range t.Params {
		var v world.Value
		nth := func(of int) int { return (n + i*(n/of)) % of }
		switch {
		case i == 0 && t.Command:
			v = world.NumberValue(float64(1 + n%trialPlayers))
		case kind == world.Number:
			v = world.NumberValue(t.numbers[nth(len(t.numbers))])
		case kind == world.Bool:
			v = world.BoolValue(nth(2) == 0)
		case kind == world.String:
			if v = world.TextValue(t.texts[nth(len(t.texts))]); t.Command && i < len(t.Params)-1 {
				v.Text, _, _ = strings.Cut(v.Text, " ") // only the last one has spaces
			}
		default:
			if ids := oneOfEach(s); len(ids) > 0 {
				v = world.RefValue(ids[nth(len(ids))])
			} else {
				v = world.RefValue(0)
			}
		}
		values = append(values, world.NamedValue{Value: v})
	}
	return values
}

// oneOfEach returns an object of each class.
func oneOfEach(s *world.State) (ids []world.ObjectID) {
	had := map[uint16]bool{}
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; !had[o.Class] && o.ID != world.MatchID {
			had[o.Class] = true
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// written returns a call as a player writes it in the chat, or as the program that runs the host calls it.
func (t *tried) written(values []world.NamedValue, schema *world.Schema, s *world.State) string {
	var words []string
	for i := range values {
		word := values[i].Value.String()
		switch {
		case t.Command && values[i].Kind == world.String:
			word = values[i].Text
		case values[i].Kind == world.Ref:
			word = "nil"
			if slot, ok := s.Find(world.ObjectID(values[i].Word)); ok {
				word = "a " + schema.Classes[s.Objects[slot].Class].Name
			}
		}
		words = append(words, word)
	}
	if t.Command {
		return strings.Join(append([]string{"/" + t.Name}, words[1:]...), " ")
	}
	return t.Name + "(" + strings.Join(words, ", ") + ")"
}

var (
	rxText   = regexp.MustCompile(`"([^"\\\n]{1,40})"|'([^'\\\n]{1,40})'`)
	rxNumber = regexp.MustCompile(`\b\d{1,9}(?:\.\d{1,6})?\b`)
)

// valuesFor returns texts and numbers for the parameters of a function: some of any kind, and those that the scripts
// write out, first those in the function itself. What a function compares its parameters with is usually among them.
func valuesFor(function string, files []world.Source) (texts []string, numbers []float64) {
	texts, numbers = []string{"x", "1", "a b c", "1 2", "1,2", longText}, []float64{1, 0, 2, 3, 100, 1e4, 1e6}
	add := func(script string) {
		for _, m := range rxText.FindAllStringSubmatch(script, -1) {
			if text := strings.TrimSpace(cmp.Or(m[1], m[2])); text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
		for _, word := range rxNumber.FindAllString(script, -1) {
			v, err := strconv.ParseFloat(word, 64)
			for _, n := range [2]float64{v, v + 1} { // for comparisons with > and <
				if err == nil && !slices.Contains(numbers, n) {
					numbers = append(numbers, n)
				}
			}
		}
	}
	head := regexp.MustCompile(`\bfunction\s+` + regexp.QuoteMeta(function) + `\s*\(|\b` + regexp.QuoteMeta(function) + `\s*=\s*function\b`)
	for _, f := range files {
		if at := head.FindStringIndex(f.Text); at != nil && f.Name != world.ViewFile {
			own := f.Text[at[1]:]
			if end := strings.Index(own, "\nend"); end >= 0 {
				own = own[:end]
			}
			add(own)
		}
	}
	for _, f := range files {
		if f.Name != world.ViewFile {
			add(f.Text)
		}
	}
	return texts[:min(len(texts), mostCalls)], numbers[:min(len(numbers), mostCalls)]
}

// call plays the game once more and calls functions that it declares, as players and the program that runs the host
// may. What it reaches counts as reached. A function that fails in the same way in all of its calls is a mistake if a
// player may call it, and otherwise if it takes no text or object, which the program may know better how to make. What
// lets only some calls of a command fail is doubtful, as players may write it. What fails
// elsewhere, and did not before, is doubtful if a function got values.
func (found *Trial) call(first *reached, program *luabind.Program, calls *calling, limit *limit) {
	t := &trial{game: newReached(program.NewVM(), program), faults: newFaults(), limit: limit, calls: calls}
	t.game.calls = calls
	t.game.inherit(first)
	t.game.hadBy(first)
	t.play(calls.ticks(), calls.ticks()+afterCalls, func(float64) {})
	found.cut(t)
	first.inherit(t.game)
	found.Missed = first.missed()
	for _, f := range calls.functions {
		certain := !f.fine && !f.varies && (f.Command ||
			!slices.Contains(f.Params, world.String) && !slices.Contains(f.Params, world.Ref))
		for _, e := range f.failed {
			switch {
			case contains(found.Errors, e.ScriptError):
			case certain || f.plain():
				found.Errors = append(found.Errors, e.ScriptError)
				found.Calls[e.Place()] = e.line
			case f.Command:
				found.doubt(e.ScriptError, "the trial run wrote "+e.line+" for a player")
			case !f.fine:
				found.doubt(e.ScriptError, "the trial run called "+e.line+" itself")
			}
		}
	}
	places := map[string]bool{}
	for _, e := range t.errors(func(e *world.ScriptError, _ string) bool {
		return e.Hook != world.HostEvent && !contains(found.Errors, e)
	}) {
		switch {
		case !calls.given && !e.Budget:
			found.Errors = append(found.Errors, e)
		case !places[e.Place()]:
			places[e.Place()] = true
			found.doubt(e, "the trial run called the functions of calls itself, with values that it made up")
		}
	}
}
