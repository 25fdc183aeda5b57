package client

import (
	"time"
)

// sessionTimes has the times of a client's stay.
type sessionTimes struct {
	created time.Duration // the time of the first Poll
	arrived time.Duration // when it first reached its present; 0: it has not
	left    time.Duration // when it stopped stepping; 0: it has not
}

// create notes the first Poll.
func (s *sessionTimes) create(now time.Duration) {
	if s.created == 0 {
		s.created = now
	}
}

// arrive notes that the client is at its present.
func (s *sessionTimes) arrive(now time.Duration) {
	if s.arrived == 0 {
		s.arrived = now
	}
}

// leave notes that the client steps no more.
func (s *sessionTimes) leave(now time.Duration) { s.left = now }

// lived returns how long ago the first Poll was.
func (s *sessionTimes) lived(now time.Duration) time.Duration { return now - s.created }

// played returns how long the client has been at its present.
func (s *sessionTimes) played(now time.Duration) time.Duration {
	if s.arrived == 0 {
		return 0
	}
	return now - s.arrived
}

// stepped returns how long the client stepped at its present.
func (s *sessionTimes) stepped(now time.Duration) time.Duration {
	if s.left != 0 {
		now = s.left
	}
	return s.played(now)
}
