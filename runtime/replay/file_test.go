package replay_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// match writes ticks 1 to n: each with an input, a mark ten ticks later, a
// keyframe every 40 ticks and a block every 20.
func match(t testing.TB, n world.Tick, packing replay.Packing) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := writeMatch(&out, n, packing); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// writeMatch writes the same to out, and returns the first error of writing.
func writeMatch(out io.Writer, n world.Tick, packing replay.Packing) error {
	return writeMatchOf(out, bundleRecord(1, stub.Game()), n, packing)
}

func writeMatchOf(out io.Writer, first *replay.Record, n world.Tick, packing replay.Packing) error {
	w := replay.NewWriter(out, packing)
	w.Add(first)
	w.Add(&replay.Record{Kind: replay.Keyframe, State: []byte("empty")})
	for now := world.Tick(1); now <= n; now++ {
		w.Add(&replay.Record{Kind: replay.Event, Event: input(now)})
		w.Add(&replay.Record{Kind: replay.Tick, Tick: now})
		if now > 10 {
			w.Add(&replay.Record{Kind: replay.Mark, Tick: now - 10, Hash: uint64(now), Committed: true})
			if (now-10)%40 == 0 {
				w.Add(&replay.Record{Kind: replay.Keyframe, Tick: now - 10, Clock: now, State: fmt.Append(nil, "state ", now-10), PoseHistory: []byte("trail"), Held: []world.Event{input(now - 10)}})
			}
		}
		if now%20 == 0 {
			_ = w.Flush() // it returns the first error in the end
		}
	}
	w.Add(&replay.Record{Kind: replay.End})
	return w.Flush()
}

// bundleRecord returns the record of a bundle of the match.
func bundleRecord(number uint32, b *bundle.Bundle) *replay.Record {
	data := b.Encode()
	return &replay.Record{Kind: replay.Bundle, Number: number, Hash32: bundle.HashOf(data), Data: data}
}

func input(t world.Tick) world.Event {
	return world.Event{Tick: t, Kind: world.InputEvent, Player: 3, Object: 77, Bundle: 1, Input: world.Input{Buttons: uint32(t)}}
}

func open(data []byte) (*replay.File, error) {
	return replay.Open(bytes.NewReader(data), int64(len(data)), nil)
}

