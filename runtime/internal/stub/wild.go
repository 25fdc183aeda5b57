package stub

import (
	"fmt"
	"math"
	"strings"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// wild is a Script in which a lot happens. Each player has two ships, one of them with owner
// poses, and a walker with independent frames, or a glider, which has both. Hooks spawn and remove bullets and crates.
// Ships change owners when they touch, and tie and carry what is near.
//
// A bundle whose file begins with "other" declares the same classes in another order, with
// other fields, other button numbers and other functions for the host program. One with "Crate:interpolate" gives
// crates that level of detail, one with "aux" declares fields in aux, one with "stats" declares what each player has.
type wild struct{ schema *world.Schema }

// CompileWild returns the Script wild, made for the text of the first file.
func CompileWild(files []world.Source, setup world.Setup) (world.Script, error) {
	other := len(files) > 0 && strings.HasPrefix(files[0].Text, "other")
	ship, bullet, crate := wildShip(other), wildBullet(), wildCrate()
	game := world.Class{
		Name:   world.GameClass,
		Hooks:  1 << world.OnJoin,
		Fields: []world.Field{{Name: "waves", Default: []uint64{0}}, {Name: "mark", Default: []uint64{0}}},
	}
	racer := ship
	racer.Name, racer.Moves = "Racer", &world.MoveRules{Speed: 10}
	racer.Hooks |= 1 << world.Verify
	glider := wildWalker()
	glider.Name, glider.Moves = "Glider", &world.MoveRules{Speed: 10}
	classes := []world.Class{crate, ship, game, racer, bullet, wildWalker(), glider}
	if other {
		classes = []world.Class{bullet, wildWalker(), game, glider, ship, crate, racer}
	}
	classes = addStats(classes, files)
	giveLevels(classes, files)
	giveLedgers(classes, files)
	giveThresholds(classes, files)
	giveAux(classes, files)
	giveTimers(classes, other)
	giveSight(classes, files)
	schema, err := world.NewSchema(classes, setup, wildFunctions(other)...)
	return &wild{schema}, err
}

// giveLevels gives classes the levels of detail that the first file names.
func giveLevels(classes []world.Class, files []world.Source) {
	for i := range classes {
		for _, l := range [...]world.LOD{world.Interpolate, world.Extrapolate} {
			if len(files) > 0 && strings.Contains(files[0].Text, classes[i].Name+":"+l.String()) {
				classes[i].LOD = l
			}
		}
	}
}

// giveSight makes asSeen move ships, crates and bullets, if the first file has the word sees.
func giveSight(classes []world.Class, files []world.Source) {
	for i := range classes {
		if c := &classes[i]; len(files) > 0 && strings.Contains(files[0].Text, " sees") && c.Body != nil {
			c.Seen = &world.SeenRules{}
			if c.Name == "Bullet" {
				c.Seen.Within = 1
			}
		}
	}
}

// peer pushes a ship by what its player saw.
func (s *wild) peer(w world.Actor, slot int, a *world.Args) error {
	return w.Do(world.Op{Target: w.State().Objects[slot].ID, Kind: world.AddImpulse, A: float64(saw(w, slot, a) * 0.1)})
}

// saw returns how many objects the player of an object saw ahead of it, plus how far the nearest crate was.
func saw(w world.Actor, slot int, a *world.Args) float64 {
	b := *w.State().Body(slot)
	crate, _ := w.Schema().ClassByName("Crate")
	w.BeginAsSeen(a.Input.ViewTime, a.Sight)
	push := float64(len(w.Queries().OverlapCircle(b.X+float64(b.Cos*3), b.Y+float64(b.Sin*3), 2, math.MaxUint64, nil)))
	if at, ok := w.Queries().Nearest(b.X, b.Y, crate, 6); ok {
		if st, there, ok := w.See(w.State().Objects[at].ID); ok {
			push += w.SeenBody(st.Objects[there].ID, st.Body(there)).X - b.X
		}
	}
	w.EndAsSeen()
	return push
}

// giveThresholds gives classes thresholds of corrections of their own, if the first file has the word
// strict or lax.
func giveThresholds(classes []world.Class, files []world.Source) {
	for i := range classes {
		c := &classes[i]
		switch {
		case len(files) == 0 || c.Body == nil:
		case strings.Contains(files[0].Text, " strict"):
			c.Correct = &world.CorrectRules{Velocity: -1, AngularVelocity: 0.5}
		case strings.Contains(files[0].Text, " lax"):
			c.Correct = &world.CorrectRules{Position: 5, Angle: -1, Velocity: 20, AngularVelocity: -1}
		}
	}
}

// ledgerWords is how many fields of a ledger there are: more than a snapshot has room for.
const ledgerWords = 60

// giveLedgers gives ships and crates a ledger, if the first file has the word wide: fields that all
// change at once.
func giveLedgers(classes []world.Class, files []world.Source) {
	for i := range classes {
		if c := &classes[i]; len(files) > 0 && strings.Contains(files[0].Text, " wide") &&
			(c.Name == "Ship" || c.Name == "Crate") {
			for j := range ledgerWords {
				c.Fields = append(c.Fields, world.Field{Name: fmt.Sprintf("ledger%d", j), Default: []uint64{0}})
			}
		}
	}
}

// fillLedger changes all fields of the ledger of an object, if it has one.
func fillLedger(w world.Actor, slot int) error {
	s := w.State()
	fields := w.Class(slot).Fields
	for i := range fields {
		if !strings.HasPrefix(fields[i].Name, "ledger") {
			continue
		}
		v := float64(float64(s.Tick)*1e9) + float64(float64(i)*77777)
		if err := w.Do(world.Op{
			Target: s.Objects[slot].ID,
			Kind:   world.SetWord,
			Field:  i,
			Word:   math.Float64bits(v),
		}); err != nil {
			return err
		}
	}
	return nil
}

func wildShip(other bool) world.Class {
	number := func(name string, v float64) world.Field {
		return world.Field{Name: name, Default: []uint64{math.Float64bits(v)}}
	}
	tow := world.Field{Name: "tow", Kind: world.Ref, Default: []uint64{0}}
	ship := world.Class{
		Name:  "Ship",
		Hooks: 1<<world.ApplyInput | 1<<world.OnContact | 1<<world.OnJointBreak,
		Inputs: []world.InputField{{Name: "Turnleft"}, {
			Name:  "Turnright",
			Index: 1,
		}, {
			Name:  "Accel",
			Index: 2,
		}, {
			Name:    "Fire",
			Index:   3,
			Counted: true,
		}},
		Fields: []world.Field{number("fuel", 100), tow, number("bumps", 0)},
		Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1,
			Friction: 0.3, Restitution: 0.4, LinearDamping: 0.5, AngularDamping: 2, GravityScale: 1}, Carried: true},
	}
	if other {
		ship.Inputs = []world.InputField{{
			Name:    "Accel",
			Counted: true,
		}, {
			Name:    "Fire",
			Index:   1,
			Counted: true,
		}, {
			Name:  "Turnleft",
			Index: 2,
		}, {
			Name:  "Turnright",
			Index: 3,
			Once:  true,
		}}
		title := world.Field{Name: "title", Kind: world.String, Cap: 12, Default: []uint64{2, 'h' | 'i'<<8, 0}}
		ship.Fields = []world.Field{number("heat", 3), title, number("bumps", 0), number("fuel", 100), tow}
	}
	return ship
}

