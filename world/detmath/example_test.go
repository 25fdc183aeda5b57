package detmath_test

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/detmath"
)

// A ship turns by a quarter and flies on.
func Example() {
	angle := detmath.Wrap(3*math.Pi/4 + math.Pi/2)
	sin, cos := detmath.Sincos(angle)
	fmt.Printf("angle %.4f, heading (%.4f, %.4f)\n", angle, cos, sin)
	fmt.Printf("and back %.4f\n", detmath.Atan2(sin, cos))
	// Output:
	// angle -2.3562, heading (-0.7071, -0.7071)
	// and back -2.3562
}
