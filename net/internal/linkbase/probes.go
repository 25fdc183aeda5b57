package linkbase

import "time"

// ProbeAfter is how long a segment of a stream waits for its acknowledgement before it is sent a second time, if Probes
// allow it: on a short line the acknowledgement comes first.
const ProbeAfter = 40 * time.Millisecond

// Probes says which segments of a reliable stream are sent twice, because nothing that follows them would show that
// they were lost: a message now and then, such as those of a client that joins. Of a stream that sends much they are
// few. On a line that loses a fifth of its packets, one message in five would otherwise wait for a timeout, which is
// longer than a round trip.
type Probes struct {
	used  int           // of most, without those that have come back since
	since time.Duration // from when on used ones come back
}

// Of Probes: how many there are, and after what time one comes back.
const (
	mostProbes = 32
	probeEvery = time.Second / 2
)

// Take reports whether a segment that is sent now may be sent once more.
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
