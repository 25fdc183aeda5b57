package numbers

import (
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// blockSize is how many numbers are in the memory that is reused. A hook that
// makes more gets a new block each time.
const blockSize = 512

// Numbers makes Lua numbers. It is not safe for concurrent use.
type Numbers struct {
	block      []float64
	arithmetic []*[]float64 // the blocks of interpreters
	scribble   bool
}

// New returns Numbers that no interpreter uses yet.
func New() *Numbers { return &Numbers{block: make([]float64, 0, blockSize)} }

// iface is the representation of an interface with methods.
type iface struct{ table, data unsafe.Pointer }

// Value returns v as a Lua value, which is valid until Reuse.
func (n *Numbers) Value(v float64) lua.LValue {
	if len(n.block) == cap(n.block) {
		n.block = make([]float64, 0, blockSize)
	}
	n.block = append(n.block, v)
	return boxed(&n.block[len(n.block)-1])
}

// boxed returns the number at v as a Lua value.
func boxed(v *float64) (out lua.LValue) {
	out = lua.LNumber(0)
	(*iface)(unsafe.Pointer(&out)).data = unsafe.Pointer(v)
	return out
}

// Watch makes Keep and Reuse apply to what L computes, too.
func (n *Numbers) Watch(L *lua.LState) {
	if !arithmetic {
		return
	}
	a := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(L), allocatorAt))
	*(*int)(unsafe.Add(a, sizeAt)) = blockSize
	block := (*[]float64)(unsafe.Add(a, blockAt))
	*block = make([]float64, 0, blockSize)
	n.arithmetic = append(n.arithmetic, block)
}

// Keep keeps all numbers that were made so far.
func (n *Numbers) Keep() {
	n.block = make([]float64, 0, blockSize)
	for _, block := range n.arithmetic {
		*block = make([]float64, 0, blockSize)
	}
}

// Reuse takes back the memory of all numbers that were made since Keep. They
// must not be used any more.
func (n *Numbers) Reuse() {
	n.reuse(&n.block)
	for _, block := range n.arithmetic {
		n.reuse(block)
	}
}

func (n *Numbers) reuse(block *[]float64) {
	if n.scribble {
		for i := range *block {
			(*block)[i] = spoilt
		}
	}
	*block = (*block)[:0]
}

// Scribble makes Reuse write over what it reuses, so that tests see which numbers are still in use.
func (n *Numbers) Scribble() { n.scribble = true }

// spoilt is what Scribble writes over numbers.
const spoilt = -6.66e66

// arithmetic reports whether Watch works with this gopher-lua.
var arithmetic, allocatorAt, sizeAt, blockAt = layout()

// layout finds the allocator of an LState: a field alloc that points to a
// struct with the size of its blocks and the present block.
func layout() (ok bool, allocator, size, block uintptr) {
	alloc, ok := reflect.TypeFor[lua.LState]().FieldByName("alloc")
	if !ok || alloc.Type.Kind() != reflect.Pointer || alloc.Type.Elem().Kind() != reflect.Struct {
		return false, 0, 0, 0
	}
	of := alloc.Type.Elem()
	sizeField, okSize := of.FieldByName("size")
	blockField, okBlock := of.FieldByName("fptrs")
	ok = okSize && okBlock && sizeField.Type == reflect.TypeFor[int]() &&
		blockField.Type == reflect.TypeFor[[]float64]()
	return ok, alloc.Offset, sizeField.Offset, blockField.Offset
}
