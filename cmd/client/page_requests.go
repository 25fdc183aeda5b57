package main

import "github.com/hindcast/hindcast/runtime/client"

// requests is what the browsers ask of the game. The browsers' goroutines add to it, and the game's
// goroutine takes from it. No method waits.
type requests struct {
	said     chan string
	delays   chan int // the newest
	displays chan struct{}
	lines    chan string // the newest
	games    chan string // the newest
	plays    chan struct{}
	leaves   chan struct{}
	pauses   pauseBoard
	overlays overlayBoard
}

const (
	maxSaid     = 16 // lines typed that the game has not taken yet
	maxDisplays = 16 // frames displayed that the game has not made yet
)

func newRequests() *requests {
	return &requests{
		said:     make(chan string, maxSaid),
		delays:   make(chan int, 1),
		displays: make(chan struct{}, maxDisplays),
		lines:    make(chan string, 1),
		games:    make(chan string, 1),
		plays:    make(chan struct{}, 1),
		leaves:   make(chan struct{}, 1),
	}
}

// say asks to send a line of chat. It reports false if there are too many lines.
func (r *requests) say(text string) bool {
	select {
	case r.said <- text:
		return true
	default:
		return false
	}
}

// Said returns the lines that were typed in browsers since the last call.
func (r *requests) Said() (lines []string) {
	for {
		select {
		case text := <-r.said:
			lines = append(lines, text)
		default:
			return lines
		}
	}
}

// delay asks for an input delay, within its limits.
func (r *requests) delay(ticks int) {
	select {
	case <-r.delays: // an earlier choice
	default:
	}
	select {
	case r.delays <- min(max(ticks, 0), client.MaxInputDelay):
	default: // another browser was faster
	}
}

// Delay returns the input delay, in ticks, that was chosen in a browser since the last call, if one was.
func (r *requests) Delay() (ticks int, ok bool) {
	select {
	case ticks = <-r.delays:
		return ticks, true
	default:
		return 0, false
	}
}

// pause notes whether a browser asks for a pause of the match.
func (r *requests) pause(v *viewer, on bool) { r.pauses.choose(v, on) }

// Pausing reports whether a browser asks for a pause of the match.
func (r *requests) Pausing() bool { return r.pauses.any() }

// show notes which overlays a browser shows.
func (r *requests) show(v *viewer, o overlays) { r.overlays.choose(v, o) }

// Overlay returns the message with what browsers show over the game; nil: none shows anything.
func (r *requests) Overlay(c *client.Client, moment float64) []byte {
	return r.overlays.message(c, moment)
}

// newest puts a choice in the place of an earlier one.
func newest(choices chan string, name string) {
	select {
	case <-choices: // an earlier choice
	default:
	}
	select {
	case choices <- name:
	default: // another browser was faster
	}
}

// chosenOf returns the choice since the last call, if there was one.
func chosenOf(choices chan string) (name string, ok bool) {
	select {
	case name = <-choices:
		return name, true
	default:
		return "", false
	}
}

// line asks for a line to be simulated.
func (r *requests) line(name string) { newest(r.lines, name) }

// Line returns the line that was chosen in a browser since the last call, if one was.
func (r *requests) Line() (name string, ok bool) { return chosenOf(r.lines) }

// game asks for another game in the player's own room.
func (r *requests) game(name string) { newest(r.games, name) }

// NextGame returns the game that was chosen in a browser since the last call, if one was.
func (r *requests) NextGame() (name string, ok bool) { return chosenOf(r.games) }

// play asks to let the player join.
func (r *requests) play() {
	select {
	case r.plays <- struct{}{}:
	default: // it waits already
	}
}

// Plays reports whether a browser has asked to let the player join since the last call.
func (r *requests) Plays() bool {
	select {
	case <-r.plays:
		return true
	default:
		return false
	}
}

// leave asks not to wait any longer for the host.
func (r *requests) leave() {
	select {
	case r.leaves <- struct{}{}:
	default: // it waits already
	}
}

// Leaves reports whether a browser has asked not to wait any longer since the last call.
func (r *requests) Leaves() bool {
	select {
	case <-r.leaves:
		return true
	default:
		return false
	}
}

// display asks for an independent frame.
func (r *requests) display() {
	select {
	case r.displays <- struct{}{}:
	default: // the game is busy: the next frame is longer
	}
}

// Displays has a value for each frame that a browser displays, if there are independent frames.
func (r *requests) Displays() <-chan struct{} { return r.displays }
