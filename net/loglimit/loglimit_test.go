package loglimit_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/loglimit"
)

// written returns a logger, and the lines that it has written since the last call.
func written() (*slog.Logger, func() []string) {
	var out strings.Builder
	handler := slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})
	return slog.New(handler), func() []string {
		defer out.Reset()
		return strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
	}
}

func TestOneLineOfAKindAndSource(t *testing.T) {
	log, lines := written()
	l := loglimit.New[int](log)
	say := func(at time.Duration, from int, text string) {
		l.Line(at, slog.LevelInfo, from, text, "player", from)
	}
	for i := range 50 {
		at := time.Second + time.Duration(i)*100*time.Millisecond
		say(at, 1, "chat")
		say(at, 2, "chat")
		say(at, 1, "renamed")
	}
	want := "msg=chat player=1|msg=chat player=2|msg=renamed player=1"
	if got := strings.Join(lines(), "|"); got != want {
		t.Errorf("50 lines of each:\n%s\nwant\n%s", got, want)
	}
	say(11*time.Second-1, 1, "chat")
	if got := lines(); len(got) != 0 {
		t.Errorf("within 10 s: %q", got)
	}
	say(11*time.Second, 1, "chat")
	say(11*time.Second, 2, "chat")
	say(40*time.Second, 2, "chat")
	want = "msg=chat player=1 left_out=50|msg=chat player=2 left_out=49|msg=chat player=2"
	if got := strings.Join(lines(), "|"); got != want {
		t.Errorf("after 10 s:\n%s\nwant\n%s", got, want)
	}
}

// TestTheLastLineIsLogged: the last line that was left out is logged when its source may log again, or when all is over.
func TestTheLastLineIsLogged(t *testing.T) {
	log, lines := written()
	l := loglimit.New[int](log)
	for n := range 4 {
		l.Line(time.Duration(n)*time.Second, slog.LevelInfo, 1, "left", "n", n)
		l.Flush(time.Duration(n)*time.Second, false)
	}
	l.Flush(10*time.Second-1, false)
	want := "msg=left n=0"
	if got := strings.Join(lines(), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	l.Flush(10*time.Second, false)
	l.Flush(30*time.Second, false)
	want = "msg=left n=3 left_out=2"
	if got := strings.Join(lines(), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	l.Line(31*time.Second, slog.LevelInfo, 1, "left", "n", 4)
	l.Line(32*time.Second, slog.LevelInfo, 1, "left", "n", 5)
	l.Flush(32*time.Second, true)
	l.Flush(50*time.Second, true)
	want = "msg=left n=4|msg=left n=5"
	if got := strings.Join(lines(), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestEverNewSources tests that sources that come once each make a bounded number of lines, and take a bounded
// amount of memory.
func TestEverNewSources(t *testing.T) {
	log, lines := written()
	l := loglimit.New[int](log)
	const perSecond, seconds = 1000, 100
	for i := range perSecond * seconds {
		l.Line(time.Duration(i)*time.Second/perSecond, slog.LevelInfo, i, "peer opened")
	}
	got := lines()
	if most := (loglimit.MostSources + 1) * (seconds / 10); len(got) > most || len(got) < most/2 {
		t.Errorf("%d lines of %d sources in %d s; want at most %d", len(got), perSecond*seconds, seconds, most)
	}
	if last := got[len(got)-1]; !strings.Contains(strings.Join(got, "\n"), "left_out=") {
		t.Errorf("no line says how many were left out; the last is %s", last)
	}
	allocated := testing.AllocsPerRun(1000, func() {
		l.Line(100*time.Second, slog.LevelInfo, 7, "peer opened")
	})
	if allocated > 1 {
		t.Errorf("a line that is left out allocates %v times", allocated)
	}
}

// TestLinesThatNobodyReads tests that a level that is off counts nothing.
func TestLinesThatNobodyReads(t *testing.T) {
	log, lines := written()
	l := loglimit.New[int](log)
	l.Line(0, slog.LevelDebug, 1, "refused")
	if got := lines(); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
