package luabind

import (
	"strings"
	"testing"
)

// TestRequireInTestsAndBots: tests and bots see the game from outside. The message does not say that the file is not
// there.
func TestRequireInTestsAndBots(t *testing.T) {
	const text = "local v = 1\nlocal V = require('lib.vector')"
	const want = `:2: require("lib.vector"): tests and bots see the game from outside, and load none of its files; `
	_, err := NewTests("a_test.lua", text)
	if err == nil || !strings.Contains(err.Error(), "a_test.lua"+want) {
		t.Errorf("test: %v", err)
	}
	_, err = NewBot("a_bot.lua", text)
	if err == nil || !strings.Contains(err.Error(), "a_bot.lua"+want) {
		t.Errorf("bot: %v", err)
	}
}
