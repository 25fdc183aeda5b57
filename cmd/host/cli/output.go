package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/lmittmann/tint"
)

// NewLogger logs to standard error: readable text on a terminal, coloured
// unless NO_COLOR is set, JSON lines elsewhere.
func NewLogger(level slog.Level) *slog.Logger {
	if !isTerminal(os.Stderr) {
		return slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	}
	_, plain := os.LookupEnv("NO_COLOR")
	return slog.New(tint.NewTextHandler(os.Stderr, &tint.Options{
		Level:      level,
		TimeFormat: time.TimeOnly,
		NoColor:    plain,
	}))
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Word returns a word of a command line as people write it in a shell: in quotes, if it has spaces or
// characters that mean something there.
func Word(s string) string {
	switch {
	case s != "" && !strings.ContainsAny(s, " \t\n\"'`$&|;<>()*?[]#~!{}\\"):
		return s
	case !strings.ContainsAny(s, "\"`$\\!"):
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// WriteReport writes v as JSON to a file; for "-" to standard output, and for ""
// nowhere.
func WriteReport(path string, v any) error {
	if path == "" {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	data = append(data, '\n')
	if path == "-" {
		_, err = os.Stdout.Write(data)
		return err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("-report: %w", err)
	}
	return nil
}

// HashFile is the file of -hashes: one line for each confirmed tick. The file has
// whole lines at any time.
type HashFile struct {
	file *os.File
	err  error // of the first write that failed
}

// NewHashFile creates the file. For "" it returns nil, which drops its lines.
func NewHashFile(path string) (*HashFile, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("-hashes: %w", err)
	}
	return &HashFile{file: f}, nil
}

// Line writes the line of a confirmed tick.
func (h *HashFile) Line(t world.Tick, hash uint64) {
	if h == nil || h.err != nil {
		return
	}
	_, h.err = fmt.Fprintf(h.file, "%d %016x\n", t, hash)
}

// Close closes the file. Its error says whether a line was not written.
func (h *HashFile) Close() error {
	if h == nil {
		return nil
	}
	if err := errors.Join(h.err, h.file.Close()); err != nil {
		return fmt.Errorf("-hashes: %w", err)
	}
	return nil
}
