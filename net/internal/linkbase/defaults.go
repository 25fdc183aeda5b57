package linkbase

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// The defaults of the options that links have in common. They are part of their documentation.
const (
	MaxPeers    = 320              // clients of a host: more than players, so that newcomers can ask for a place
	Timeout     = 10 * time.Second // of silence
	KeepAlive   = time.Second      // between two pings
	DialTimeout = 5 * time.Second
)

// MaxBulk returns the largest message that an end accepts on Bulk, in bytes: less on a host, since
// every client can make it allocate so much.
func MaxBulk(host bool) int {
	if host {
		return 4 << 20
	}
	return link.MaxBulk
}
