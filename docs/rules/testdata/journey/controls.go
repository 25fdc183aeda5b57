// Package journey is a journey for the rule to follow.
package journey

type controls interface{ sample() int }

type frame struct {
	controls controls
	sent     []int
}

// step goes through every file.
func (f *frame) step() {
	f.take()
	f.send()
}

func (f *frame) take() { f.sent = append(f.sent, f.controls.sample()) }
