package reference_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/hindcast/hindcast/luabind/reference"
	"github.com/hindcast/hindcast/world"
)

// An editor that reads these definitions completes the fields of a game's classes.
func ExampleClassDefinitions() {
	schema, err := world.NewSchema([]world.Class{{Name: "Ship",
		Fields: []world.Field{{Name: "hp", Default: []uint64{world.NumberBits(10)}}},
		Inputs: []world.InputField{{Name: "Accel"}}}},
		world.Setup{TickRate: 60, Substeps: 4, Width: 40, Height: 24})
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(reference.ClassDefinitions(schema)) {
		if strings.Contains(line, "hp") || strings.Contains(line, "Accel") || strings.Contains(line, "---@class") {
			fmt.Print(line)
		}
	}
	// Output:
	// ---@class Ship: Object
	// ---@field hp number
	// ---@class Game
}
