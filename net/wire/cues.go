package wire

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// What a CueUpdate has. Above these flags there is the Count of its cue.
const (
	cueCancelled  = 1 << iota // nothing else
	cueLike                   // another cue has its name and the like
	cueLikeObject             // and its object
	cueLater                  // CueUpdate.Later
	cueFound                  // CueUpdate.Found
	cueOwn                    // CueUpdate.Own
	cueFlags      = iota
)

// AppendCues appends the bytes of m. The numbers of its updates increase. The result can exceed
// MaxDatagram: then the caller must send fewer updates.
func AppendCues(b []byte, m *Cues) []byte {
	b = append(b, byte(KindCues))
	b = binary.AppendUvarint(b, uint64(m.Seq))
	b = binary.AppendUvarint(b, uint64(len(m.Updates)))
	number, tick := uint32(0), world.Tick(0)
	for i := range m.Updates {
		u := &m.Updates[i]
		b = appendCueUpdate(binary.AppendUvarint(b, uint64(u.Number-number)), tick, u)
		if number = u.Number; !u.Cancelled {
			tick = u.Cue.Tick
		}
	}
	return b
}

// appendCueUpdate appends an update without its number. tick is that of the cue before it.
func appendCueUpdate(b []byte, tick world.Tick, u *CueUpdate) []byte {
	c := &u.Cue
	if u.Cancelled {
		return binary.AppendUvarint(b, cueCancelled)
	}
	head := uint64(c.Count) << cueFlags
	for _, f := range []struct {
		on   bool
		flag uint64
	}{{u.Like != 0, cueLike}, {u.Like != 0 && u.LikeObject, cueLikeObject}, {u.Later, cueLater}, {u.Found, cueFound},
		{u.Own, cueOwn}} {
		if f.on {
			head |= f.flag
		}
	}
	b = binary.AppendUvarint(b, head)
	b = appendNear(b, uint32(c.Tick), uint64(tick))
	if u.Like != 0 {
		b = binary.AppendUvarint(b, uint64(u.Number-u.Like))
	}
	if head&cueLikeObject == 0 {
		b = binary.AppendUvarint(appendObject(b, c.Object), uint64(c.Owner))
	}
	if u.Like == 0 {
		b = append(appendText(b, c.Name, world.MaxCueText), byte(c.To), byte(c.When))
		b = binary.AppendUvarint(b, uint64(c.Lasts))
	}
	b = binary.AppendUvarint(b, uint64(len(c.Fields)))
	for i := range c.Fields {
		if u.Like == 0 {
			b = appendText(b, c.Fields[i].Name, world.MaxCueText)
		}
		b = appendCueValue(b, &c.Fields[i])
	}
	return b
}

// ParseCues reads a Cues. The error wraps ErrMalformed.
func ParseCues(b []byte) (Cues, error) {
	r := openDatagram(b, KindCues)
	m := Cues{Seq: r.uint32("seq")}
	if n := r.count("updates", MaxCues, 2); n > 0 {
		m.Updates = make([]CueUpdate, n)
	}
	number, tick := uint32(0), world.Tick(0)
	for i := range m.Updates {
		u := &m.Updates[i]
		more := r.uint32("number")
		if u.Number = number + more; !r.failed() && (more == 0 || u.Number < more) {
			r.fail("number", "%d after %d", u.Number, number)
		}
		readCueUpdate(&r, tick, u)
		if number = u.Number; !u.Cancelled {
			tick = u.Cue.Tick
		}
		if r.failed() {
			break
		}
	}
	return m, r.close()
}

func readCueUpdate(r *reader, tick world.Tick, u *CueUpdate) {
	c := &u.Cue
	head := r.uvarint("head", world.MaxCues<<cueFlags|1<<cueFlags-1)
	if head&cueCancelled != 0 {
		if u.Cancelled = true; head != cueCancelled {
			r.fail("head", "%d of a cancelled cue", head)
		}
		return
	}
	c.Count = int(head >> cueFlags)
	u.LikeObject, u.Later, u.Found = head&cueLikeObject != 0, head&cueLater != 0, head&cueFound != 0
	u.Own = head&cueOwn != 0
	c.Tick = world.Tick(r.near("tick", uint64(tick)))
	if head&cueLike != 0 {
		back := r.uint32("like")
		if u.Like = u.Number - back; !r.failed() && (back == 0 || back >= u.Number) {
			r.fail("like", "cue %d cannot be like the one %d before it", u.Number, back)
		}
	} else if u.LikeObject {
		r.fail("head", "the object of another cue, and not its name")
	}
	if !u.LikeObject {
		c.Object, c.Owner = r.object("object"), r.player("owner")
	}
	if head&cueLike == 0 {
		c.Name = r.text("name", world.MaxCueText)
		c.To = world.CueTo(readAtMost(r, "to", byte(world.CueOthers)))
		c.When = world.CueWhen(readAtMost(r, "when", byte(world.CueConfirmed)))
		c.Lasts = world.Tick(r.uvarint("lasts", maxLasts))
	}
	if n := r.count("fields", world.MaxCueFields, 1); n > 0 {
		c.Fields = make([]world.CueField, n)
	}
	for i := range c.Fields {
		name := ""
		if head&cueLike == 0 {
			name = r.text("field name", world.MaxCueText)
		}
		c.Fields[i] = readCueValue(r, name)
	}
}

