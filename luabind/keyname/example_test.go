package keyname_test

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/keyname"
)

// A name that a player of another page would write is brought into the form that the
// page sends.
func Example() {
	for _, name := range []string{"left", "A", "pad:lx", "jump"} {
		name = keyname.Canonical(name)
		fmt.Printf("%s: button %v, axis %v\n", name, keyname.Known(name, false), keyname.Known(name, true))
	}
	// Output:
	// arrowleft: button true, axis true
	// a: button true, axis true
	// pad:lx: button false, axis true
	// jump: button false, axis false
}
