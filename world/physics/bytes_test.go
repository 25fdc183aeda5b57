package physics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
	"unsafe"
)

func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(Body{}); n != BodyBytes {
		t.Errorf("a Body takes %d bytes, BodyBytes says %d", n, BodyBytes)
	}
	if n := unsafe.Sizeof(Contact{}); n != ContactBytes {
		t.Errorf("a Contact takes %d bytes, ContactBytes says %d", n, ContactBytes)
	}
	s := State{Bodies: make([]Body, 3), Contacts: make([]Contact, 2), Joints: make([]Joint, 1)}
	if n := unsafe.Sizeof(Joint{}); n != JointBytes {
		t.Errorf("a Joint takes %d bytes, JointBytes says %d", n, JointBytes)
	}
	if s.Size() != 3*128+2*64+224 {
		t.Errorf("Size is %d", s.Size())
	}
}

// TestGoldenBytes: the byte form is the same on every CPU, so that each reads
// what another wrote.
func TestGoldenBytes(t *testing.T) {
	sc := workshop(t)
	sc.run(&Solver{Check: true}, 60)
	if len(sc.Contacts) == 0 || len(sc.Joints) == 0 {
		t.Fatalf("%d contacts, %d joints: the scene tests little", len(sc.Contacts), len(sc.Joints))
	}
	data := pack(&sc.State)
	var hash uint64
	for _, b := range data {
		hash = mix(hash ^ uint64(b))
	}
	goldenHash(t, "workshop-bytes", 60, hash)
	back, err := unpack(data)
	if err != nil || back.Hash() != sc.Hash() {
		t.Errorf("read back: %v, or another state", err)
	}
}

// pack writes a whole state, bodies by key.
func pack(s *State) []byte {
	var dst []byte
	index := keyIndex(s.Bodies)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(index)))
	for _, e := range index {
		dst = AppendBody(dst, &s.Bodies[e.slot])
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.Contacts)))
	for i := range s.Contacts {
		dst = AppendContact(dst, s, i)
	}
	for i := range s.Joints {
		dst = AppendJoint(dst, s, i)
	}
	return dst
}

