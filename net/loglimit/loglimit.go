package loglimit

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"
)

const (
	// Every is the least time between two lines of one kind from one source.
	Every = 10 * time.Second
	// MostSources is how many sources of a kind are told apart at a time. The others share one line:
	// who comes under ever new names cannot make more lines than these.
	MostSources = 64
	// LeftOut is the attribute with the number of lines that were left out before this one.
	LeftOut = "left_out"
)

// Log logs lines that others cause: of a kind, which is the text of the line, one from each source in
// Every. The next one says how many were left out. It keeps at most MostSources sources for each kind.
// S names a source: a player, a peer, a network. A Log belongs to one goroutine.
type Log[S comparable] struct {
	to    *slog.Logger
	kinds map[string]*sources[S]
}

// New returns a Log that has logged nothing yet.
func New[S comparable](to *slog.Logger) *Log[S] {
	return &Log[S]{to: to, kinds: make(map[string]*sources[S])}
}

// Line logs a line at a time, which never goes back, or counts it. text is a constant: what differs
// belongs in args, which are those of slog.Logger.Log.
func (l *Log[S]) Line(now time.Duration, level slog.Level, from S, text string, args ...any) {
	if !l.to.Enabled(context.Background(), level) {
		return
	}
	k := l.kinds[text]
	if k == nil {
		k = &sources[S]{known: make(map[S]*budget)}
		l.kinds[text] = k
	}
	leftOut, ok := k.budget(now, from).take(now)
	if !ok {
		return
	}
	if leftOut > 0 {
		args = append(slices.Clip(args), LeftOut, leftOut)
	}
	l.to.Log(context.Background(), level, text, args...)
}

// sources is the budgets of one kind.
type sources[S comparable] struct {
	known  map[S]*budget
	others budget // of the sources for which there is no room
}

// budget returns the budget of a source.
func (k *sources[S]) budget(now time.Duration, from S) *budget {
	if b := k.known[from]; b != nil {
		return b
	}
	if len(k.known) >= MostSources {
		maps.DeleteFunc(k.known, func(_ S, b *budget) bool {
			over := b.next <= now
			if over {
				k.others.leftOut += b.leftOut // somebody has to say so
			}
			return over
		})
	}
	if len(k.known) >= MostSources {
		return &k.others
	}
	b := new(budget)
	k.known[from] = b
	return b
}

// budget is what one source may log of one kind.
type budget struct {
	next    time.Duration // when the next line may be logged
	leftOut int           // lines since the last one
}

// take reports whether a line may be logged now, and how many were left out before it.
func (b *budget) take(now time.Duration) (leftOut int, ok bool) {
	if now < b.next {
		b.leftOut++
		return 0, false
	}
	leftOut, b.leftOut = b.leftOut, 0
	b.next = now + Every
	return leftOut, true
}
