package memlink

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func TestParseProfile(t *testing.T) {
	for _, tc := range []struct {
		text string
		want Profile
	}{
		{"off", Off()},
		{"lan", LAN()},
		{"average", Profile{Delay: 45 * ms, Jitter: 15 * ms, Loss: 0.01}},
		{"bad", Profile{Delay: 150 * ms, Jitter: 50 * ms, Loss: 0.05}},
		{"awful", Profile{Delay: 300 * ms, Jitter: 100 * ms, Loss: 0.2}},
		{"burst", Profile{Delay: 45 * ms, Jitter: 15 * ms, Loss: 0.05, Burst: 50 * ms}},
		{"loss=10%,burst=1500us", Profile{Loss: 0.1, Burst: 1500 * time.Microsecond}},
		{"delay=80ms,jitter=20ms,loss=5%,dup=1%,reorder=2%,rate=1mbit",
			Profile{Delay: 80 * ms, Jitter: 20 * ms, Loss: 0.05, Duplicate: 0.01, Reorder: 0.02, Rate: 1e6}},
		{"rate=1.5mbit", Profile{Rate: 1_500_000}},
		{"rate=64kbit,delay=1s", Profile{Rate: 64_000, Delay: time.Second}},
		{"rate=5000bit", Profile{Rate: 5000}},
		{"loss=0.125", Profile{Loss: 0.125}},
		{"loss=100%", Profile{Loss: 1}},
		{"loss=-0", Profile{}},
		{"jitter=0s", Profile{}},
	} {
		got, err := ParseProfile(tc.text)
		if err != nil || got != tc.want {
			t.Errorf("%q: got %+v, %v, want %+v", tc.text, got, err, tc.want)
		}
	}
}

// Errors name the word that is wrong, and what would be right.
func TestParseProfileErrors(t *testing.T) {
	for _, tc := range []struct{ text, word, allowed string }{
		{"", `""`, "off, lan, average, bad, awful, burst"},
		{"terrible", `"terrible"`, "off, lan, average, bad, awful"},
		{"Bad", `"Bad"`, "bad"},
		{"lag=3ms", `"lag=3ms"`, "delay, jitter, loss, burst, dup, reorder or rate"},
		{"delay=80ms,", `""`, "delay, jitter, loss, burst, dup, reorder or rate"},
		{"delay=80ms,bad", `"bad"`, "delay, jitter, loss, burst, dup, reorder or rate"},
		{"delay=80", `"delay=80"`, "80ms"},
		{"delay=-1ms", `"delay=-1ms"`, "from 0s to 1m"},
		{"delay=2m", `"delay=2m"`, "from 0s to 1m"},
		{"delay=10ns", `"delay=10ns"`, "whole microseconds"},
		{"delay=10ms,jitter=20ms", "jitter=20ms", "delay=10ms"},
		{"jitter=1ms", "jitter=1ms", "delay=0s"},
		{"loss=5%,loss=6%", `"loss=6%"`, "twice"},
		{"loss=101%", `"loss=101%"`, "0% to 100%"},
		{"loss=-1%", `"loss=-1%"`, "0% to 100%"},
		{"burst=50ms", "burst=50ms", "loss=5%"},
		{"loss=100%,burst=50ms", "burst=50ms", "loss=5%"},
		{"loss=5%,burst=1us", `"burst=1us"`, "1ms to 10s"},
		{"loss=5%,burst=11s", `"burst=11s"`, "1ms to 10s"},
		{"dup=NaN", `"dup=NaN"`, "0% to 100%"},
		{"reorder=5%%", `"reorder=5%%"`, "0% to 100%"},
		{"rate=1", `"rate=1"`, "500kbit"},
		{"rate=0mbit", `"rate=0mbit"`, "1kbit to 1000gbit"},
		{"rate=1e9gbit", `"rate=1e9gbit"`, "1kbit to 1000gbit"},
		{"rate=NaNbit", `"rate=NaNbit"`, "1kbit to 1000gbit"},
	} {
		got, err := ParseProfile(tc.text)
		if !errors.Is(err, ErrProfile) || got != (Profile{}) {
			t.Errorf("%q: got %+v, %v", tc.text, got, err)
			continue
		}
		if s := err.Error(); !strings.Contains(s, tc.word) || !strings.Contains(s, tc.allowed) {
			t.Errorf("%q: the error %q doesn't name %s and %s", tc.text, s, tc.word, tc.allowed)
		}
	}
}

func TestProfileString(t *testing.T) {
	for text, want := range map[string]string{
		"awful": "awful",
		"delay=45ms,burst=50ms,loss=5%,jitter=15ms": "burst",
		"burst=1s,loss=5%":                          "loss=5%,burst=1s",
		"rate=1mbit":                                "rate=1mbit",
		"rate=1500000bit,delay=1500us,loss=0.07":    "delay=1.5ms,loss=7%,rate=1500kbit",
		"delay=45ms,jitter=15ms,loss=1%":            "average",
		"reorder=0%":                                "off",
		"dup=12.5%,delay=1m,jitter=1us,loss=100%":   "delay=1m0s,jitter=1µs,loss=100%,dup=12.5%",
	} {
		p, err := ParseProfile(text)
		if err != nil || p.String() != want {
			t.Errorf("%q reads as %v, %v, want %v", text, p, err, want)
		}
	}
}

func TestProfileRoundTrip(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		p := drawProfile(t)
		var back Profile
		text, err := p.MarshalText()
		if err == nil {
			err = back.UnmarshalText(text)
		}
		if err != nil || back != p {
			t.Fatalf("%+v is written %q and read as %+v, %v", p, text, back, err)
		}
	})
}

func FuzzParseProfile(f *testing.F) {
	for _, seed := range []string{"off", "lan", "average", "bad", "awful", "burst", "loss=5%,burst=50ms", "", "=", ",", "delay",
		"delay=80ms,jitter=20ms,loss=5%,dup=1%,reorder=2%,rate=1mbit", "rate=1e400gbit", "loss=0x1p-3", "delay=1h", "loss=1e-300%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProfile(text)
		if err != nil {
			if p != (Profile{}) || !errors.Is(err, ErrProfile) {
				t.Fatalf("%q: %+v, %v", text, p, err)
			}
			return
		}
		if p.Delay < p.Jitter || p.Jitter < 0 || !(p.Loss >= 0 && p.Loss <= 1) || p.Rate < 0 {
			t.Fatalf("%q gives %+v", text, p)
		}
		back, err := ParseProfile(p.String())
		if err != nil || back != p {
			t.Fatalf("%q gives %+v, written %q, read as %+v, %v", text, p, p.String(), back, err)
		}
		if back.String() != p.String() {
			t.Fatalf("%q is written %q and %q", text, p.String(), back.String())
		}
	})
}
