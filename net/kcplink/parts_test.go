package kcplink

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func TestWindowAgainstAModel(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var w seqWindow
		start := rapid.SampledFrom([]uint32{0, 5000, math.MaxUint32 - 700}).Draw(t, "start")
		seen := map[int64]bool{} // unwrapped
		newest := int64(-1)
		for range 300 {
			step := rapid.OneOf(rapid.Int64Range(-20, 20), rapid.Int64Range(-1500, 1500)).Draw(t, "step")
			at := max(0, newest+step)
			want := lateFresh
			switch {
			case at > newest:
				want = fresh
			case newest-at >= windowSize:
				want = stale
			case seen[at]:
				want = duplicate
			}
			if got := w.take(start + uint32(at)); got != want {
				t.Fatalf("seq %d, newest %d: verdict %d, want %d", at, newest, got, want)
			}
			seen[at] = true
			newest = max(newest, at)
		}
	})
}

func TestCookiesAreBoundToAddressNonceAndTime(t *testing.T) {
	for _, secret := range [][]byte{nil, []byte("shared")} {
		j := newJar(secret)
		at := 3 * time.Second
		c := j.cookie(at, addrN(1), 7)
		for _, k := range []struct {
			name  string
			now   time.Duration
			addr  int
			nonce uint64
			want  bool
		}{
			{"at once", at, 1, 7, true},
			{"next bucket", at + cookieBucket, 1, 7, true},
			{"too late", at + 2*cookieBucket, 1, 7, false},
			{"other address", at, 2, 7, false},
			{"other nonce", at, 1, 8, false},
		} {
			if got := j.checkCookie(k.now, addrN(k.addr), k.nonce, c); got != k.want {
				t.Errorf("secret %q, %s: %v", secret, k.name, got)
			}
		}
		if j.checkPath(at, addrN(1), 7, c[:8]) {
			t.Error("a cookie passes for a path token")
		}
		tok := j.pathToken(at, addrN(1), 7)
		if !j.checkPath(at, addrN(1), 7, tok[:]) || j.checkPath(at, addrN(2), 7, tok[:]) {
			t.Error("a path token does not hold for just its address")
		}
	}
	if newJar(nil).checkCookie(0, addrN(1), 7, newJar(nil).cookie(0, addrN(1), 7)) {
		t.Error("two hosts have the same random secret")
	}
}

func TestRotatedSecretsAcceptYoungCookies(t *testing.T) {
	j := newJar(nil)
	before := j.macs[0]
	c := j.cookie(secretLife-time.Second, addrN(1), 7)
	if !j.checkCookie(secretLife+time.Second, addrN(1), 7, c) {
		t.Error("a cookie of the secret before is refused")
	}
	if j.macs[0] == before || j.macs[1] != before {
		t.Error("the secret did not change")
	}
}

func TestAssemblerIgnoresFragmentBounds(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		a := assembler{limit: 3000}
		var all []byte
		var want, got [][]byte
		for range rapid.IntRange(1, 20).Draw(t, "messages") {
			m := bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")}, rapid.IntRange(1, 3000).Draw(t, "size"))
			want = append(want, m)
			all = append(binary.LittleEndian.AppendUint32(all, uint32(len(m))), m...)
		}
		for len(all) > 0 {
			n := min(len(all), rapid.IntRange(1, 1200).Draw(t, "cut"))
			err := a.feed(all[:n], func(m []byte) bool {
				got = append(got, bytes.Clone(m))
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			all = all[n:]
		}
		if len(got) != len(want) {
			t.Fatalf("%d messages, want %d", len(got), len(want))
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("message %d differs", i)
			}
		}
	})
}

func TestAssemblerAllocatesOnlyForReceivedFragments(t *testing.T) {
	a := assembler{limit: 64 << 20}
	b := binary.LittleEndian.AppendUint32(nil, 64<<20)
	b = append(b, make([]byte, 1000)...)
	if err := a.feed(b, nil); err != nil {
		t.Fatal(err)
	}
	if cap(a.buf) > 4096 {
		t.Errorf("%d bytes are held for 1000 that came", cap(a.buf))
	}
	for _, size := range []uint32{0, 64<<20 + 1, math.MaxUint32} {
		a := assembler{limit: 64 << 20}
		if err := a.feed(binary.LittleEndian.AppendUint32(nil, size), nil); err == nil {
			t.Errorf("a message of %d bytes is announced, and taken", size)
		}
	}
}

func TestPacerKeepsItsRate(t *testing.T) {
	for _, step := range []time.Duration{time.Millisecond, 5 * time.Millisecond, 16 * time.Millisecond} {
		p := newPacer()
		n := 0
		for now := time.Second; now < 2*time.Second; now += step {
			for p.take(now) {
				n++
			}
		}
		if n < 360 || n > 381 {
			t.Errorf("polled every %v: %d segments in a second, want about 375", step, n)
		}
	}
	p := newPacer()
	burst := 0
	for p.take(time.Hour) {
		burst++
	}
	if burst != paceMost {
		t.Errorf("after a pause %d at once, want %d", burst, paceMost)
	}
}

func TestPacerSlowsForAQueueAndRecovers(t *testing.T) {
	p := newPacer()
	var m rttMeter
	now := time.Duration(0)
	samples := func(n int, rtt time.Duration) {
		for range n {
			now += 100 * time.Millisecond
			m.add(rtt)
			p.adapt(now, &m)
		}
	}
	samples(20, 80*time.Millisecond)
	if p.window != sendWindow {
		t.Fatalf("on an empty path the window is %d", p.window)
	}
	samples(50, 600*time.Millisecond)
	if p.window > sendWindow/8 || p.window < windowLeast {
		t.Errorf("with a queue of half a second the window is %d", p.window)
	}
	samples(50, 80*time.Millisecond)
	if p.window != sendWindow {
		t.Errorf("the queue is gone and the window is still %d", p.window)
	}
	m.add(-1)
	m.add(math.MaxInt64)
	if m.smooth > time.Second {
		t.Errorf("a forged clock is believed: %v", m.smooth)
	}
}
