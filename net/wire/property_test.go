package wire

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// Parsing returns the message that was appended, and appending does not change the bytes
// before it.
func TestRoundTrip(t *testing.T) {
	for _, c := range codecs() {
		t.Run(c.kind.String(), func(t *testing.T) {
			for _, m := range c.samples {
				checkRoundTrip(t, c, m)
			}
			draws.Check(t, func(t *rapid.T) { checkRoundTrip(t, c, c.gen(t)) })
		})
	}
}

func checkRoundTrip(t rapid.TB, c codec, m any) {
	b := c.append([]byte("before"), m)
	if !bytes.HasPrefix(b, []byte("before")) {
		t.Fatalf("the bytes before the message became %q", b[:6])
	}
	b = b[len("before"):]
	if KindOf(b) != c.kind {
		t.Fatalf("kind %s, not %s", KindOf(b), c.kind)
	}
	got, err := c.parse(b)
	if err != nil {
		t.Fatalf("%x of %+v: %v", b, m, err)
	}
	if !same(got, m) {
		t.Fatalf("%x:\ngot  %+v\nwant %+v", b, got, m)
	}
}

func TestEventRoundTrip(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		kind := world.EventKind(draw(t, rapid.IntRange(int(world.BundleEvent), int(world.FrameEvent))))
		want := event(t, kind, tick(t))
		b := append(AppendEvent(nil, &want), "rest"...)
		got := world.Event{Class: "left over", Player: 9}
		rest, err := ReadEvent(b, &got)
		if err != nil || string(rest) != "rest" || !same(got, want) {
			t.Fatalf("%x: got %+v, rest %q, %v; want %+v", b, got, rest, err, want)
		}
	})
}

// An axis keeps every bit, and its encoding has the length that PROTOCOL.md names.
func TestAxis(t *testing.T) {
	cases := []struct {
		v    float64
		size int
	}{
		{0, 1}, {1, 1}, {-1, 1}, {7, 1}, {-8, 1}, {8, 2}, {1023, 2}, {1e6, 4}, {maxSteps, 5}, {maxSteps + 1, 9}, {1 << 40, 5},
		{steps(7, 0.1), 1}, {steps(-57, 0.01), 2}, {steps(1023, 0.001), 2}, {steps(1571, 0.001), 3}, {0.375, 2}, {-1.0 / 256, 1},
		{1.0 / 1024, 5}, {math.Copysign(0, -1), 5}, {math.Inf(1), 5}, {math.Pi, 9}, {5e-324, 9}, {math.MaxFloat64, 9},
		{math.NaN(), 9}, {math.Float64frombits(0x7ff8000000000000), 9}, {math.Float64frombits(0x7ff0000000000001), 9}, {math.Float64frombits(0xfff8dead0000beef), 9},
	}
	for _, c := range cases {
		b := appendAxis(nil, c.v)
		if len(b) != c.size {
			t.Errorf("%v takes %d bytes, %x, not %d", c.v, len(b), b, c.size)
		}
		r := reader{b: b}
		if got := readAxis(&r); math.Float64bits(got) != math.Float64bits(c.v) || r.close() != nil {
			t.Errorf("%v came back as %v, %v", c.v, got, r.err)
		}
	}
}

// steps is no constant: Go would round a product of constants only once.
func steps(n, step float64) float64 { return n * step }

// Every value of a field with a common step takes at most three bytes if it is within a few
// units of zero.
func TestAxisSteps(t *testing.T) {
	for _, step := range []float64{1, 0.5, 0.25, 0.1, 0.01, 0.001, 1.0 / 64, 1.0 / 256} {
		field := world.InputField{Step: step}
		for n := int64(-4 / step); float64(n) <= 4/step; n++ {
			if b := appendAxis(nil, field.Value(n)); len(b) > 3 {
				t.Fatalf("%d steps of %v take %d bytes", n, step, len(b))
			}
		}
	}
}

func TestZigzag(t *testing.T) {
	for u, v := range []int64{0, -1, 1, -2, 2} {
		if zigzag(v) != uint64(u) || unzigzag(uint64(u)) != v {
			t.Errorf("zigzag(%d) = %d, unzigzag(%d) = %d", v, zigzag(v), u, unzigzag(uint64(u)))
		}
	}
	draws.Check(t, func(t *rapid.T) {
		if v := draw(t, rapid.Int64()); unzigzag(zigzag(v)) != v {
			t.Fatal(v)
		}
	})
}

// Any text is cleaned to one that parsers accept, and valid text is sent unchanged.
func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"two\nlines":            "two lines",
		"bad\xffbyte":           "bad\uFFFDbyte",
		"\u0085":                " ",
		strings.Repeat("a", 40): strings.Repeat("a", 32),
		strings.Repeat("é", 17): strings.Repeat("é", 16),
		"x" + "日本語日本語日本語日本語": "x日本語日本語日本語日",
	} {
		if got := clean(in, MaxName); got != want {
			t.Errorf("clean(%q) = %q, not %q", in, got, want)
		}
	}
	draws.Check(t, func(t *rapid.T) {
		s := string(blob(t, 60))
		if draw(t, rapid.Bool()) {
			s = draw(t, rapid.String())
		}
		got := clean(s, MaxName)
		r := reader{b: appendText(nil, s, MaxName)}
		if back := r.text("", MaxName); back != got || r.close() != nil {
			t.Fatalf("clean(%q) = %q is refused: %v", s, got, r.err)
		}
		good := utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
		if good && !strings.HasPrefix(s, got) || good && len(s) <= MaxName && s != got {
			t.Fatalf("clean(%q) = %q", s, got)
		}
	})
}

func TestKindNames(t *testing.T) {
	if KindOf(nil) != 0 || KindOf([]byte{9, 1}) != KindBundleWant {
		t.Error("KindOf")
	}
	for _, c := range []struct {
		k    Kind
		want string
	}{{0, "kind(0)"}, {KindPing, "Ping"}, {KindStateReply, "StateReply"}, {KindSnapshot, "Snapshot"}, {KindCues, "Cues"}, {KindMotion, "Motion"}, {KindRow, "Row"}, {KindEnd, "End"}, {KindAssetPart, "AssetPart"}, {KindEnter, "Enter"}, {KindProblems, "Problems"}, {KindProblems + 1, "kind(29)"}} {
		if got := c.k.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
