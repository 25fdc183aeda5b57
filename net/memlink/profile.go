package memlink

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Profile describes one direction of a line. The zero Profile is perfect: no delay, no
// loss, no limit.
//
// Times count in whole microseconds. Shares are from 0 to 1 and drawn for each packet
// separately; with Burst, Loss is the share of time in which all packets are lost.
type Profile struct {
	Delay     time.Duration // the mean, one way
	Jitter    time.Duration // the delay is uniform in [Delay-Jitter, Delay+Jitter]
	Loss      float64       // share of packets that are lost
	Burst     time.Duration // the mean duration of a burst, in which all packets are lost; 0: each is lost separately
	Duplicate float64       // share of packets that are delivered twice, each time with a delay of its own
	// share of packets that are delayed by a further 20 to 40 ms, so that later ones overtake them
	Reorder float64
	Rate    int64 // bits a second, headers of IP and UDP included; 0: unlimited
}

// The limits of ParseProfile.
const (
	maxDelay = time.Minute
	minBurst = time.Millisecond
	maxBurst = 10 * time.Second
	minRate  = 1_000
	maxRate  = 1_000_000_000_000
)

// ErrProfile is wrapped by every error of ParseProfile and UnmarshalText.
var ErrProfile = errors.New("bad network profile")

// Off returns a perfect line.
func Off() Profile { return Profile{} }

// LAN returns a good local network: 0.2 to 1 ms each way, nothing lost.
func LAN() Profile {
	return Profile{Delay: 600 * time.Microsecond, Jitter: 400 * time.Microsecond}
}

// Average returns a home line: 30 to 60 ms each way, 1 % lost; as "average" in Unreal's network
// emulation.
//
// Source: "Networked Physics Controller" (Michael Szolowicz), which is tried with these two profiles.
func Average() Profile {
	return Profile{Delay: 45 * time.Millisecond, Jitter: 15 * time.Millisecond, Loss: 0.01}
}

// Bad returns a bad mobile line: 100 to 200 ms each way, 5 % lost; as "bad" in Unreal's network
// emulation.
func Bad() Profile {
	return Profile{Delay: 150 * time.Millisecond, Jitter: 50 * time.Millisecond, Loss: 0.05}
}

// Awful returns a barely usable line: 200 to 400 ms each way, 20 % lost.
func Awful() Profile {
	return Profile{Delay: 300 * time.Millisecond, Jitter: 100 * time.Millisecond, Loss: 0.20}
}

// Burst returns a home line with bursts of loss: 30 to 60 ms each way, 5 % lost in bursts of
// about 50 ms.
func Burst() Profile {
	return Profile{
		Delay:  45 * time.Millisecond,
		Jitter: 15 * time.Millisecond,
		Loss:   0.05,
		Burst:  50 * time.Millisecond,
	}
}

// named lists the profiles with names, in the order of error texts.
func named() []struct {
	name    string
	profile Profile
} {
	return []struct {
		name    string
		profile Profile
	}{{"off", Off()}, {"lan", LAN()}, {"average", Average()}, {"bad", Bad()}, {"awful", Awful()}, {"burst", Burst()}}
}

// ParseProfile reads a name (off, lan, average, bad, awful, burst) or a list such as
//
//	delay=80ms,jitter=20ms,loss=5%,burst=50ms,dup=1%,reorder=2%,rate=1mbit
//
// in which every part is optional, but burst needs loss. A share may also be written as
// 0.05. Errors wrap ErrProfile and name the wrong word and what is allowed.
func ParseProfile(text string) (Profile, error) {
	for _, n := range named() {
		if text == n.name {
			return n.profile, nil
		}
	}
	if !strings.Contains(text, "=") {
		return Profile{}, fmt.Errorf(
			"%w %q: want off, lan, average, bad, awful, burst, or a list such as "+
				"delay=80ms,jitter=20ms,loss=5%%,burst=50ms,dup=1%%,reorder=2%%,rate=1mbit",
			ErrProfile,
			text,
		)
	}
	var p Profile
	var seen []string
	for _, word := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(word, "=")
		for _, k := range seen {
			if k == key {
				return Profile{}, fmt.Errorf("%w: %q: %s is given twice", ErrProfile, word, key)
			}
		}
		seen = append(seen, key)
		if err := p.set(key, value); err != nil {
			return Profile{}, fmt.Errorf("%w: %q: %w", ErrProfile, word, err)
		}
	}
	if p.Jitter > p.Delay {
		return Profile{}, fmt.Errorf(
			"%w: jitter=%v is more than delay=%v: the delay is the middle, the jitter plus or minus", ErrProfile,
			p.Jitter, p.Delay)
	}
	if p.Burst > 0 && (p.Loss == 0 || p.Loss == 1) {
		return Profile{}, fmt.Errorf(
			"%w: burst=%v needs a loss between 0%% and 100%%, such as loss=5%%: the share of time that bursts take",
			ErrProfile, p.Burst)
	}
	return p, nil
}