func wildWalker() world.Class {
	return world.Class{
		Name:        "Walker",
		Order:       -1,
		Independent: true,
		Hooks:       1 << world.Simulate,
		Inputs:      []world.InputField{{Name: "Turnleft", Counted: true}, {Name: "Turnright", Index: 1}},
		Fields:      []world.Field{{Name: "walked", Default: []uint64{0}}},
		Body: &world.BodySpec{
			Def:     physics.Def{Type: physics.Kinematic, Shape: physics.CircleShape(0.3)},
			Carried: true,
		},
	}
}

func wildBullet() world.Class {
	return world.Class{
		Name:  "Bullet",
		Order: 1,
		Hooks: 1<<world.OnContact | 1<<world.OnTick,
		Body: &world.BodySpec{Def: physics.Def{
			Type:         physics.Dynamic,
			Shape:        physics.CircleShape(0.1),
			Density:      1,
			GravityScale: 1,
		}},
	}
}

func wildCrate() world.Class {
	return world.Class{Name: "Crate", Hooks: 1 << world.OnContact,
		Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.BoxShape(0.8, 0.8), Density: 1,
			Friction: 0.4, Restitution: 0.2, LinearDamping: 0.3, AngularDamping: 0.5, GravityScale: 1}, Carried: true}}
}

