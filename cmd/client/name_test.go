package main

import "testing"

// Without -name and without a bot, a player is called like the login, and not like the machine.
func TestPlayersAreCalledLikeTheLogin(t *testing.T) {
	s := &session{}
	if got, want := s.playerName(0), loginName(); got != want || got == "" {
		t.Errorf("%q, want %q", got, want)
	}
	s.opts.watch, s.opts.bot = true, "idle" // as -headless has it
	if got := s.playerName(0); got != loginName() {
		t.Errorf("a spectator is called %q", got)
	}
	s.opts.watch, s.opts.bot = false, ""
	s.opts.several.views = 2
	if got, want := s.playerName(1), loginName()+" 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
