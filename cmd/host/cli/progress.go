package cli

import (
	"fmt"
	"os"
)

// Progress shows on a terminal how far a program is. Elsewhere it shows nothing.
type Progress struct {
	to    *os.File
	what  string
	shown int // percent; 0: nothing
}

// NewProgress returns the progress of what is done.
func NewProgress(to *os.File, what string) *Progress { return &Progress{to: to, what: what} }

// Show shows which share is done, 0 to 1.
func (p *Progress) Show(share float64) {
	if now := int(100 * share); now > p.shown && isTerminal(p.to) {
		p.shown = now
		fmt.Fprintf(p.to, "\r%s: %d %%", p.what, now)
	}
}

// Close removes what was shown.
func (p *Progress) Close() {
	if p.shown > 0 {
		fmt.Fprintf(p.to, "\r%*s\r", len(p.what)+len(": 100 %"), "")
		p.shown = 0
	}
}
