package newgame

import "testing"

func TestNameOfFolder(t *testing.T) {
	for folder, want := range map[string]string{"tag": "tag", "my game": "my game", `a"b\c`: "abc", "é": "game", "": "game", string(make([]byte, 70)): "game"} {
		if got := nameOf(folder); got != want {
			t.Errorf("%q: %q, want %q", folder, got, want)
		}
	}
}
