package relay

import "time"

// line estimates the round trip and the losses of the path to one client.
type line struct {
	srtt, rttvar time.Duration // as in RFC 6298, of packets and their acknowledgements
	loss         float64       // smoothed share of packets that were given up, 0 to 1
}

func newLine() line { return line{srtt: 200 * time.Millisecond, rttvar: 50 * time.Millisecond} }

// lossMemory is the number of packets over which the loss is smoothed.
const lossMemory = 64

// roundTrip returns the smoothed round trip.
func (l *line) roundTrip() time.Duration { return l.srtt }

// timeout returns the age at which an unacknowledged packet is given up.
func (l *line) timeout() time.Duration {
	return min(max(l.srtt+4*l.rttvar, 50*time.Millisecond), time.Second)
}

// copies returns the number of consecutive packets that carry a new record.
func (l *line) copies() int {
	switch {
	case l.loss > 0.1:
		return 4
	case l.loss > 0.03:
		return 3
	default:
		return 2
	}
}

// acknowledged measures the round trip of a packet. late says that it was considered
// lost.
func (l *line) acknowledged(rtt time.Duration, late bool) {
	d := l.srtt - rtt
	if d < 0 {
		d = -d
	}
	l.rttvar += (d - l.rttvar) / 4
	l.srtt += (rtt - l.srtt) / 8
	if late {
		l.loss = max(l.loss-1.0/lossMemory, 0)
	} else {
		l.loss -= float64(l.loss / lossMemory)
	}
}

// gaveUp counts a packet that is considered lost.
func (l *line) gaveUp() { l.loss += float64((1 - l.loss) / lossMemory) }
