package host

import (
	"github.com/hindcast/hindcast/world"
)

// LogLength returns how many records of the log the host keeps.
func (h *Host) LogLength() int { return h.applied.Len() }

// JudgeSight judges the sight of an input of a client that has acknowledged nothing.
func (h *Host) JudgeSight(e *world.Event) { h.judgeSight(newPeer(0, 0, &h.desk, false), e) }
