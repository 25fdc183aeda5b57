package goscript

import "github.com/hindcast/hindcast/world"

// Setting is something that an object is spawned with, or a value of an item of a
// list: At, Facing, Moving, Turning, OwnedBy, or the As of a field.
type Setting struct {
	what settingKind
	a, b float64 // of a placement
	leaf *leaf
	word uint64 // of a field, before it is quantized, or a player
	text string // of a text
}

type settingKind uint8

const (
	setNothing settingKind = iota
	setPosition
	setAngle
	setVelocity
	setSpin
	setOwner
	setWord
	setText
)

// At puts a spawned object at x, y metres.
func At(x, y float64) Setting { return Setting{what: setPosition, a: x, b: y} }

// Facing turns a spawned object to an angle in radians.
func Facing(angle float64) Setting { return Setting{what: setAngle, a: angle} }

// Moving gives a spawned object a velocity in m/s.
func Moving(vx, vy float64) Setting { return Setting{what: setVelocity, a: vx, b: vy} }

// Turning gives a spawned object an angular velocity in rad/s.
func Turning(w float64) Setting { return Setting{what: setSpin, a: w} }

// OwnedBy gives a spawned object to a player.
func OwnedBy(player world.PlayerID) Setting { return Setting{what: setOwner, word: uint64(player)} }

func wordOf(l *leaf, word uint64) Setting {
	l.declared()
	return Setting{what: setWord, leaf: l, word: word}
}

func textOf(l *leaf, text string) Setting { return Setting{what: setText, leaf: l, text: text} }

// apply puts the pose, the motion and the owner into p.
func (s *Setting) apply(p *world.Placement) {
	switch s.what {
	case setPosition:
		p.X, p.Y = s.a, s.b
	case setAngle:
		p.Angle = s.a
	case setVelocity:
		p.VX, p.VY = s.a, s.b
	case setSpin:
		p.W = s.a
	case setOwner:
		p.Owner = world.PlayerID(s.word)
	}
}

// field returns the field of a class that is set; ok is false for a placement.
func (s *Setting) field(of *declaration) (l *leaf, ok bool) {
	if s.leaf == nil {
		return nil, false
	}
	if !of.is(s.leaf.declared()) {
		fail("%s is a field of %s, not of %s", s.leaf.name(), s.leaf.declared().name(), of.name())
	}
	return of.leaf(s.leaf), true
}

// op returns the operation that writes the value. to is what the class of the object has of the leaf.
func (s *Setting) op(target world.ObjectID, to *leaf, index int) world.Op {
	op := world.Op{Target: target, Kind: world.SetWord, Field: index, Word: to.bits(s.word)}
	if s.what == setText {
		op.Kind, op.Text = world.SetText, s.text
	}
	return op
}

// fill writes the value into an item of a list.
func (s *Setting) fill(item []uint64, l *list) {
	if s.leaf == nil {
		fail("%s: an item of a list has no place: give it the As of its values", l.title())
	}
	offset, ok := l.place(s.leaf)
	if !ok {
		fail("%s has no value %s", l.title(), s.leaf.name())
	}
	if s.what == setText {
		f := s.leaf.field() // a text has the same size in each class
		f.Offset, f.Aux = 0, false
		_ = world.PutString(world.Row{State: item[offset:]}, &f, s.text) // As has checked the length
		return
	}
	item[offset] = s.leaf.bits(s.word) // an item is declared once
}
