package side

import (
	"errors"
	"maps"
	"strings"

	"github.com/hindcast/hindcast/net/wire"
)

// mostReasons is how many reasons are told apart. There are fewer.
const mostReasons = 256

// Reasons counts what was refused of the other side, by reason. The names are published.
type Reasons struct{ counts map[string]int64 }

// Add counts a refusal.
func (r *Reasons) Add(why string) {
	if r.counts == nil {
		r.counts = make(map[string]int64)
	}
	if _, known := r.counts[why]; !known && len(r.counts) >= mostReasons {
		why = "other"
	}
	r.counts[why]++
}

// Malformed counts bytes that are no valid message, by the message that they are and the field that is wrong.
func (r *Reasons) Malformed(err error) {
	if e := (*wire.MalformedError)(nil); errors.As(err, &e) {
		r.Add("malformed_" + e.Kind.String() + "_" + strings.ReplaceAll(e.Field, " ", "_"))
		return
	}
	r.Add("malformed")
}

// Counts returns a copy of the counts; nil: there are none.
func (r *Reasons) Counts() map[string]int64 { return maps.Clone(r.counts) }
