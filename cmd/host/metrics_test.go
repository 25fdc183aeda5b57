package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/golden"
)

// TestPublishedMetrics holds the names, types and labels of /metrics to
// testdata/metrics.txt: dashboards of other people rely on them.
func TestPublishedMetrics(t *testing.T) {
	host, driver, _ := runHost(t)
	h, body := (&inspector{host: host, driver: driver}).handler(), ""
	for end := time.Now().Add(time.Minute); !strings.Contains(body, "hindcast_hook_milliseconds") && time.Now().Before(end); { // until hooks ran
		_, body = get(t, h, "GET", "/metrics")
	}
	ofGame := regexp.MustCompile(`(class|hook)="[^"]*"`)
	var lines []string
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "# TYPE "):
		case strings.HasPrefix(line, "#"):
			continue
		default:
			name, _, _ := strings.Cut(line, " ")
			line = ofGame.ReplaceAllString(name, `$1="..."`)
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	golden.Lines(t, "testdata/metrics.txt", lines)
}
