package loglimit_test

import (
	"log/slog"
	"os"
	"time"

	"github.com/hindcast/hindcast/net/loglimit"
)

// A client is refused three times in a second, and once more later.
func Example() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	lines := loglimit.New[string](logger)
	for _, at := range []time.Duration{0, time.Second / 2, time.Second, loglimit.Every} {
		lines.Line(at, slog.LevelInfo, "192.0.2.7", "refused", "at", at)
	}
	// Output:
	// level=INFO msg=refused at=0s
	// level=INFO msg=refused at=10s left_out=2
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
