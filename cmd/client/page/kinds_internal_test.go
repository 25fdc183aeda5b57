package gamepage

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

func TestKindNumbersRestartBeforeTheyOverflow(t *testing.T) {
	var table kindTable
	table.reset()
	ship, at := physics.CircleShape(0.5), kindsRead{}
	for i := range 3 * maxKinds {
		b := room.ViewBody{Class: strings.Repeat("x", i%7) + string(rune('A'+i%26)), Shape: &ship, Look: world.Look{Label: string(rune(i))}}
		if len(table.kinds) > maxKinds {
			table.reset()
		}
		table.of(&b)
		if i%5000 == 0 && table.since(&at) == nil {
			t.Fatalf("after %d kinds there is no news", i)
		}
	}
	if at.generation < 2 || at.count > maxKinds+1 {
		t.Errorf("generation %d with %d kinds", at.generation, at.count)
	}
}