// readAtMost reads a byte that is at most a constant.
func readAtMost(r *reader, field string, most byte) byte {
	v := r.byte(field)
	if v > most {
		r.fail(field, "%d is above %d", v, most)
	}
	return v
}

// The forms of a value, its low bits. A number is rounded as Round says.
const (
	cueWhole    = iota // a whole number
	cueSmall           // in units of 1/PositionUnits
	cueFloat           // an f32 follows
	cueFalse           // a boolean
	cueTrue            // a boolean
	cueText            // its bytes follow
	cueForms    = iota
	cueForm     = 3 // bits
	maxCueWhole = 1 << 40
	roundAbove  = 1.0 / 4
	maxLasts    = world.MaxCueLasts * 128 // ticks
)

// Round rounds the numbers of the cue as they arrive: whole numbers up to 2^40 stay as they are;
// others become the nearest multiple of 1/PositionUnits if they are between 1/4 and 2^18, and
// otherwise the nearest f32 that is finite.
func (u *CueUpdate) Round() {
	u.Cue.Fields = slices.Clone(u.Cue.Fields)
	for i := range u.Cue.Fields {
		u.Cue.Fields[i].Number = roundCueNumber(u.Cue.Fields[i].Number)
	}
}

func roundCueNumber(v float64) float64 {
	form, n := cueNumber(v)
	switch form {
	case cueWhole:
		return float64(n)
	case cueSmall:
		return float64(n) / PositionUnits
	}
	return float64(nearestFloat(v)) + 0 // not -0
}

// cueNumber returns the form of a number and, unless that is cueFloat, its value in units.
func cueNumber(v float64) (form uint64, n int64) {
	size := math.Abs(v)
	switch {
	case size <= maxCueWhole && v == math.Trunc(v):
		return cueWhole, int64(v)
	case size >= roundAbove && float64(size*PositionUnits) <= maxPosition:
		return cueSmall, int64(math.Round(float64(v * PositionUnits)))
	}
	return cueFloat, 0
}

func nearestFloat(v float64) float32 { return float32(min(max(v, -math.MaxFloat32), math.MaxFloat32)) }

func appendCueValue(b []byte, f *world.CueField) []byte {
	switch f.Kind {
	case world.String:
		b = binary.AppendUvarint(b, cueText)
		return appendText(b, f.Text, world.MaxCueText)
	case world.Bool:
		if f.Number != 0 {
			return binary.AppendUvarint(b, cueTrue)
		}
		return binary.AppendUvarint(b, cueFalse)
	}
	form, n := cueNumber(f.Number)
	b = binary.AppendUvarint(b, zigzag(n)<<cueForm|form)
	if form == cueFloat {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(nearestFloat(f.Number)))
	}
	return b
}

func readCueValue(r *reader, name string) world.CueField {
	f := world.CueField{Name: name}
	head := r.uvarint("value", math.MaxUint64)
	form, n := head&(1<<cueForm-1), unzigzag(head>>cueForm)
	whole, part := form == cueWhole, form == cueSmall
	switch {
	case form >= cueForms,
		!whole && !part && n != 0,
		whole && (n > maxCueWhole || n < -maxCueWhole),
		part && (n > maxPosition || n < -maxPosition):
		r.fail("value", "%d", head)
	case whole:
		f.Number = float64(n)
	case part:
		f.Number = float64(n) / PositionUnits
	case form == cueFloat:
		f.Number = float64(r.float32("float"))
	case form == cueText:
		f.Kind, f.Text = world.String, r.text("text", world.MaxCueText)
	default:
		f.Kind = world.Bool
		if form == cueTrue {
			f.Number = 1
		}
	}
	return f
}

// Complete fills in what u leaves out because another cue has it: like, whose number is u.Like. It
// reports whether they fit.
func (u *CueUpdate) Complete(like *world.Cue) bool {
	c := &u.Cue
	if len(c.Fields) != len(like.Fields) {
		return false
	}
	if u.LikeObject {
		c.Object, c.Owner = like.Object, like.Owner
	}
	c.Name, c.To, c.When, c.Lasts = like.Name, like.To, like.When, like.Lasts
	for i := range c.Fields {
		c.Fields[i].Name = like.Fields[i].Name
	}
	return true
}

// Resembles reports whether u can leave out what its cue has in common with like, and whether
// that includes the object.
func (u *CueUpdate) Resembles(like *world.Cue) (fits, object bool) {
	c := &u.Cue
	fits = c.Name == like.Name && c.To == like.To && c.When == like.When && c.Lasts == like.Lasts &&
		slices.EqualFunc(c.Fields, like.Fields, func(a, b world.CueField) bool { return a.Name == b.Name })
	return fits, fits && c.Object == like.Object && c.Owner == like.Owner
}
