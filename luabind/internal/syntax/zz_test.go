package syntax

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile("/tmp/habits.txt")
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		_, err := Parse(world.Source{Name: "a.lua", Text: "function f()\n  local x, y = 1, 2\n  " + l + "\nend\n"})
		fmt.Println(l, "   =>   ", err)
	}
}