// all reads every record of every block.
func all(f *replay.File) (out []replay.Record, err error) {
	for i := range f.Blocks {
		rest, err := f.Read(i)
		for len(rest) > 0 && err == nil {
			var r replay.Record
			rest, err = replay.Next(rest, &r)
			out = append(out, r)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func TestRecordsSurviveTheFile(t *testing.T) {
	f, err := open(match(t, 200, nil))
	if err != nil {
		t.Fatal(err)
	}
	records, err := all(f)
	if err != nil || f.Damage != nil || !f.Ended || len(f.Bundles) != 1 {
		t.Fatalf("%v; damage %v, ended %v, %d bundles", err, f.Damage, f.Ended, len(f.Bundles))
	}
	ticks, last := 0, f.Blocks[len(f.Blocks)-1]
	for _, r := range records {
		if r.Kind == replay.Tick {
			ticks++
		}
	}
	if ticks != 200 || last.To != 200 || last.Committed != 190 || len(f.Blocks) < 10 {
		t.Errorf("%d ticks in %d blocks, the last one %+v", ticks, len(f.Blocks), last)
	}
}

// TestDocumentedVersion: docs/replay.md names the version that the code has.
func TestDocumentedVersion(t *testing.T) {
	doc, err := os.ReadFile("../../docs/replay.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("Format version: **%d**", replay.Version); !strings.Contains(string(doc), want) {
		t.Errorf("docs/replay.md does not say %q", want)
	}
}

// TestGoldenFile tests that the bytes of a file do not change without a new Version.
func TestGoldenFile(t *testing.T) {
	const want = "36bdd4435fe0dbedbfb9bed979f4af7ad111b3e68349df9841b8aedbf5d6ccec"
	var out bytes.Buffer
	first := replay.Record{Kind: replay.Bundle, Number: 1, Hash32: [32]byte{1}, Data: []byte(`{"game":"x"}`)}
	if err := writeMatchOf(&out, &first, 50, nil); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(out.Bytes())); got != want {
		t.Errorf("version %d of the format has hash\n%s, want\n%s", replay.Version, got, want)
	}
}

func TestSeekingFindsTheLastKeyframe(t *testing.T) {
	f, err := open(match(t, 400, nil))
	if err != nil {
		t.Fatal(err)
	}
	for tick := world.Tick(0); tick <= 400; tick++ {
		want := min(tick, 390) / 40 * 40
		if h := f.Blocks[f.KeyAt(tick)]; !h.HasKey || h.Key != want {
			t.Fatalf("tick %d: keyframe of tick %d (%v), want %d", tick, h.Key, h.HasKey, want)
		}
	}
}

// TestKeyframesPointBack follows the keyframes from the last to the first.
func TestKeyframesPointBack(t *testing.T) {
	f, err := open(match(t, 400, nil))
	if err != nil {
		t.Fatal(err)
	}
	byOffset := map[int64]replay.Block{}
	for _, h := range f.Blocks {
		byOffset[h.Offset] = h
	}
	h, keys := f.Blocks[f.KeyAt(400)], 1
	for h.Back != 0 {
		before, ok := byOffset[h.Offset-h.Back]
		if !ok || !before.HasKey || before.Key+40 != h.Key {
			t.Fatalf("the keyframe of tick %d points back to %+v", h.Key, before)
		}
		h, keys = before, keys+1
	}
	if h.Key != 0 || keys != 10 {
		t.Errorf("%d keyframes, the first of tick %d", keys, h.Key)
	}
}

// TestTruncatedReplayIsReadable: what a killed host leaves is readable up to its last whole
// block, and says that it is cut off; with less than a block it is refused.
func TestTruncatedReplayIsReadable(t *testing.T) {
	data := match(t, 100, nil)
	whole, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	begins := map[int64]bool{}
	for _, h := range whole.Blocks {
		begins[h.Offset] = true
	}
	for n := range data {
		f, err := open(data[:n])
		if err != nil {
			want := replay.ErrTruncated
			if n == 0 {
				want = replay.ErrForeign
			}
			if !errors.Is(err, want) || n > int(whole.Blocks[1].Offset) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		if _, err := all(f); err != nil || f.Ended {
			t.Fatalf("%d bytes: %v, ended %v", n, err, f.Ended)
		}
		if clean := begins[int64(n)]; clean != (f.Damage == nil) || !clean && !errors.Is(f.Damage, replay.ErrTruncated) {
			t.Fatalf("%d bytes: damage %v", n, f.Damage)
		}
	}
}

// TestEveryCorruptByteIsFound changes each byte of a file in turn.
func TestEveryCorruptByteIsFound(t *testing.T) {
	data := match(t, 100, nil)
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x10
		f, err := open(bad)
		if err == nil {
			if err = f.Damage; err == nil {
				_, err = all(f)
			}
		}
		if !errors.Is(err, replay.ErrCorrupt) && !errors.Is(err, replay.ErrForeign) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	newer := match(t, 10, nil)
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"empty":   {nil, replay.ErrForeign},
		"text":    {[]byte(strings.Repeat("not a replay\n", 10)), replay.ErrForeign},
		"zeros":   {make([]byte, 1000), replay.ErrForeign},
		"header":  {newer[:16], replay.ErrTruncated},
		"newline": {bytes.Replace(newer, []byte("\r\n"), []byte("\n"), 1), replay.ErrForeign},
	} {
		if _, err := open(c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// reversed is a packing that is easy to see.
type reversed struct{ lie int }

func (reversed) ID() byte { return replay.Zstd }

func (reversed) Pack(dst, src []byte) []byte {
	for i := len(src) - 1; i >= 0; i-- {
		dst = append(dst, src[i])
	}
	return dst
}

func (p reversed) Unpack(src []byte, _ int) ([]byte, error) {
	return p.Pack(nil, src)[p.lie:], nil
}

func TestPackedBlocks(t *testing.T) {
	data := match(t, 100, reversed{})
	f, err := replay.Open(bytes.NewReader(data), int64(len(data)), reversed{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all(f); err != nil {
		t.Error(err)
	}
	if _, err := open(data); !errors.Is(err, replay.ErrVersion) {
		t.Errorf("without the packing: %v", err)
	}
	if _, err := replay.Open(bytes.NewReader(data), int64(len(data)), reversed{lie: 1}); !errors.Is(err, replay.ErrCorrupt) {
		t.Errorf("a block that unpacks to another size: %v", err)
	}
}

// failing takes some writes, then no more.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestFirstWriteErrorIsKept(t *testing.T) {
	w := replay.NewWriter(&failing{left: 2}, nil)
	for i := range 3 {
		w.Add(&replay.Record{Kind: replay.Tick, Tick: world.Tick(i)})
		if err := w.Flush(); (err != nil) != (i > 0) {
			t.Errorf("block %d: %v", i, err)
		}
	}
	if !errors.Is(w.Err(), io.ErrShortWrite) {
		t.Error(w.Err())
	}
}

// disk has room for some bytes. A write beyond them is cut off, with an error or, as no Writer should, without one.
type disk struct {
	bytes.Buffer
	room   int
	silent bool
}

var errFull = errors.New("no space left on device")

func (d *disk) Write(b []byte) (int, error) {
	n := min(len(b), d.room)
	d.room -= n
	_, _ = d.Buffer.Write(b[:n])
	if n < len(b) && !d.silent {
		return n, errFull
	}
	return n, nil
}

// TestFullDisk fills the disk at each byte of a file. The writer says so and writes no more, so what is there is
// readable up to the last whole block, and no part of a block is believed.
func TestFullDisk(t *testing.T) {
	whole, err := open(match(t, 60, nil))
	if err != nil {
		t.Fatal(err)
	}
	data := match(t, 60, nil)
	for room := range data {
		for _, silent := range []bool{false, true} {
			d, want := &disk{room: room, silent: silent}, errFull
			if silent {
				want = io.ErrShortWrite
			}
			if err := writeMatch(d, 60, nil); !errors.Is(err, want) {
				t.Fatalf("a disk with room for %d bytes: %v", room, err)
			}
			if !bytes.Equal(d.Bytes(), data[:room]) {
				t.Fatalf("a disk with room for %d bytes has others, or %d", room, d.Len())
			}
			f, err := open(d.Bytes())
			if err != nil {
				if room > int(whole.Blocks[1].Offset) {
					t.Fatalf("room for %d bytes: %v", room, err)
				}
				continue
			}
			if _, err := all(f); err != nil || f.Ended {
				t.Fatalf("room for %d bytes: %v, ended %v", room, err, f.Ended)
			}
		}
	}
}

// TestLostPower: a machine that loses power can leave zeros in the place of the content of the last blocks, whose
// headers are whole. These blocks are dropped, and the damage names the first of them.
func TestLostPower(t *testing.T) {
	data := match(t, 100, nil)
	whole, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	for keep := len(whole.Blocks) - 1; keep >= 0; keep-- {
		cut := bytes.Clone(data)
		for _, h := range whole.Blocks[keep:] {
			from, to := int(h.Offset)+48, len(cut)
			if next := slices.IndexFunc(whole.Blocks, func(b replay.Block) bool { return b.Offset > h.Offset }); next >= 0 {
				to = int(whole.Blocks[next].Offset)
			}
			clear(cut[from:to])
		}
		f, err := open(cut)
		at := fmt.Sprintf("block at byte %d ", whole.Blocks[keep].Offset)
		if keep == 0 {
			if !errors.Is(err, replay.ErrCorrupt) || !strings.Contains(err.Error(), at) {
				t.Errorf("nothing is left: %v", err)
			}
			continue
		}
		if err != nil || len(f.Blocks) != keep || f.Ended || !errors.Is(f.Damage, replay.ErrCorrupt) || !strings.Contains(f.Damage.Error(), at) {
			t.Fatalf("%d blocks are whole: %v, %+v", keep, err, f)
		}
		if _, err := all(f); err != nil {
			t.Errorf("%d blocks are whole: %v", keep, err)
		}
	}
}

// FuzzOpen: whatever the bytes, reading ends with a file or with one of the errors.
func FuzzOpen(f *testing.F) {
	data := match(f, 60, nil)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte("HCB1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := open(data)
		if err == nil {
			_, err = all(file)
		}
		for _, known := range []error{nil, replay.ErrForeign, replay.ErrVersion, replay.ErrTruncated, replay.ErrCorrupt} {
			if errors.Is(err, known) {
				return
			}
		}
		t.Errorf("an error of no kind: %v", err)
	})
}
