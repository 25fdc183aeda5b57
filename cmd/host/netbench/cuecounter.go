package netbench

import (
	"time"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// cueCounter follows the cues of all measured clients of a match.
type cueCounter struct {
	press    string                         // the cue of what players press
	own      map[world.CueKey]time.Duration // when a player's own screen showed such a cue
	counting bool
	tick     time.Duration

	shown, cancelled int
	others, late     int          // shown of other players' objects, and of them late
	age              stats.Series // ms, of the late ones
	delay            stats.Series // ms from a player's own screen to another's
}

func newCueCounter(press string, tick time.Duration) *cueCounter {
	return &cueCounter{press: press, tick: tick, own: map[world.CueKey]time.Duration{}}
}

// count begins or stops to count.
func (h *cueCounter) count(on bool) { h.counting = on }

// note counts a change of a cue on the screen of a player.
func (h *cueCounter) note(e *room.CueEvent, me world.PlayerID, now time.Duration) {
	mine := e.Cue.Owner == me
	key, isPress := pressKey(&e.Cue), e.Cue.Name == h.press
	if isPress && mine && e.Kind == room.CueFired {
		h.own[key] = now
	}
	switch {
	case !h.counting:
	case e.Kind == room.CueCancelled:
		h.cancelled++
	case e.Kind == room.CueFired:
		h.shown++
		if mine {
			return
		}
		h.others++
		if e.Age > h.tick {
			h.late++
			h.age.Add(ms(e.Age))
		}
		if at, known := h.own[key]; known && isPress {
			h.delay.Add(ms(now - at))
		}
	}
}

// pressKey identifies the cue of a press on all screens. An object with independent frames has it in another
// tick on other screens: there its script numbers it.
func pressKey(c *world.Cue) world.CueKey {
	for i := range c.Fields {
		if f := &c.Fields[i]; f.Name == "n" {
			return world.CueKey{Object: c.Object, Name: c.Name, Count: int(f.Number)}
		}
	}
	return c.CueKey
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// figures returns what was counted.
func (h *cueCounter) figures() CueFigures {
	return CueFigures{Shown: h.shown, Cancelled: h.cancelled, Others: h.others, Late: h.late, Age: h.age.Spread()}
}

// delays returns how long after a player's own screen those of others showed what the player pressed, in ms.
func (h *cueCounter) delays() stats.Spread { return h.delay.Spread() }