// Schema returns the game's declarations.
func (s *wild) Schema() *world.Schema { return s.schema }

// Call runs a hook. Some hooks make the interpreter fail at their end.
func (s *wild) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	mark := w.Calls().Mark()
	err := s.run(w, h, slot, a)
	if s.fails(w, h, slot, a) {
		w.Calls().Undo(mark)
		return &world.ScriptError{File: "wild.lua", Line: 1, Hook: h, Message: "the interpreter failed", Panic: true}
	}
	return err
}

// fails reports whether the interpreter fails: that depends on where an object is.
func (s *wild) fails(w world.Actor, h world.Hook, slot int, a *world.Args) bool {
	who := a.Other
	switch h {
	case world.ApplyInput:
		ships := w.Queries().OfClass(int(w.State().Objects[slot].Class), nil)
		who = w.State().Objects[ships[int(w.State().Tick)%len(ships)]].ID
	case world.OnContact:
	default:
		return false
	}
	st, at, ok := w.See(who)
	return ok && math.Float64bits(st.Physics.Bodies[at].X)>>20%5 == 1
}

func (s *wild) run(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	switch class := w.Class(slot).Name; {
	case h == world.OnJoin:
		return s.welcome(w, a.Player)
	case h == world.HostEvent:
		return s.called(w, slot, a.Event)
	case h == world.Verify:
		a.OK = a.Claimed.Y < 3 || w.Random() < 0.9
	case h == world.OnTimer:
		return rings(w, slot, a.Timer)
	case h == world.Simulate:
		return s.walk(w, slot, a)
	case isShip(class) && h == world.ApplyInput:
		return s.steer(w, slot, a)
	case isShip(class) && h == world.OnContact:
		if err := fillLedger(w, slot); err != nil {
			return err
		}
		if err := wind(w, w.State().Objects[slot].ID); err != nil {
			return err
		}
		if err := s.carry(w, slot, a.Other); err != nil {
			return err
		}
		if err := s.scar(w, slot, a.Other); err != nil {
			return err
		}
		if err := s.score(w, slot, a.Other); err != nil {
			return err
		}
		return s.bump(w, slot, a.Other)
	case isShip(class) && h == world.OnJointBreak:
		return s.brokeLoose(w, slot, &a.JointBreak)
	case class == "Bullet" && h == world.OnTick && w.State().Tick-w.State().Objects[slot].Spawned > 40:
		return remove(w, slot)
	case class == "Bullet" && h == world.OnContact:
		return s.hit(w, slot)
	case class == "Crate" && h == world.OnContact:
		if w.Random() < 0.1 {
			return remove(w, slot)
		}
		if err := wind(w, a.Other); err != nil {
			return err
		}
		if err := s.scar(w, slot, a.Other); err != nil {
			return err
		}
		if err := s.score(w, slot, a.Other); err != nil {
			return err
		}
		return fillLedger(w, slot)
	}
	return nil
}

