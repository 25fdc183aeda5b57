package replay_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// crafted returns the file of a match with these records after its first bundle and keyframe. Every checksum is right.
func crafted(t *testing.T, records ...replay.Record) []byte {
	t.Helper()
	var out bytes.Buffer
	w := replay.NewWriter(&out, nil)
	w.Add(bundleRecord(1, stub.Game()))
	w.Add(&replay.Record{Kind: replay.Keyframe})
	for i := range records {
		w.Add(&records[i])
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ofSize returns a bundle of so many bytes.
func ofSize(n int, first string) *bundle.Bundle {
	b := stub.Game()
	b.Files = []world.Source{{Name: "rules.lua", Text: first}}
	b.Files[0].Text += strings.Repeat("x", n-len(b.Encode()))
	return b
}

func ticks(from, to world.Tick) (out []replay.Record) {
	for t := from; t <= to; t++ {
		out = append(out, replay.Record{Kind: replay.Tick, Tick: t})
	}
	return out
}

// floodEvents returns as many calls of a function in tick 9.
func floodEvents(n int, args []world.NamedValue) (out []world.Event) {
	for i := range n {
		out = append(out, world.Event{Tick: 9, Kind: world.CallEvent, Number: uint32(i + 1), Name: "f", Values: args})
	}
	return out
}

// TestCraftedFilesAreBounded tests files whose checksums are right, and which say more than a host ever writes, or what it
// cannot have done: they are refused before they take the memory or the time that they ask for.
func TestCraftedFilesAreBounded(t *testing.T) {
	const most = bundle.MaxSize
	calls := make([]world.NamedValue, 12)
	for i := range calls {
		calls[i].Value = world.NumberValue(1)
	}
	flood := func(n int) (out []replay.Record) {
		for _, e := range floodEvents(n, calls) {
			out = append(out, replay.Record{Kind: replay.Event, Event: e})
		}
		return append(out, ticks(1, 20)...)
	}
	var many []replay.Record // bundles in force at the same time
	for i := range uint32(9) {
		many = append(many, *bundleRecord(i+2, ofSize(most, string(rune('a'+i)))), replay.Record{Kind: replay.Event,
			Event: world.Event{Tick: world.Tick(i) + 2, Kind: world.BundleEvent, Number: i + 1, Bundle: i + 2}})
	}
	for name, c := range map[string]struct {
		records []replay.Record
		want    string
	}{
		"a large bundle": {[]replay.Record{{Kind: replay.Bundle, Number: 2, Hash32: [32]byte{1}, Data: make([]byte, most+1)}},
			"number above 2097152"},
		"a bundle of another hash": {[]replay.Record{{Kind: replay.Bundle, Number: 2, Hash32: [32]byte{1}, Data: []byte("{}")}},
			"bundle 2 has another hash"},
		"a bundle that is not there": {[]replay.Record{{Kind: replay.Bundle, Number: 2, Hash32: [32]byte{1}}},
			"bundle 2 is not in it"},
		"many bundles in force": {append(many, ticks(1, 3)...), "bundles within the ticks that a host can rewind take more than 128 MB"},
		"a switch back": {append([]replay.Record{*bundleRecord(3, ofSize(2000, "b")),
			{Kind: replay.Event, Event: world.Event{Tick: 1, Kind: world.BundleEvent, Number: 1, Bundle: 3}},
			{Kind: replay.Event, Event: world.Event{Tick: 2, Kind: world.BundleEvent, Number: 2, Bundle: 1}}}, ticks(1, 3)...),
			"a switch to bundle 1 after bundle 3"},
		"a state that is to come": {append(ticks(1, 3), replay.Record{Kind: replay.State, Tick: 4}),
			"state of tick 4, at tick 3"},
		"ticks without hashes":  {ticks(1, 600), "tick 513 without the hash of tick 1"},
		"an end without hashes": {append(ticks(1, 3), replay.Record{Kind: replay.End}), "without the hash of tick 1"},
		"a hash that is left out": {append(ticks(1, 3), replay.Record{Kind: replay.Mark, Tick: 2}),
			"hash of tick 2, at tick 3, after that of tick 0"},
		"a keyframe of much": {[]replay.Record{{Kind: replay.Keyframe, Tick: 1, Clock: 1, Coming: floodEvents(80_000, calls)}},
			"more events within the ticks"},
		"a keyframe that holds a call": {[]replay.Record{{Kind: replay.Keyframe, Tick: 1, Clock: 1, Held: floodEvents(1, calls)}},
			"a held event is a call"},
		"events without end":   {flood(80_000), "more events within the ticks that a host can rewind"},
		"a block that goes on": {[]replay.Record{{Kind: replay.Chat, Text: "x"}}, ""}, // packed below
	} {
		data, packing := crafted(t, c.records...), replay.Packing(nil)
		if c.want == "" {
			data, packing, c.want = endless(t, data), repeating{}, "a block goes on after 1048"
		}
		file, err := replay.Open(bytes.NewReader(data), int64(len(data)), packing)
		if err == nil {
			var p *replay.Player
			if p, err = replay.NewPlayer(file, stub.Compile); err == nil {
				for err == nil {
					err = p.Step()
				}
				if _, again := p.Verify(p.Last()); p.Last() > 0 && again == nil || errors.Is(err, io.EOF) {
					t.Errorf("%s: %v, verified %v", name, err, again)
				}
			}
		}
		if !errors.Is(err, replay.ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// repeating unpacks bytes to as many as are asked for.
type repeating struct{}

func (repeating) ID() byte                  { return replay.Zstd }
func (repeating) Pack(dst, _ []byte) []byte { return dst }
func (repeating) Unpack(src []byte, size int) ([]byte, error) {
	return bytes.Repeat(src, size/len(src)), nil
}

// endless adds a block of 60 MB of names to a file, packed to 4 bytes.
func endless(t *testing.T, data []byte) []byte {
	t.Helper()
	name := replay.Append(nil, &replay.Record{Kind: replay.Name, Player: 1, Text: "a"})
	return appendBlock(data, name, 60<<20, replay.Zstd)
}

// appendBlock adds a block of tick 0 to a file.
func appendBlock(data, packed []byte, size int, packing byte) []byte {
	table, le := crc32.MakeTable(crc32.Castagnoli), binary.LittleEndian
	at := len(data)
	data = append(data, "HCB1"...)
	data = append(data, packing, 0, 0, 0)
	data = append(data, make([]byte, 24)...)
	data = le.AppendUint32(data, uint32(len(packed)))
	data = le.AppendUint32(data, uint32(size))
	data = le.AppendUint32(data, crc32.Checksum(packed, table))
	data = le.AppendUint32(data, crc32.Checksum(data[at:], table))
	return append(data, packed...)
}

// TestEmptyBlocks: a host writes none, and a million of them would be a million headers to keep.
func TestEmptyBlocks(t *testing.T) {
	data := crafted(t, ticks(1, 3)...)
	for range 1000 {
		var out []byte
		data = append(data, appendBlock(out, nil, 0, replay.Stored)...)
	}
	f, err := open(data)
	if err != nil || len(f.Blocks) != 1 || !errors.Is(f.Damage, replay.ErrCorrupt) || !strings.Contains(f.Damage.Error(), "is empty") {
		t.Errorf("%v, %+v", err, f)
	}
}

// TestStatesAreKeptWithinABound: a file may hold more states of one tick than memory does. Those beyond 64 MB are not
// compared; the hash of the tick is.
func TestStatesAreKeptWithinABound(t *testing.T) {
	file, err := open(longMatch(t, 400))
	if err != nil {
		t.Fatal(err)
	}
	more := 0
	var out bytes.Buffer
	w := replay.NewWriter(&out, nil)
	for i := range file.Blocks {
		err := file.Each(i, func(r *replay.Record) error {
			w.Add(r)
			if r.Kind == replay.Keyframe && r.Tick > 0 && more == 0 {
				r.Kind, more = replay.State, 1
				for range 70_000 {
					w.Add(r)
					more++
				}
			}
			return w.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	r := openReplay(t, out.Bytes(), stub.Compile)
	done, err := verify(r)
	if err != nil || done.States < 1000 || done.States >= more || done.Ticks < 390 {
		t.Errorf("%+v of %d states, %v", done, more, err)
	}
}

// TestScriptsAreCompiledWhenNeeded: of 3,000 bundles, of which three are ever in force, three are compiled, and
// kept when the player seeks back.
func TestScriptsAreCompiledWhenNeeded(t *testing.T) {
	b := stub.Game()
	var records []replay.Record
	for i := range uint32(3000) {
		again := *bundleRecord(i+2, b)
		again.Data = nil
		records = append(records, again)
	}
	for i, number := range []uint32{1000, 2500} {
		records = append(records, replay.Record{Kind: replay.Event,
			Event: world.Event{Tick: world.Tick(5 * (i + 1)), Kind: world.BundleEvent, Number: uint32(i + 1), Bundle: number}})
	}
	data, compiled := crafted(t, append(records, ticks(1, 20)...)...), 0
	p := openReplay(t, data, func(files []world.Source, setup world.Setup) (world.Script, error) {
		compiled++
		return stub.Compile(files, setup)
	})
	if compiled != 1 || len(p.Bundles()) != 3001 {
		t.Errorf("%d compiled at once of %d", compiled, len(p.Bundles()))
	}
	for _, at := range []world.Tick{20, 0, 20, 7} {
		if err := p.Seek(at); err != nil {
			t.Fatal(err)
		}
	}
	if number := p.State().Bundle; compiled != 3 || number != 1000 || p.Bundle().Game != b.Game {
		t.Errorf("%d compiled; in force is %d", compiled, number)
	}
	if _, err := p.Verify(20); err != nil || compiled != 5 { // the other runs have no hash to go to
		t.Errorf("%v; %d compiled", err, compiled)
	}
}

// TestSourcesThatFail: a source that cannot be read is not a file that is damaged.
func TestSourcesThatFail(t *testing.T) {
	data := longMatch(t, 200)
	for reads := range 30 {
		src := &stopped{Reader: bytes.NewReader(data), left: reads}
		file, err := replay.Open(src, int64(len(data)), nil)
		if err == nil {
			var p *replay.Player
			if p, err = replay.NewPlayer(file, stub.Compile); err == nil {
				src.left = 0
				_, err = verify(p)
			}
		}
		if !errors.Is(err, errStopped) || errors.Is(err, replay.ErrCorrupt) {
			t.Errorf("after %d reads: %v", reads, err)
		}
	}
}

var errStopped = errors.New("stopped")

// stopped can be read so often.
type stopped struct {
	*bytes.Reader
	left int
}

func (s *stopped) ReadAt(b []byte, at int64) (int, error) {
	if s.left--; s.left < 0 {
		return 0, errStopped
	}
	return s.Reader.ReadAt(b, at)
}

// edited returns a replay in which edit has changed the records of the first keyframe after tick 0.
func edited(t *testing.T, data []byte, edit func(w *replay.Writer, key *replay.Record)) []byte {
	t.Helper()
	file, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := replay.NewWriter(&out, nil)
	done := false
	for i := range file.Blocks {
		err := file.Each(i, func(r *replay.Record) error {
			if r.Kind == replay.Keyframe && r.Tick > 0 && !done {
				done = true
				edit(w, r)
				return w.Err()
			}
			w.Add(r)
			return w.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil || !done {
		t.Fatal(err, done)
	}
	return out.Bytes()
}

// TestVerifyComparesWhatSeekShows: a keyframe whose state is right and whose events never happened is found, because it
// would be shown to who seeks.
func TestVerifyComparesWhatSeekShows(t *testing.T) {
	lie := edited(t, longMatch(t, 400), func(w *replay.Writer, key *replay.Record) {
		key.Coming = append(key.Coming, world.Event{Tick: key.Clock + 2, Kind: world.SpawnEvent, Number: 9, Class: "Crate"})
		w.Add(key)
	})
	done, err := verify(openReplay(t, lie, stub.Compile))
	var d *replay.Divergence
	if !errors.As(err, &d) || !d.Sought || len(d.Differences) == 0 || done.Ticks < 100 || !strings.Contains(err.Error(), "from the keyframe before it") {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestOldStatesAreNotCounted: a state of a tick that no run has any more agrees with nothing.
func TestOldStatesAreNotCounted(t *testing.T) {
	file, err := open(longMatch(t, 900))
	if err != nil {
		t.Fatal(err)
	}
	var old *replay.Record
	rewritten := func(late bool) replay.Verified {
		var out bytes.Buffer
		w := replay.NewWriter(&out, nil)
		for i := range file.Blocks {
			err := file.Each(i, func(r *replay.Record) error {
				if r.Kind == replay.Keyframe && r.Tick > 0 && old == nil {
					old = &replay.Record{Kind: replay.State, Tick: r.Tick, State: bytes.Clone(r.State)}
				}
				if w.Add(r); late && r.Kind == replay.Tick && r.Tick == 800 {
					w.Add(old)
				}
				return w.Err()
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		done, err := verify(openReplay(t, out.Bytes(), stub.Compile))
		if err != nil {
			t.Error(err)
		}
		return done
	}
	if without, with := rewritten(false), rewritten(true); without != with || with.States == 0 {
		t.Errorf("%+v, and with an old state %+v", without, with)
	}
}

// TestPlayerGoesOnAfterAnError: an error in the middle of a file ends what the player does, and nothing else. The state is
// the one before, and other ticks can be shown.
func TestPlayerGoesOnAfterAnError(t *testing.T) {
	good := longMatch(t, 400)
	for name, edit := range map[string]func(w *replay.Writer, key *replay.Record){
		"an unknown bundle": func(w *replay.Writer, key *replay.Record) {
			key.State = bytes.Clone(key.State)
			bundleAt := bytes.Index(key.State, []byte{1})
			key.State[bundleAt] = 9
			w.Add(key)
		},
		"bad poses": func(w *replay.Writer, key *replay.Record) { key.PoseHistory = []byte{200, 1, 7}; w.Add(key) },
		"a bad event": func(w *replay.Writer, key *replay.Record) {
			w.Add(key)
			w.Add(&replay.Record{Kind: replay.Event, Event: world.Event{Tick: 1, Kind: world.SpawnEvent, Number: 9, Class: "Crate"}})
		},
	} {
		p := openReplay(t, edited(t, good, edit), stub.Compile)
		if err := p.Seek(50); err != nil {
			t.Fatal(err)
		}
		right := p.State().Hash()
		first := p.Seek(200)
		if again := p.Seek(200); !errors.Is(first, replay.ErrCorrupt) || again == nil || again.Error() != first.Error() {
			t.Errorf("%s: %v, then %v", name, first, again)
		}
		if err := p.Step(); !errors.Is(err, replay.ErrCorrupt) || p.State() == nil || p.Schema() == nil || p.Bundle() == nil {
			t.Errorf("%s: a step after it: %v", name, err)
		}
		if err := p.Seek(50); err != nil || p.State().Hash() != right {
			t.Errorf("%s: back at tick 50: %v", name, err)
		}
	}
}
