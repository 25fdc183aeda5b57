// Package view computes where objects are drawn between ticks. It does not affect the
// simulation.
//
// A client draws an object in one of two ways. An object that it simulates is drawn at
// its present:
//
//	pose := view.Between(bodyBefore, body, alpha, tickSeconds)  // alpha: the elapsed part of the tick
//	decay.Advance(now)
//	draw(decay.Apply(id, pose))
//
// When a rewind moves such an object, decay.Displace keeps it where it was drawn, and
// lets the error shrink to zero within half a second.
//
// An object that snapshots replicate is drawn at an earlier moment, between two samples:
//
//	buffer.Add(tick, samples, age)           // for each snapshot
//	buffer.Show(now, hostTime, clockSynced)  // sets buffer.Moment(), which never goes back
//	buffer.Each(func(o *view.Object, at physics.Pose) { draw(at) })
//
// [Blend] makes an object continue from where it was drawn when it changes from one way
// to the other.
//
// [CueBook] compares the cues of ticks before and after they ran again and says which
// to show, move and cancel. [CueQueue] holds the cues that a spectator is sent until
// their tick is shown.
//
// The package has no clock: now is a parameter, in the time of the caller.
package view
