package main

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write testdata/metrics.txt again")

// TestPublishedMetrics holds the names, types and labels of /metrics to
// testdata/metrics.txt: dashboards of other people rely on them.
func TestPublishedMetrics(t *testing.T) {
	const file = "testdata/metrics.txt"
	host, driver, _ := runHost(t)
	h, body := (&inspector{host: host, driver: driver}).handler(), ""
	for end := time.Now().Add(10 * time.Second); !strings.Contains(body, "hindcast_hook_milliseconds") && time.Now().Before(end); { // until hooks ran
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
	text := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("metrics are\n%s\npublished are\n%s\nIf the change is meant: go test ./cmd/host -run PublishedMetrics -update, and add a line to CHANGELOG.md", text, want)
	}
}