// set sets one part of a list.
func (p *Profile) set(key, value string) (err error) {
	switch key {
	case "delay":
		p.Delay, err = parseDelay(value)
	case "jitter":
		p.Jitter, err = parseDelay(value)
	case "loss":
		p.Loss, err = parseShare(value)
	case "burst":
		p.Burst, err = parseBurst(value)
	case "dup":
		p.Duplicate, err = parseShare(value)
	case "reorder":
		p.Reorder, err = parseShare(value)
	case "rate":
		p.Rate, err = parseRate(value)
	default:
		err = errors.New("want delay, jitter, loss, burst, dup, reorder or rate, then = and a value")
	}
	return err
}

func parseDelay(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 || d > maxDelay || d%time.Microsecond != 0 {
		return 0, errors.New("want a time from 0s to 1m in whole microseconds, such as 80ms")
	}
	return d, nil
}

func parseBurst(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d != 0 && (d < minBurst || d > maxBurst) || d%time.Microsecond != 0 {
		return 0, errors.New(
			"want a time from 1ms to 10s in whole microseconds, such as 50ms (leave it out for losses one by one)",
		)
	}
	return d, nil
}

func parseShare(value string) (float64, error) {
	number, percent := strings.CutSuffix(value, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, errors.New("want a share from 0% to 100%, such as 5% or 0.05")
	}
	return math.Abs(v), nil // not -0
}

// units returns the units of a rate, the largest first.
func units() []struct {
	name string
	bits int64
} {
	return []struct {
		name string
		bits int64
	}{{"gbit", 1e9}, {"mbit", 1e6}, {"kbit", 1e3}, {"bit", 1}}
}

func parseRate(value string) (int64, error) {
	for _, unit := range units() {
		number, found := strings.CutSuffix(value, unit.name)
		if !found {
			continue
		}
		v, err := strconv.ParseFloat(number, 64)
		v = math.Round(v * float64(unit.bits))
		if err != nil || !(v >= minRate && v <= maxRate) {
			break
		}
		return int64(v), nil
	}
	return 0, errors.New(
		"want a rate from 1kbit to 1000gbit a second, such as 500kbit or 1mbit (leave it out for no limit)",
	)
}

// String returns the profile as ParseProfile reads it: by its name, if it has one.
func (p Profile) String() string {
	for _, n := range named() {
		if p == n.profile {
			return n.name
		}
	}
	var words []string
	add := func(key string, zero bool, value string) {
		if !zero {
			words = append(words, key+"="+value)
		}
	}
	add("delay", p.Delay == 0, p.Delay.String())
	add("jitter", p.Jitter == 0, p.Jitter.String())
	add("loss", p.Loss == 0, formatShare(p.Loss))
	add("burst", p.Burst == 0, p.Burst.String())
	add("dup", p.Duplicate == 0, formatShare(p.Duplicate))
	add("reorder", p.Reorder == 0, formatShare(p.Reorder))
	add("rate", p.Rate == 0, formatRate(p.Rate))
	return strings.Join(words, ",")
}

// formatShare writes a percentage, unless reading that would give other bits.
func formatShare(v float64) string {
	percent := strconv.FormatFloat(v*100, 'g', 15, 64) + "%"
	if back, err := parseShare(percent); err == nil && back == v {
		return percent
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func formatRate(rate int64) string {
	for _, unit := range units() {
		if rate%unit.bits == 0 {
			return strconv.FormatInt(rate/unit.bits, 10) + unit.name
		}
	}
	return "" // not reached: the last unit is 1
}

// MarshalText returns what String returns. With UnmarshalText it makes a Profile usable
// with flag.TextVar and TOML.
func (p Profile) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what ParseProfile reads.
func (p *Profile) UnmarshalText(text []byte) error {
	parsed, err := ParseProfile(string(text))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}