func unpack(src []byte) (*State, error) {
	s := &State{Bodies: make([]Body, binary.LittleEndian.Uint32(src))}
	src = src[4:]
	var err error
	for i := range s.Bodies {
		if src, err = ParseBody(src, &s.Bodies[i]); err != nil {
			return nil, err
		}
	}
	index := keyIndex(s.Bodies)
	contacts := binary.LittleEndian.Uint32(src)
	src = src[4:]
	for range contacts {
		if src, err = ParseContact(src, s, index.find); err != nil {
			return nil, err
		}
	}
	for len(src) > 0 {
		if src, err = ParseJoint(src, s, index.find); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func TestBytesRoundTrip(t *testing.T) {
	sc := arena(t, 160, 20)
	sv := Solver{Check: true}
	for tick := range 50 {
		sc.steer(tick)
		sc.run(&sv, 1)
	}
	sc.Remove(int(sc.Contacts[3].SlotA))
	gone := 0
	for i := range sc.Contacts {
		if sc.Contacts[i].Gone() {
			gone++
		}
	}
	if gone == 0 {
		t.Fatal("no contact is gone: the scene tests little")
	}
	data := pack(&sc.State)
	back, err := unpack(data)
	if err != nil {
		t.Fatal(err)
	}
	sameBits(t, "after a round trip", &sc.State, back)
	if !bytes.Equal(pack(back), data) {
		t.Error("the bytes of the parsed state differ")
	}
	if !bytes.Equal(pack(&sc.shuffled(5).State), data) {
		t.Error("the bytes depend on slots")
	}
	sc.run(&sv, 20)
	next := &scene{State: *back, defs: sc.defs, rules: sc.rules}
	next.run(&Solver{Check: true}, 20)
	sameBits(t, "20 steps after a round trip", &sc.State, &next.State)
}

func TestParseRefusals(t *testing.T) {
	b := NewBody(7, 1, Vec{1, 2}, 0.5)
	body := AppendBody(nil, &b)
	for at, change := range map[string]func([]byte) []byte{
		"empty":        func(p []byte) []byte { return nil },
		"short":        func(p []byte) []byte { return p[:len(p)-1] },
		"version":      func(p []byte) []byte { p[0] = 1; return p },
		"no key":       func(p []byte) []byte { clear(p[1:9]); return p },
		"nan":          func(p []byte) []byte { putFloat(p[13:], math.NaN()); return p },
		"infinite":     func(p []byte) []byte { putFloat(p[13+8*11:], math.Inf(1)); return p },
		"angle":        func(p []byte) []byte { putFloat(p[13+16:], 4); return p },
		"minus pi":     func(p []byte) []byte { putFloat(p[13+16:], -math.Pi); return p },
		"angle is nan": func(p []byte) []byte { putFloat(p[13+16:], math.NaN()); return p },
	} {
		got := Body{Key: 99}
		src := change(bytes.Clone(body))
		if rest, err := ParseBody(src, &got); !errors.Is(err, ErrFormat) || got != (Body{Key: 99}) || len(rest) != len(src) {
			t.Errorf("%s: error %v, body %+v", at, err, got)
		}
	}
	s := State{Bodies: []Body{NewBody(3, 0, Vec{}, 0), NewBody(5, 0, Vec{}, 0)},
		Contacts: []Contact{{KeyA: 3, KeyB: 5, SlotB: 1, Count: 1, Normal: [2]float64{2, 0}}}}
	contact := AppendContact(nil, &s, 0)
	find := keyIndex(s.Bodies).find
	for at, change := range map[string]func([]byte) []byte{
		"empty":       func(p []byte) []byte { return nil },
		"short":       func(p []byte) []byte { return p[:len(p)-1] },
		"version":     func(p []byte) []byte { p[0] = 9; return p },
		"no key":      func(p []byte) []byte { clear(p[1:9]); return p },
		"order":       func(p []byte) []byte { p[1], p[9] = 5, 3; return p },
		"unknown":     func(p []byte) []byte { p[9] = 6; return p },
		"flags":       func(p []byte) []byte { p[17] = 0x80; return p },
		"both gone":   func(p []byte) []byte { p[17], p[18] = byte(goneFlags), 0; return p[:ContactWire] },
		"no points":   func(p []byte) []byte { p[18] = 0; return p[:ContactWire] },
		"many points": func(p []byte) []byte { p[18] = 3; return p },
		"sensor":      func(p []byte) []byte { p[17] = byte(SensorContact); return p },
		"pulls":       func(p []byte) []byte { putFloat(p[23:], -1); return p },
		"nan":         func(p []byte) []byte { putFloat(p[31:], math.NaN()); return p },
	} {
		to := State{Bodies: s.Bodies}
		if _, err := ParseContact(change(bytes.Clone(contact)), &to, find); !errors.Is(err, ErrFormat) || len(to.Contacts) != 0 {
			t.Errorf("%s: error %v, contacts %+v", at, err, to.Contacts)
		}
	}
	if _, err := ParseContact(contact, &s, find); !errors.Is(err, ErrFormat) || len(s.Contacts) != 1 {
		t.Errorf("a contact that occurs twice: error %v", err)
	}
}

func TestJointBytesRoundTrip(t *testing.T) {
	sc := workshop(t)
	sv := Solver{Check: true}
	for tick := range 90 {
		sc.steer(tick)
		sc.run(&sv, 1)
	}
	sc.Remove(int(sc.Joints[4].SlotA))
	if !slices.ContainsFunc(sc.Joints, func(j Joint) bool { return j.Gone() }) {
		t.Fatal("no joint is gone: the scene tests little")
	}
	data := pack(&sc.State)
	back, err := unpack(data)
	if err != nil {
		t.Fatal(err)
	}
	sameBits(t, "after a round trip", &sc.State, back)
	if !bytes.Equal(pack(&sc.shuffled(5).State), data) {
		t.Error("the bytes depend on slots")
	}
	next := &scene{State: *back, defs: sc.defs, rules: sc.rules}
	fresh := &Solver{Check: true}
	for tick := range 30 {
		sc.steer(tick)
		next.steer(tick)
		sc.run(&sv, 1)
		next.run(fresh, 1)
		sameEvents(t, &sv, fresh)
	}
	sameBits(t, "30 steps after a round trip", &sc.State, &next.State)
}

// jointExample returns a state of two bodies and one joint.
func jointExample() *State {
	s := &State{Bodies: []Body{NewBody(3, 0, Vec{}, 0), NewBody(5, 0, Vec{}, 0)}}
	s.Joints = []Joint{{Key: 7, KeyA: 5, KeyB: 3, SlotA: 1, SlotB: 0, Kind: Hinge, Flags: JointLimits, Max: 1, Impulse: [jointRows]float64{1, 2, 3, 4, 5, 6}}}
	return s
}

func TestParseJointRefusals(t *testing.T) {
	s := jointExample()
	joint := AppendJoint(nil, s, 0)
	find := keyIndex(s.Bodies).find
	for at, change := range map[string]func([]byte) []byte{
		"empty":          func(p []byte) []byte { return nil },
		"short":          func(p []byte) []byte { return p[:len(p)-1] },
		"version":        func(p []byte) []byte { p[0] = 2; return p },
		"no key":         func(p []byte) []byte { clear(p[1:9]); return p },
		"unknown body":   func(p []byte) []byte { p[9] = 6; return p },
		"kind":           func(p []byte) []byte { p[25] = 9; return p },
		"both gone":      func(p []byte) []byte { p[26] = 192; return p },
		"gone, numbers":  func(p []byte) []byte { p[26] = 64; return p },
		"nan":            func(p []byte) []byte { putFloat(p[31:], math.NaN()); return p },
		"limit pulls":    func(p []byte) []byte { putFloat(p[JointWire-8:], -1); return p },
		"infinite twist": func(p []byte) []byte { putFloat(p[JointWire-32:], math.Inf(-1)); return p },
	} {
		to := State{Bodies: s.Bodies}
		if _, err := ParseJoint(change(bytes.Clone(joint)), &to, find); !errors.Is(err, ErrFormat) || len(to.Joints) != 0 {
			t.Errorf("%s: error %v, joints %+v", at, err, to.Joints)
		}
	}
	if _, err := ParseJoint(joint, s, find); !errors.Is(err, ErrFormat) || len(s.Joints) != 1 {
		t.Errorf("a joint that occurs twice: error %v", err)
	}
}

func FuzzParseJoint(f *testing.F) {
	s := jointExample()
	f.Add(AppendJoint(nil, s, 0))
	s.Joints[0].KeyB, s.Joints[0].SlotB = 0, -1
	f.Add(AppendJoint(nil, s, 0))
	s.Joints[0].KeyB, s.Joints[0].SlotA = 3, -1
	s.Joints[0].markGone()
	f.Add(AppendJoint(nil, s, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		to := State{Bodies: s.Bodies}
		rest, err := ParseJoint(data, &to, keyIndex(s.Bodies).find)
		if err != nil {
			if !errors.Is(err, ErrFormat) || len(to.Joints) != 0 || len(rest) != len(data) {
				t.Fatalf("error %v, joints %+v, %d of %d bytes left", err, to.Joints, len(rest), len(data))
			}
			return
		}
		if again := AppendJoint(nil, &to, 0); !bytes.Equal(again, data[:len(data)-len(rest)]) {
			t.Fatalf("written again: %x", again)
		}
	})
}

func putFloat(p []byte, v float64) { binary.LittleEndian.PutUint64(p, math.Float64bits(v)) }

func FuzzParseBody(f *testing.F) {
	b := NewBody(7, 1, Vec{1, 2}, 0.5)
	b.VX, b.FX, b.ImpT = 3, -4, math.Copysign(0, -1)
	f.Add(AppendBody(nil, &b))
	f.Add(append(AppendBody(nil, &b), 1, 2, 3))
	f.Add([]byte{bodyVersion})
	f.Fuzz(func(t *testing.T, data []byte) {
		var got Body
		rest, err := ParseBody(data, &got)
		if err != nil {
			if !errors.Is(err, ErrFormat) || got != (Body{}) || len(rest) != len(data) {
				t.Fatalf("error %v, body %+v, %d of %d bytes left", err, got, len(rest), len(data))
			}
			return
		}
		if again := AppendBody(nil, &got); !bytes.Equal(again, data[:len(data)-len(rest)]) {
			t.Fatalf("written again: %x", again)
		}
	})
}

func FuzzParseContact(f *testing.F) {
	s := State{Bodies: []Body{NewBody(3, 0, Vec{}, 0), NewBody(5, 0, Vec{}, 0)}}
	for _, c := range []Contact{
		{KeyA: 3, KeyB: 5, Count: 1, ID: [2]uint16{9, 0}, Normal: [2]float64{2, 0}},
		{KeyA: 3, KeyB: 5, Count: 2, Flags: FixedA, Tangent: [2]float64{-1, 1}},
		{KeyA: 3, KeyB: 5, Flags: SensorContact},
		{KeyA: 3, KeyB: 9, Flags: GoneB},
	} {
		s.Contacts = []Contact{c}
		f.Add(AppendContact(nil, &s, 0))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		to := State{Bodies: s.Bodies}
		rest, err := ParseContact(data, &to, keyIndex(s.Bodies).find)
		if err != nil {
			if !errors.Is(err, ErrFormat) || len(to.Contacts) != 0 || len(rest) != len(data) {
				t.Fatalf("error %v, contacts %+v, %d of %d bytes left", err, to.Contacts, len(rest), len(data))
			}
			return
		}
		if again := AppendContact(nil, &to, 0); !bytes.Equal(again, data[:len(data)-len(rest)]) {
			t.Fatalf("written again: %x", again)
		}
	})
}
