package luabind_test

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/world"
)

// Two mistakes in one file: the error names both, with their lines.
func ExampleCompile() {
	files := []world.Source{{Name: "ship.lua", Text: `Ship = object "Ship" {
  body = { shape = { circel = 0.5 } },
}
function Ship:tick() self:setTorque(math.rnd()) end
`}}
	_, err := luabind.Compile(files, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30})
	fmt.Println(err)
	// Output:
	// ship.lua:4: math.rnd does not exist; did you mean math.rad?
	// ship.lua:2: Ship: unknown key body.shape.circel; there are circle, box, polygon
}
