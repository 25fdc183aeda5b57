package syntax

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	lua "github.com/yuin/gopher-lua"
)

// maxUpvalues is how many variables of outer functions one function may use.
// The interpreter keeps their number in a byte.
const maxUpvalues = 200

// maxJump is how many instructions a jump leads over at most. The compiler does not check that of the end of a numeric
// loop, which leads elsewhere then.
const maxJump = 1<<17 - 1

// tooLong says what to do about such a function.
const tooLong = "this function, or the file outside of its functions, is too long for a jump over a loop or a branch: " +
	"move parts of it into functions of their own"

// verifier reads the byte code of a file. It refuses what would keep state
// between hooks in globals. An operation that the rewriter should have replaced is an
// internal error.
type verifier struct {
	chunk *Chunk
	errs  []error
}

func opcode(inst uint32) int { return int(inst >> 26) }
func argB(inst uint32) int   { return int(inst & 0x1ff) }
func argBx(inst uint32) int  { return int(inst & 0x3ffff) }

// verify checks the main chunk of a file and all functions in it. It replaces
// tail calls by plain calls: the interpreter panics when a tail call overflows
// its stack, and a plain call keeps the line for messages.
func verify(c *Chunk) []error {
	v := &verifier{chunk: c}
	v.proto(c.Proto, nil)
	return v.errs
}

func (v *verifier) fail(p *lua.FunctionProto, pc int, format string, args ...any) {
	if len(v.errs) >= MaxProblems {
		return
	}
	v.errs = append(v.errs, Problem(v.chunk.File, max(p.DbgSourcePositions[pc], 1), format, args...))
}

// proto checks one function. chunk says for each of its upvalues whether it is
// a variable of the main chunk.
func (v *verifier) proto(p *lua.FunctionProto, chunk []bool) {
	if len(p.DbgUpvalues) > maxUpvalues {
		v.fail(p, 0, "a function uses %d variables from outside: at most %d; keep some of them in a table", len(p.DbgUpvalues), maxUpvalues)
		return
	}
	if len(p.Code) > maxJump {
		v.errs = append(v.errs, Problem(v.chunk.File, max(p.LineDefined, 1), tooLong))
		return
	}
	v.chunk.OfFile[p] = chunk
	for pc := 0; pc < len(p.Code); pc++ {
		inst := p.Code[pc]
		switch opcode(inst) {
		case lua.OP_CLOSURE:
			child := p.FunctionPrototypes[argBx(inst)]
			v.proto(child, v.origins(p, child, pc, chunk))
			pc += len(child.DbgUpvalues)
		case lua.OP_SETGLOBAL:
			if p != v.chunk.Proto {
				name := p.Constants[argBx(inst)].String()
				v.fail(p, pc,
					"global %s is set in a function, but globals are frozen after loading: %s, or write local",
					name, WhereToKeep(v.chunk.File, name))
			}
		case lua.OP_SETUPVAL:
			if i := argB(inst); chunk[i] && !v.chunk.changed[p.DbgUpvalues[i]] {
				v.fail(p, pc, "internal error: the change of %s was to be rewritten", p.DbgUpvalues[i])
			}
		case lua.OP_TAILCALL:
			p.Code[pc] = inst&0x3ffffff | uint32(lua.OP_CALL)<<26
		case lua.OP_CONCAT, lua.OP_POW, lua.OP_SETTABLE:
			v.fail(p, pc, "internal error: instruction %d was to be rewritten", opcode(inst))
		}
	}
	// they came with much to spare
	n := max(int(p.NumUsedRegisters)-freeRegisters, 0) / registersPrice
	p.Code = append(slices.Repeat([]uint32{uint32(lua.OP_NOP) << 26}, n), p.Code...)
	p.DbgSourcePositions = append(slices.Repeat(p.DbgSourcePositions[:1], n), p.DbgSourcePositions...)
	for _, l := range p.DbgLocals {
		l.StartPc, l.EndPc = l.StartPc+n, l.EndPc+n
	}
	for i := range p.DbgCalls {
		p.DbgCalls[i].Pc += n
	}
}

// A call pays an instruction for so many registers of a function, which local variables and arguments need, beyond the
// free ones: the interpreter sets all when the function begins, and when it ends. So the function begins with
// instructions that do nothing.
const (
	registersPrice = 4
	freeRegisters  = 16
)

// origins returns for each upvalue of child, made at pc, whether it is a
// variable of the main chunk. It counts those that belong to p itself.
func (v *verifier) origins(p, child *lua.FunctionProto, pc int, chunk []bool) []bool {
	from := make([]bool, len(child.DbgUpvalues))
	for i := range from {
		inst := p.Code[pc+1+i]
		if opcode(inst) == lua.OP_MOVE {
			from[i] = p == v.chunk.Proto
			v.chunk.Captures[child]++
		} else {
			from[i] = chunk[argB(inst)]
		}
	}
	return from
}

// WhereToKeep says where the functions of a file keep what changes.
func WhereToKeep(file, name string) string {
	if file == api.ViewFile {
		return fmt.Sprintf("keep it with local mine = keep { %s = 0 }, as mine.%s", name, name)
	}
	return fmt.Sprintf("declare %s in state (self.%s, or game.%s)", name, name, name)
}

// WritesUpvalue returns a captured variable that a function, or one inside it,
// changes, and the line where it does. ofFile are those that are local variables of the file, which do not count.
func WritesUpvalue(p *lua.FunctionProto, ofFile []bool) (name string, line int, found bool) {
	for i := range p.DbgUpvalues {
		if ofFile[i] {
			continue
		}
		if line, found := writesTo(p, i); found {
			return p.DbgUpvalues[i], line, true
		}
	}
	return "", 0, false
}

func writesTo(p *lua.FunctionProto, upvalue int) (line int, found bool) {
	for pc := 0; pc < len(p.Code); pc++ {
		switch inst := p.Code[pc]; opcode(inst) {
		case lua.OP_SETUPVAL:
			if argB(inst) == upvalue {
				return p.DbgSourcePositions[pc], true
			}
		case lua.OP_CLOSURE:
			child := p.FunctionPrototypes[argBx(inst)]
			for i := range child.DbgUpvalues {
				pc++
				if c := p.Code[pc]; opcode(c) == lua.OP_GETUPVAL && argB(c) == upvalue {
					if line, found := writesTo(child, i); found {
						return line, true
					}
				}
			}
		}
	}
	return 0, false
}