func (s *wild) welcome(w world.Actor, p world.PlayerID) error {
	walks := "Walker"
	if p%2 == 1 {
		walks = "Glider"
	}
	for _, class := range []string{"Ship", "Racer", walks} {
		if _, err := w.Spawn(class, world.Placement{
			Pose:  physics.Pose{X: (w.Random() - 0.5) * 10, Y: (w.Random() - 0.5) * 10},
			Owner: p,
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *wild) steer(w world.Actor, slot int, a *world.Args) error {
	in := a.Input
	pressed := func(name string) float64 {
		for _, f := range w.Class(slot).Inputs {
			if f.Name == name && in.Buttons&(1<<f.Index) != 0 {
				return 1
			}
		}
		return 0
	}
	id, b := w.State().Objects[slot].ID, w.State().Body(slot)
	if pressed("Fire") != 0 && w.State().Tick%7 == 0 {
		at := world.Placement{
			Pose:     physics.Pose{X: b.X + float64(b.Cos*0.8), Y: b.Y + float64(b.Sin*0.8)},
			Velocity: physics.Velocity{VX: b.VX + float64(b.Cos*15), VY: b.VY + float64(b.Sin*15)},
		}
		if _, err := w.Spawn("Bullet", at); err != nil {
			return err
		}
	}
	if pressed("Fire") != 0 {
		if err := moveOn(w); err != nil {
			return err
		}
	}
	if s.schema.HasSeen() && pressed("Fire") != 0 && w.State().Tick%4 == 0 {
		if err := s.peer(w, slot, a); err != nil {
			return err
		}
	}
	if err := s.tow(w, slot, pressed("Fire") != 0, pressed("Turnleft") != 0, pressed("Accel") != 0); err != nil {
		return err
	}
	if a.Presses != (world.Presses{}) {
		if err := w.Do(world.Op{
			Target: id,
			Kind:   world.AddImpulse,
			A:      float64(a.Presses.Down.Of(3) + a.Presses.Down.Of(1)),
			B:      float64(a.Presses.Up.Of(3) - a.Presses.Up.Of(0)),
		}); err != nil {
			return err
		}
	}
	b = w.State().Body(slot)
	if err := w.Do(world.Op{
		Target: id,
		Kind:   world.SetTorque,
		A:      3 * (pressed("Turnleft") - pressed("Turnright")),
	}); err != nil {
		return err
	}
	return w.Do(world.Op{Target: id, Kind: world.SetDirectionalForce, A: b.Angle, B: 20 * pressed("Accel")})
}

func isShip(class string) bool { return class == "Ship" || class == "Racer" }

// walk moves a walker for the length of a frame.
func (s *wild) walk(w world.Actor, slot int, a *world.Args) error {
	id, dt := w.State().Objects[slot].ID, float64(float64(a.DT)/world.FrameParts)
	if a.Presses.Down.Of(0) > 0 {
		if err := wind(w, id); err != nil {
			return err
		}
		if err := s.grab(w, slot); err != nil {
			return err
		}
	}
	way := float64(4 * dt)
	if a.Input.Buttons&1 != 0 { // in each frame while the button is down
		way = -way - float64(saw(w, slot, a)*0.05*dt)
	}
	if _, err := w.MoveAndSlide(way, float64(a.Input.Buttons>>1)*dt); err != nil {
		return err
	}
	walked := math.Float64frombits(w.State().Row(slot).Word(&w.Class(slot).Fields[0]))
	walked += dt + float64(a.Presses.Down.Of(0))
	return w.Do(world.Op{Target: id, Kind: world.SetWord, Field: 0, Word: math.Float64bits(walked)})
}

// bump counts contacts, and sometimes gives the ship to the owner of the other one.
func (s *wild) bump(w world.Actor, slot int, other world.ObjectID) error {
	o, field := w.State().Objects[slot], s.fieldOf(w, slot, "bumps")
	n := math.Float64frombits(w.State().Row(slot).Word(&w.Class(slot).Fields[field]))
	if err := w.Do(world.Op{
		Target: o.ID,
		Kind:   world.SetWord,
		Field:  field,
		Word:   math.Float64bits(n + 1),
	}); err != nil {
		return err
	}
	st, at, ok := w.See(other)
	if !ok || o.Owner == 0 || st.Objects[at].Owner == 0 || w.Random() > 0.3 {
		return nil
	}
	return w.Do(world.Op{Target: o.ID, Kind: world.SetOwner, Word: uint64(st.Objects[at].Owner)})
}

// hit removes a bullet, and may spawn a crate.
func (s *wild) hit(w world.Actor, slot int) error {
	if b := w.State().Body(slot); w.Random() < 0.15 {
		if _, err := w.Spawn("Crate", world.Placement{Pose: physics.Pose{X: b.X, Y: b.Y}}); err != nil {
			return err
		}
	}
	return remove(w, slot)
}

func remove(w world.Actor, slot int) error {
	return w.Do(world.Op{Target: w.State().Objects[slot].ID, Kind: world.Remove})
}

// Wildling is a player who holds some buttons for a while, then others; other ones for each ship.
type Wildling struct{ Seed uint64 }

// Input returns the input of the coming tick.
func (c *Wildling) Input(r world.Reader, slot int) world.Input {
	x := (uint64(r.Tick())/11 + c.Seed*1000003 + uint64(r.State().Objects[slot].ID)) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	return world.Input{Buttons: uint32(x>>7) & 15}
}

// Move sometimes returns another pose of a racer than p, the simulated one.
func (c *Wildling) Move(r world.Reader, slot int, p world.Placement) world.Placement {
	if x := (uint64(r.Tick())*31 + c.Seed) * 0x9e3779b97f4a7c15 >> 40; x%8 == 0 {
		p.X += float64(float64(x>>3%5)*0.2) - 0.4
		p.VY += float64(x>>6%3) - 1
	}
	return p
}
