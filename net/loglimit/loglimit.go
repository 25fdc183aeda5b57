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
// Every. The next one says how many were left out. The last one that was left out is logged by Flush, when its source
// may log again: so the last line of a kind holds. It keeps at most MostSources sources for each kind.
// S names a source: a player, a peer, a network. A Log belongs to one goroutine.
type Log[S comparable] struct {
	to    *slog.Logger
	kinds map[string]*sources[S]
	held  []*budget // that have left a line out since the last one
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
	b := k.budget(now, from)
	if now < b.next {
		if b.leftOut++; !b.held {
			b.held = true
			if len(l.held) == cap(l.held) { // a Log that nobody flushes does not keep sources that it has forgotten
				l.held = slices.DeleteFunc(l.held, func(b *budget) bool { b.held = b.leftOut > 0; return !b.held })
			}
			l.held = append(l.held, b)
		}
		b.last = line{level, text, slices.Clone(args)}
		return
	}
	b.log(l.to, now, line{level, text, args}, b.leftOut)
}

// Flush logs the last line that each source has left out of a kind, if it may log again at a time; all of them if over
// is true, because no other line follows.
func (l *Log[S]) Flush(now time.Duration, over bool) {
	l.held = slices.DeleteFunc(l.held, func(b *budget) bool {
		if b.leftOut > 0 && (over || now >= b.next) {
			b.log(l.to, now, b.last, b.leftOut-1)
		}
		b.held = b.leftOut > 0
		return !b.held
	})
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
				k.others.last, b.leftOut = b.last, 0
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

// line is what is to be logged.
type line struct {
	level slog.Level
	text  string
	args  []any
}

// budget is what one source may log of one kind.
type budget struct {
	next    time.Duration // when the next line may be logged
	leftOut int           // lines since the last one
	held    bool          // it is among Log.held
	last    line          // of these
}

// log logs a line, and how many were left out before it.
func (b *budget) log(to *slog.Logger, now time.Duration, l line, leftOut int) {
	if leftOut > 0 {
		l.args = append(slices.Clip(l.args), LeftOut, leftOut)
	}
	to.Log(context.Background(), l.level, l.text, l.args...)
	b.next, b.leftOut, b.last = now+Every, 0, line{}
}
