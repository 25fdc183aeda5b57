package main

import "sync"

// pauseBoard is which browsers ask for a pause of the match. Browsers' goroutines choose, and the game's goroutine
// asks.
type pauseBoard struct {
	mu  sync.Mutex
	ask map[*viewer]struct{}
}

// choose notes whether a browser asks for a pause.
func (p *pauseBoard) choose(v *viewer, on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !on {
		delete(p.ask, v)
		return
	}
	if p.ask == nil {
		p.ask = map[*viewer]struct{}{}
	}
	p.ask[v] = struct{}{}
}

// any reports whether a browser asks for a pause.
func (p *pauseBoard) any() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.ask) > 0
}
