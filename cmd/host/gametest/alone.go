package gametest

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// alone is a world without a network: every input is in time.
type alone struct {
	tl    *timeline.Timeline
	held  *held
	acted uint32        // host events so far
	work  timeline.Work // memory
	worst Load
	limit *limit // nil: none
	// players is the greatest number of a player so far.
	players world.PlayerID
	shown   []world.Cue // so far, without a limit
}

// aloneStates is the number of states kept: nothing is rewound.
const aloneStates = 2

// openAlone opens a world, with players who give answers if the game has an entry form. A tick is given up before the
// hook that is over the limit; nil: there is none. The world is there if there is an error, too, and may not go on.
func openAlone(script world.Script, held *held, players int, answers answers, limit *limit) (*alone, error) {
	a := &alone{held: held, limit: limit}
	o := timeline.Options{States: aloneStates, Prices: timeline.TypicalPrices}
	if limit != nil {
		o.Stop = func() bool { return limit.over(a.tl.Spent()) }
	}
	a.tl = timeline.New(script, o)
	a.tl.KeepCues(true)
	for p := 1; p <= players; p++ {
		if err := a.enter(script.Schema(), world.PlayerID(p), answers); err != nil {
			return a, err
		}
	}
	a.players = world.PlayerID(players)
	return a, a.step(2)
}

// answers are what a player answers to an entry form.
type answers func(form *world.EntryForm, p world.PlayerID) string

// unanswered answers nothing.
func unanswered(*world.EntryForm, world.PlayerID) string { return "-" }

// enter has a player join, in tick 2 or the next one.
func (a *alone) enter(schema *world.Schema, p world.PlayerID, answers answers) error {
	if err := a.insert(world.Event{Kind: world.JoinEvent, Player: p}); err != nil {
		return err
	}
	name, form := schema.Functions.EntryForm()
	if form == nil || !form.Asks() {
		return nil
	}
	values := []world.NamedValue{{Value: world.NumberValue(float64(p))}, {Value: world.TextValue(answers(form, p))}}
	return a.act(world.Event{Kind: world.CallEvent, Name: name, Values: values})
}

// insert inserts an event into tick 2 or the next one. Objects of [[spawn]] are there from tick 1 on.
func (a *alone) insert(e world.Event) error {
	e.Tick = max(a.tl.Now()+1, 2)
	_, err := a.tl.Insert(e, timeline.Origin{})
	return err
}

// act inserts a host event into the next tick.
func (a *alone) act(e world.Event) error {
	a.acted++
	e.Number = a.acted
	return a.insert(e)
}

func (a *alone) join(answers string) (world.PlayerID, error) {
	a.players++
	err := a.enter(a.tl.Schema(a.tl.Now()), a.players, func(*world.EntryForm, world.PlayerID) string { return answers })
	if err != nil {
		return 0, err
	}
	return a.players, a.step(1)
}

func (a *alone) leave(p world.PlayerID) error {
	if err := a.insert(world.Event{Kind: world.LeaveEvent, Player: p}); err != nil {
		return err
	}
	return a.step(1)
}

func (a *alone) cues() []world.Cue { return a.shown }

func (a *alone) state() *world.State { return a.tl.At(a.tl.Now()) }

// step simulates ticks. The error is timeline.ErrInterrupted if one of them was given up; then there is no other one.
func (a *alone) step(ticks int) (err error) {
	if a.tl.Interrupted() {
		return timeline.ErrInterrupted
	}
	defer func() {
		if a.tl.Interrupted() {
			_ = recover() // it is timeline.ErrInterrupted
			err = timeline.ErrInterrupted
		}
	}()
	for range ticks {
		s := a.state()
		for _, slot := range s.Run {
			o := &s.Objects[slot]
			class := &a.tl.Schema(s.Tick).Classes[o.Class]
			in, ok := a.held.of(o)
			frames := class.Independent
			if o.Owner == 0 || !ok && !frames {
				continue
			}
			world.FollowEdges(class, s.Row(int(slot)), &in)
			e := world.Event{
				Tick:   a.tl.Now() + 1,
				Kind:   world.InputEvent,
				Player: o.Owner,
				Object: o.ID,
				Bundle: 1,
				Input:  in,
			}
			if frames { // one each tick, as long as the tick
				e.Kind, e.Number = world.FrameEvent, uint32(e.Tick)
				e.DT = uint16(world.FrameParts / a.tl.Schema(s.Tick).Setup.TickRate)
			}
			if frames && class.Moves != nil { // as in the owner's client, whose frames move the object
				a.tl.Guess(e, true)
			} else if _, err := a.tl.Insert(e, timeline.Origin{}); err != nil {
				return err
			}
		}
		a.tl.Step()
		if a.limit == nil {
			a.shown = append(a.shown, a.tl.Past().Cues(a.tl.Now())...)
		}
		a.weigh()
	}
	return nil
}

// weigh notes the newest tick if it is the most work so far.
func (a *alone) weigh() {
	a.tl.Work(&a.work)
	if a.limit != nil {
		a.limit.work += a.work.Sum()
	}
	if a.work.Sum() <= a.worst.Work.Sum() {
		return
	}
	a.worst.Work = timeline.Work{Hooks: a.work.Hooks, Physics: a.work.Physics, By: slices.Clone(a.work.By)}
	a.worst.Objects = map[string]int{}
	s := a.state()
	for _, slot := range s.Run {
		a.worst.Objects[a.tl.Schema(s.Tick).Classes[s.Objects[slot].Class].Name]++
	}
}

// show shows the newest tick, and returns how many instructions that took.
func (a *alone) show(s *shownTrial) int { return s.follow(a.tl) }

func (a *alone) spawn(class string, at world.Placement, fields host.Fields) (world.ObjectID, error) {
	a.acted++
	e := world.Event{Tick: a.tl.Now() + 1, Kind: world.SpawnEvent, Number: a.acted, Class: class, Place: at}
	schema := a.tl.Schema(a.tl.Now())
	if i, ok := schema.ClassByName(class); ok {
		values, err := fields.Values(&schema.Classes[i])
		if err != nil {
			return 0, err
		}
		e.Values = values
	}
	if err := e.Check(schema); err != nil { // in the tick, nobody would hear of it
		return 0, err
	}
	if _, err := a.tl.Insert(e, timeline.Origin{}); err != nil {
		return 0, err
	}
	return e.Spawned(), a.step(1)
}

func (a *alone) call(function string, args []world.Value) error {
	a.acted++
	e := world.Event{Tick: a.tl.Now() + 1, Kind: world.CallEvent, Number: a.acted, Name: function}
	for _, v := range args {
		e.Values = append(e.Values, world.NamedValue{Value: v})
	}
	if err := e.Check(a.tl.Schema(a.tl.Now())); err != nil {
		return err
	}
	if _, err := a.tl.Insert(e, timeline.Origin{}); err != nil {
		return err
	}
	return a.step(1)
}

// look returns the same state for all players.
func (a *alone) look(p world.PlayerID) (*world.State, *world.Schema, error) {
	if _, here := a.state().PlayerByID(p); p != 0 && !here {
		return nil, nil, fmt.Errorf("there is no player %d: t:world { players = %d }", p, p)
	}
	return a.state(), a.tl.Schema(a.tl.Now()), nil
}

func (a *alone) confirmed() (*world.State, *world.Schema) {
	return a.state(), a.tl.Schema(a.tl.Now())
}

func (a *alone) waitConfirmed() error { return nil }

func (a *alone) desyncs() []string { return nil }
