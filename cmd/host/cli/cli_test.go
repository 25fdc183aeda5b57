package cli_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

func newFlags() (*cli.Flags, *string, *bool, *int) {
	fs := cli.NewFlags("test", "[flags]")
	fs.SetOutput(io.Discard)
	return fs, fs.String("name", "nobody", ""), fs.Bool("open", true, ""), fs.Int("count", 1, "")
}

func TestFlagsStandAnywhere(t *testing.T) {
	for _, c := range []struct {
		args, words []string
		name        string
		open        bool
	}{
		{[]string{"a", "-name", "x", "b"}, []string{"a", "b"}, "x", true},
		{[]string{"--name=x", "-open=false", "a"}, []string{"a"}, "x", false},
		{[]string{"a", "--open=false"}, []string{"a"}, "nobody", false},
		{[]string{"-name", "x", "--", "-open=false"}, []string{"-open=false"}, "x", true},
		{nil, nil, "nobody", true},
	} {
		fs, name, open, _ := newFlags()
		words, err := fs.Parse(c.args)
		if err != nil || !slices.Equal(words, c.words) || *name != c.name || *open != c.open {
			t.Errorf("%q: words %q, name %q, open %v, %v", c.args, words, *name, *open, err)
		}
	}
}

func TestEnvironmentGivesWayToTheCommandLine(t *testing.T) {
	t.Setenv("HINDCAST_NAME", "env")
	t.Setenv("HINDCAST_COUNT", "7")
	fs, name, _, count := newFlags()
	if _, err := fs.Parse([]string{"-name", "line"}); err != nil || *name != "line" || *count != 7 {
		t.Errorf("name %q, count %d, %v", *name, *count, err)
	}
	if !fs.IsSet("count") || fs.IsSet("open") {
		t.Error("what counts as given")
	}
	t.Setenv("HINDCAST_COUNT", "many")
	fs, _, _, _ = newFlags()
	if _, err := fs.Parse(nil); cli.CodeOf(err) != cli.Usage {
		t.Errorf("HINDCAST_COUNT=many: %v", err)
	}
}

func TestExitCodes(t *testing.T) {
	fs, _, _, _ := newFlags()
	_, help := fs.Parse([]string{"-h"})
	fs, _, _, _ = newFlags()
	_, unknown := fs.Parse([]string{"-nope"})
	for want, err := range map[cli.Code]error{
		cli.OK:      nil,
		cli.Failure: errors.New("x"),
		cli.Usage:   unknown,
		cli.Config:  fmt.Errorf("wrapped: %w", cli.Fail(cli.Config, io.EOF)),
		cli.Desync:  errors.Join(cli.Fail(cli.Desync, io.EOF), nil),
	} {
		if got := cli.CodeOf(err); got != want {
			t.Errorf("%v: code %d, want %d", err, got, want)
		}
	}
	if !errors.Is(help, flag.ErrHelp) || cli.CodeOf(help) != cli.OK {
		t.Errorf("-h: %v", help)
	}
	if cli.Fail(cli.Network, nil) != nil {
		t.Error("no error, no failure")
	}
}

func TestHashFileIsWholeAtAnyTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.txt")
	h, err := cli.NewHashFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.Line(7, 0xabc)
	if text, _ := os.ReadFile(path); string(text) != "7 0000000000000abc\n" {
		t.Errorf("the file holds %q", text)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	var none *cli.HashFile
	none.Line(1, 1)
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// TestWords: what a message says to type is one word for a shell.
func TestWords(t *testing.T) {
	for word, want := range map[string]string{"mygame": "mygame", "../a/b-c_1.replay": "../a/b-c_1.replay", "my game": `"my game"`, "": `""`, "it's": `"it's"`, `a "b"`: `'a "b"'`, "$x's": `'$x'\''s'`} {
		if got := cli.Word(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
