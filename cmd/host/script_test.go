package main

import (
	"os/exec"
	"strconv"
	"testing"

	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	linktest.SideBySide() // programs run in real time
	testscript.Main(m, map[string]func(){"host": main})
}

// TestScripts plays the stories in testdata/script with the real program.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// exits CODE PROGRAM ARGS...: the program must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s: exit code %d, want %s", args[1], code, args[0])
	}
}
