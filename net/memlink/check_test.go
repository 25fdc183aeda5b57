package memlink

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/link"
)

// Without Check a violated invariant goes unnoticed; with it, the next poll panics.
func TestCheckFindsAViolation(t *testing.T) {
	for _, checked := range []bool{false, true} {
		p := newParty(1, LAN())
		p.openAll(t)
		p.Check(checked)
		p.Client(0).conns[0].streams.senders[link.Bulk].queued++
		got := func() (caught string) {
			defer func() { caught = fmt.Sprint(recover()) }()
			p.Client(0).Poll(p.now, func(link.Event) {})
			return ""
		}()
		if found := strings.HasPrefix(got, "memlink: violated: "); found != checked {
			t.Errorf("checked: %v, the poll panicked with %q", checked, got)
		}
	}
}
