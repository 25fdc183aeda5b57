package replay

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Next reads the first record of b, a part of a block's bytes, into r, and returns the
// bytes after it. Fields that the record's kind does not have are zero. The error wraps
// ErrCorrupt.
func Next(b []byte, r *Record) (rest []byte, err error) {
	p := parser{b: b}
	*r = Record{Kind: Kind(p.byte())}
	switch r.Kind {
	case Tick:
		r.Tick = p.tick()
	case Event:
		p.event(&r.Event)
	case Mark:
		r.Tick, r.Committed, r.Hash = p.tick(), p.flag(), p.fixed64()
	case Bundle:
		r.Number, r.Tick = uint32(p.number(math.MaxUint32)), p.tick()
		copy(r.Hash32[:], p.take(len(r.Hash32)))
		r.Data = p.take(int(p.number(bundle.MaxSize)))
	case Keyframe:
		p.keyframe(r)
	case State:
		r.Tick, r.State = p.tick(), p.bytes()
	case Correction:
		r.Tick, r.Player, r.Object = p.tick(), p.player(), world.ObjectID(p.fixed64())
		r.Distance = math.Float64frombits(p.fixed64())
	case Notice:
		r.Tick, r.Player, r.Count, r.Text = p.tick(), p.player(), int(p.number(math.MaxInt32)), p.text()
	case Name:
		r.Player, r.Text = p.player(), p.text()
	case Object:
		r.Object, r.Text = world.ObjectID(p.fixed64()), p.text()
	case Chat:
		r.Player, r.Text = p.player(), string(p.take(int(p.number(wire.MaxChat))))
	case End:
	default:
		p.fail("record of kind %d", uint8(r.Kind))
	}
	if p.err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrCorrupt, r.Kind, p.err)
	}
	return p.b, nil
}

// parser reads fields from a slice. It keeps the first error.
type parser struct {
	b   []byte
	err error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.b = nil
}

func (p *parser) take(n int) []byte {
	if n > len(p.b) {
		p.fail("%d bytes wanted, %d left", n, len(p.b))
		return nil
	}
	b := p.b[:n:n]
	p.b = p.b[n:]
	return b
}

func (p *parser) byte() byte {
	if b := p.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (p *parser) flag() bool {
	v := p.byte()
	if v > 1 {
		p.fail("flag of %d", v)
	}
	return v == 1
}

func (p *parser) fixed64() uint64 {
	if b := p.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (p *parser) number(most uint64) uint64 {
	v, n := binary.Uvarint(p.b)
	if n <= 0 || v > most {
		p.fail("number above %d, or cut off", most)
		return 0
	}
	p.b = p.b[n:]
	return v
}

func (p *parser) tick() world.Tick       { return world.Tick(p.number(math.MaxUint32)) }
func (p *parser) player() world.PlayerID { return world.PlayerID(p.number(math.MaxUint16)) }
func (p *parser) bytes() []byte          { return p.take(int(p.number(MaxBlock))) }
func (p *parser) text() string           { return string(p.take(int(p.number(maxText)))) }

// count returns how many things of at least size bytes follow, at most so many.
func (p *parser) count(size, most int) int { return int(p.number(uint64(min(len(p.b)/size, most)))) }

func (p *parser) event(e *world.Event) {
	rest, err := wire.ReadEvent(p.b, e)
	if err != nil {
		p.fail("%w", err)
		return
	}
	p.b = rest
}

func (p *parser) keyframe(r *Record) {
	r.Tick, r.Clock, r.State, r.PoseHistory = p.tick(), p.tick(), p.bytes(), p.bytes()
	r.Held, r.Coming = p.events(world.MaxObjects), p.events(maxComing)
	for i := range r.Held {
		if r.Held[i].Kind != world.InputEvent {
			p.fail("a held event is a %s", r.Held[i].Kind)
		}
	}
	for n := p.count(2, maxNames); n > 0 && p.err == nil; n-- {
		r.Names = append(r.Names, Named{Player: p.player(), Name: p.text()})
	}
}

func (p *parser) events(most int) (out []world.Event) {
	var sum waiting
	for n := p.count(minEvent, most); n > 0 && p.err == nil; n-- {
		var e world.Event
		p.event(&e)
		if err := sum.add(&e); err != nil {
			p.fail("%w", err)
		}
		out = append(out, e)
	}
	return out
}

const (
	minEvent  = 3              // the fewest bytes of an event
	maxComing = 1 << 18        // events that are known ahead of the clock
	maxNames  = math.MaxUint16 // of players
)
