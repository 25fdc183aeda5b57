package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// guess returns a shot of a replicated object of player 1, which has no field if n is 0.
func guess(t world.Tick, n float64) world.Cue {
	c := world.Cue{CueKey: world.CueKey{Tick: t, Object: 5, Name: "shot"},
		Source: world.CueSource{Replicated: true, Runner: 1}}
	if n != 0 {
		c.Fields = []world.CueField{{Name: "n", Number: n}}
	}
	return c
}

func numbered(c world.Cue, n int) world.Cue {
	c.Count = n
	return c
}

// TestGuessesAreJudged tests what becomes of cues that a client has guessed, by those that happened at the host.
func TestGuessesAreJudged(t *testing.T) {
	for _, c := range []struct {
		what            string
		guessed, really []world.Cue
		complete        world.Tick // 0: as far as settled
		settled         world.Tick
		want            string
	}{
		{"it happened", []world.Cue{guess(20, 1)}, []world.Cue{guess(20, 1)}, 0, 60, ""},
		{"and was measured otherwise", []world.Cue{guess(20, 1.5)}, []world.Cue{guess(20, 1.51)}, 0, 60, ""},
		{"it was another one", []world.Cue{guess(20, 1)}, []world.Cue{guess(20, 2)}, 0, 60, "moved 20:1 20:2"},
		{"it did not happen", []world.Cue{guess(20, 1)}, nil, 0, 60, "cancelled 20:1"},
		{"it may happen yet", []world.Cue{guess(20, 1)}, nil, 0, 34, ""},
		{"the host may know more", []world.Cue{guess(20, 1)}, nil, 60, 34, ""},
		{"this client may guess it yet", nil, []world.Cue{guess(20, 1)}, 34, 60, ""},
		{"too late to be the same", []world.Cue{guess(20, 0)}, []world.Cue{guess(36, 0)}, 0, 60, "cancelled 20:0, fired 36:0"},
		{"another one has its key", []world.Cue{guess(20, 1), guess(22, 2)}, []world.Cue{guess(21, 1), guess(20, 3)}, 0, 60,
			"moved 20:1 21:1, moved 22:2 20:3"},
		{"all at once", []world.Cue{guess(20, 1), guess(25, 2)}, []world.Cue{guess(25, 1), numbered(guess(25, 2), 1)}, 0, 60, ""},
		{"a little later, and the one before did not", []world.Cue{guess(18, 1), guess(20, 2)}, []world.Cue{guess(19, 2)}, 0, 60,
			"cancelled 18:1"},
		{"a little later", []world.Cue{guess(20, 0)}, []world.Cue{guess(35, 0)}, 0, 60, ""},
		{"it was not guessed", nil, []world.Cue{guess(20, 1)}, 0, 60, "fired 20:1"},
		{"one of two", []world.Cue{guess(20, 0), guess(25, 0)}, []world.Cue{guess(25, 0)}, 0, 60, "cancelled 20:0"},
		{"again, after it was refused", []world.Cue{guess(20, 1), guess(50, 1)}, []world.Cue{guess(50, 1)}, 0, 90, "cancelled 20:1"},
		{"cut: the inputs have not come", []world.Cue{guess(20, 1)}, nil, 0, 59, ""},
		{"cut: a press that was acted on with the next input", []world.Cue{guess(20, 1)}, []world.Cue{guess(50, 1)}, 0, 90, ""},
		{"cut: the same without a number", []world.Cue{guess(20, 0)}, []world.Cue{guess(50, 0)}, 0, 90, ""},
		{"cut: it did not happen", []world.Cue{guess(20, 1)}, nil, 0, 90, "cancelled 20:1"},
		{"before this client showed any", nil, []world.Cue{guess(9, 1)}, 0, 60, ""},
	} {
		b := NewCueBook(1)
		b.Open(10)
		for _, g := range c.guessed {
			b.ran = append(b.ran, cuePage{g.Tick, []world.Cue{g}})
		}
		b.Flush(10, false)
		for _, h := range c.really {
			b.Happened(h)
		}
		for at := world.Tick(10); at <= c.settled; at++ {
			if inputs := at; at < 15 || at >= 60 || !strings.HasPrefix(c.what, "cut: ") {
				b.Settled(0, inputs, at)
			}
		}
		b.Settled(c.settled, 0, c.settled)
		var changes []string
		note := func(to world.Tick) {
			for _, u := range b.Flush(to, false) {
				is := func(c *world.Cue) string {
					n := 0.0
					for _, f := range c.Fields {
						n = f.Number
					}
					return fmt.Sprint(" ", c.Tick, ":", n)
				}
				what := [...]string{"fired", "moved", "cancelled"}[u.Change]
				if u.Change == CueMoved {
					what += is(&u.Was)
				}
				changes = append(changes, what+is(&u.Cue))
			}
		}
		complete := c.complete
		if complete == 0 {
			complete = c.settled
		}
		for to := world.Tick(11); to <= complete; to++ { // a step at a time, as they become complete
			note(to)
		}
		if got := strings.Join(changes, ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestGuessesOutliveAKeyframe tests that the host still judges what was shown before a client began anew.
func TestGuessesOutliveAKeyframe(t *testing.T) {
	b := NewCueBook(1)
	b.Open(0)
	b.ran = append(b.ran, cuePage{20, []world.Cue{guess(20, 1)}}, cuePage{21, []world.Cue{guess(21, 2)}})
	b.Flush(0, false)
	b.Close(30)
	b.Open(60)
	b.Happened(guess(21, 2))
	b.Settled(60, 30, 30)
	var got []string
	for _, u := range b.Flush(60, false) {
		got = append(got, fmt.Sprint(u.Change, u.Cue.Tick))
	}
	if want := fmt.Sprint(CueCancelled, 20); strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
