package lint_test

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/world"
)

// A misspelt field: the finding says where it is, and what was probably meant.
func ExampleCheck() {
	files := []world.Source{{Name: "ship.lua", Text: `Ship = object "Ship" { state = { fuel = 100 } }
function Ship:tick()
  self.fuel = self.fuel - 1
  if self.feul == 0 then self:remove() end
end
`}}
	for _, f := range lint.Check(files, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30}) {
		fmt.Println(f)
	}
	// Output:
	// ship.lua:4:11: Ship has no field or method feul; did you mean fuel?
}
