package luabind

import lua "github.com/yuin/gopher-lua"

// captures are the variables that functions have captured and that are still those of a call that goes on. The
// interpreter walks all of them at the end of each call, and for each variable that a new function captures.
type captures struct {
	places map[*lua.Upvalue]bool
	kept   int // how many there were when those of calls that had ended were last removed
}

// captureUnit is how many such variables raise the price of each instruction by one.
const captureUnit = 48

func (c *captures) step() int64 { return 1 + int64(len(c.places))/captureUnit }

// add notes variables, and returns how many of them it did not know.
func (c *captures) add(places []*lua.Upvalue) (fresh int) {
	have := len(c.places)
	for _, p := range places {
		if p.IsClosed() {
			continue
		}
		if c.places == nil {
			c.places = map[*lua.Upvalue]bool{}
		}
		c.places[p] = true
	}
	fresh = len(c.places) - have
	if len(c.places) < min(c.kept+captureUnit/2, 2*c.kept+8) {
		return fresh
	}
	// order: each is looked at alone
	for p := range c.places {
		if p.IsClosed() {
			delete(c.places, p)
		}
	}
	c.kept = len(c.places)
	return fresh
}

// What a new function takes. TestMemoryCoversFunctionsAndMetatables compares the bytes with what Go allocates.
const (
	functionBytes = 80 // itself
	usedBytes     = 8  // each variable from outside that it uses
	captureCost   = 3  // each variable of the function around it that it uses, in instructions, if few are open
	variableCost  = 4  // such a variable, once for all functions that use it
	variableBytes = 80
)

// closure implements syntax.Closure(f). It charges for a new function and for the variables that it captures.
func (L call) closure() int {
	fn, b := L.Get(1).(*lua.LFunction), L.lang.limits() // rewritten code passes nothing else
	L.alloc(functionBytes + usedBytes*len(fn.Upvalues))
	if n := L.lang.captured(fn.Proto); n > 0 {
		L.charge(n * (captureCost + 2*len(b.open.places)/captureUnit))
		fresh := b.capture(fn.Upvalues)
		L.alloc(variableBytes * fresh)
		L.charge(variableCost * fresh)
	}
	return 1
}
