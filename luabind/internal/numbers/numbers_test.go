package numbers

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	lua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"
)

// TestArithmetic fails if the layout of numbers in gopher-lua has changed: adapt layout then.
func TestArithmetic(t *testing.T) {
	if !arithmetic {
		t.Fatal("the allocator of an LState is not where it was: what scripts compute is garbage after each hook")
	}
}

// TestValues: values keep their number until Reuse, however many there are.
func TestValues(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		n := New()
		n.Scribble()
		var kept []lua.LValue
		var want []float64
		hold := func() {
			for i, v := range kept {
				if got, ok := v.(lua.LNumber); !ok || float64(got) != want[i] {
					t.Fatalf("number %d is %v, want %v", i, v, want[i])
				}
			}
		}
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			first := len(kept)
			for range rapid.IntRange(0, 3*blockSize).Draw(t, "numbers") {
				v := float64(len(kept)) + 0.5
				kept, want = append(kept, n.Value(v)), append(want, v)
			}
			hold()
			if rapid.Bool().Draw(t, "keep") {
				n.Keep()
			} else {
				n.Reuse()
				kept, want = kept[:first], want[:first]
			}
			hold()
		}
	})
}

// sum runs a function that computes that many numbers, and returns the last one.
func sum(t testing.TB, L *lua.LState, n int) lua.LValue {
	L.Push(L.GetGlobal("sum"))
	L.Push(lua.LNumber(n))
	if err := L.PCall(1, 1, nil); err != nil {
		t.Fatal(err)
	}
	v := L.Get(-1)
	L.Pop(1)
	return v
}

func interpreter(t testing.TB) *lua.LState {
	L := lua.NewState()
	t.Cleanup(L.Close)
	if err := L.DoString("function sum(n) local s = 0.5 for i = 1, n do s = s + i end return s end"); err != nil {
		t.Fatal(err)
	}
	return L
}

// TestReuse: the results of a script take the memory of the results before, unless those were
// kept.
func TestReuse(t *testing.T) {
	L, n := interpreter(t), New()
	n.Watch(L)
	n.Scribble()
	constant := sum(t, L, 100)
	n.Keep()
	dead := sum(t, L, 10)
	n.Reuse()
	if constant != lua.LNumber(5050.5) || dead != lua.LNumber(spoilt) {
		t.Errorf("after Keep %v, after Reuse %v", constant, dead)
	}
	if got := sum(t, L, 3*blockSize); got != lua.LNumber(float64(3*blockSize*(3*blockSize+1)/2)+0.5) {
		t.Errorf("the sum of more than a block holds is %v", got)
	}
	if testing.AllocsPerRun(100, func() { n.Reuse(); sum(t, L, 100) }) > 1 { // the argument
		t.Error("arithmetic allocates")
	}
	if testing.AllocsPerRun(100, func() {
		n.Reuse()
		for i := range 100 {
			n.Value(float64(i))
		}
	}) > 0 {
		t.Error("Value allocates")
	}
}
