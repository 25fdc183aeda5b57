package main

import (
	"fmt"
	"strings"
	"sync"
)

// keyboard is what is pressed in all browsers together: keys, mouse and pad
// buttons by name, the pointer, the sticks. Browsers change it from their
// goroutines, the game reads a sample for each tick.
type keyboard struct {
	mu      sync.Mutex
	held    map[string]int  // by how many browsers
	tapped  map[string]bool // went down since the last sample: counts once, even if it is up again
	pointer pointer
	sticks  [4]float64
}

// pointer is where the mouse is, in metres of the arena.
type pointer struct {
	x, y  float64
	known bool
}

// hand is what one browser holds down.
type hand map[string]bool

// Limits of what one browser holds.
const (
	maxHeld    = 32
	maxKeyName = 32
)

func (k *keyboard) init() {
	k.held, k.tapped = map[string]int{}, map[string]bool{}
}

// hold makes down all that a browser holds: what is missing is let go.
func (k *keyboard) hold(h *hand, down []string) error {
	if len(down) > maxHeld {
		return fmt.Errorf("%d keys down at once, at most %d", len(down), maxHeld)
	}
	now := make(hand, len(down))
	for _, name := range down {
		if name == "" || len(name) > maxKeyName {
			return fmt.Errorf("a key's name has %d bytes, not 1 to %d", len(name), maxKeyName)
		}
		now[keyName(name)] = true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for name := range now {
		if !(*h)[name] {
			k.held[name]++
			k.tapped[name] = true
		}
	}
	for name := range *h {
		if now[name] {
			continue
		}
		if k.held[name]--; k.held[name] == 0 {
			delete(k.held, name)
		}
	}
	*h = now
	return nil
}

func (k *keyboard) point(x, y float64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pointer = pointer{x, y, true}
}

func (k *keyboard) push(axes []float64) error {
	if len(axes) != len(k.sticks) {
		return fmt.Errorf("%d stick axes, not %d", len(axes), len(k.sticks))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, v := range axes {
		k.sticks[i] = min(max(v, -1), 1)
	}
	return nil
}

// keySample is the keyboard as one tick sees it.
type keySample struct {
	down    map[string]bool
	pointer pointer
	sticks  [4]float64
}

// sample reads the keyboard into s. A key that was tapped between two samples
// is down in the second.
func (k *keyboard) sample(s *keySample) {
	if s.down == nil {
		s.down = map[string]bool{}
	}
	clear(s.down)
	k.mu.Lock()
	defer k.mu.Unlock()
	for name := range k.held {
		s.down[name] = true
	}
	for name := range k.tapped {
		s.down[name] = true
	}
	clear(k.tapped)
	s.pointer, s.sticks = k.pointer, k.sticks
}

// keyName is the one form of a key's name in which scripts and browsers are
// compared: lower case, with the usual other names resolved.
func keyName(s string) string {
	s = strings.ToLower(s)
	switch s {
	case " ", "spacebar":
		return "space"
	case "up", "down", "left", "right":
		return "arrow" + s
	case "ctrl":
		return "control"
	case "esc":
		return "escape"
	case "return":
		return "enter"
	case "mouse":
		return "mouse:left"
	}
	if len(s) == 4 && strings.HasPrefix(s, "key") {
		return s[3:] // KeyW, as browsers name the place of a key
	}
	if len(s) == 6 && strings.HasPrefix(s, "digit") {
		return s[5:]
	}
	return s
}
