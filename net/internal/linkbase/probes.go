package linkbase

import "time"

// Copies is how often a segment of a stream is sent again before the timeout, if Probes allow it.
const Copies = 2

// CopyAfter returns how long after a copy was sent the next one follows, if so many are left and there is no
// acknowledgement: on a short line that comes first. A burst of losses is over by the last one.
func CopyAfter(left int) time.Duration {
	return time.Duration(1+Copies-left) * 40 * time.Millisecond
}

// Probes says which segments of a reliable stream are sent more than once, because nothing that follows them would show
// that they were lost: a message now and then, such as those of a client that joins. Of a stream that sends much they
// are few. On a line that loses a fifth of its packets, one message in five would otherwise wait for a timeout, which is
// longer than a round trip; with one copy, one in 25 would, and a game comes in ten segments.
type Probes struct {
	used  int           // of most, without those that have come back since
	since time.Duration // from when on used ones come back
}

// Of Probes: how many there are, and after what time one comes back.
const (
	mostProbes = 32
	probeEvery = time.Second / 2
)

// Take reports whether copies of a segment that is sent now may be sent.
func (p *Probes) Take(now time.Duration) bool {
	back := min(int((now-p.since)/probeEvery), p.used)
	if p.used -= back; p.used == 0 {
		p.since = now
	} else {
		p.since += time.Duration(back) * probeEvery
	}
	if p.used == mostProbes {
		return false
	}
	p.used++
	return true
}
