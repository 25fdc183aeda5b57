package host

import "time"

// staleness says how old the newest packet that a client has is credible to be. The client says itself what it has, and
// one that says nothing new could claim to have guessed for as long as it likes. So it is believed up to the age that
// the line explains, and beyond that for as long as an occasional jam lasts.
type staleness struct {
	started bool
	at      time.Duration // of the last note
	newest  time.Duration // when the newest packet was sent that the client has
	// age and varies are how old a packet is when it becomes the newest one that the client is known to have: smoothed,
	// and by how much that varies. A client that acknowledges seldom changes neither.
	age, varies time.Duration
	jams        time.Duration // for how long a larger age is believed
	recent      time.Duration // the largest believed age, less the time that has passed since
}

const (
	// staleSlack is by how much a client's newest packet may be older than the line explains.
	staleSlack = 100 * time.Millisecond
	// jamAllowance is for how long in all an age is believed that the line does not explain. An allowance that
	// is used up is full again after jamShare times as long.
	jamAllowance = time.Second
	jamShare     = 20
)

// note notes when the newest packet was sent that a client is known to have; 0: none.
func (s *staleness) note(now, sent time.Duration) {
	age, passed := now-sent, now-s.at
	switch {
	case sent == 0 && !s.started:
		return
	case !s.started:
		*s = staleness{started: true, newest: sent, age: age, varies: age / 2, jams: jamAllowance}
		passed = 0
	case sent > s.newest:
		s.newest = sent
		s.varies += (max(age-s.age, s.age-age) - s.varies) / 4
		s.age += (age - s.age) / 8
	}
	s.at = now
	most := s.most()
	switch {
	case age <= most:
		s.jams = min(s.jams+passed/jamShare, jamAllowance)
	case s.jams > 0:
		s.jams -= passed
	default:
		age = most
	}
	s.recent = max(age, s.recent-passed)
}

// most returns the largest age that the line explains.
func (s *staleness) most() time.Duration { return s.age + 4*s.varies + staleSlack }

// credible returns for how long a client can have guessed that says that it has guessed for some time. What it drew in
// a jam returns to its place within some tenths of a second after it.
func (s *staleness) credible(said time.Duration) time.Duration {
	return max(min(said, s.most()), s.recent)
}
