package syntax

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// habit is something that other languages, or other Luas, have.
type habit struct {
	written  *regexp.Regexp // how it looks in a line without texts and comments
	instead  string
	operator bool
}

func written(as, instead string) habit { return habit{regexp.MustCompile(as), instead, false} }

func operator(as, instead string) habit { return habit{regexp.MustCompile(as), instead, true} }

// habits are looked for in a line that does not parse, in this order. Of several operators, the first in the line
// counts.
var habits = []habit{
	written(`^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)( |\s*$)`, "this line is a conflict marker of a merge: keep "+
		"one of the two versions, and delete the lines with <<<<<<<, ======= and >>>>>>>"),
	written("`", `a text is written "..." or '...', and .. joins texts: "hp: " .. self.hp`),
	written(`^\s*try\b\s*([{:]|$)|^\s*\}?\s*(catch|except|finally)\b`, "errors are caught with pcall: local ok, err = pcall(function() ... end)"),
	written(`^\s*\}?\s*(switch|match)\b[^=]*[{:]\s*$|^\s*case\b.*:`, "cases are written if x == 1 then ... elseif x == 2 then ... end"),
	written(`^\s*(throw|raise)\s+\w`, "an error is raised with error(\"text\")"),
	written(`^\s*@?(export|onready)\b.*\bvar\b|^\s*@\w+`, "a field is declared in state, as in state = { speed = 3 }, a constant in objProps, and a variable with local"),
	written(`^\s*extends\s+\w`, `a class is declared with object, also one that extends another: Ship = object "Ship" { extends = Base, ... }`),
	written(`/\*|\*/`, "a comment begins with --, and a long one is --[[ ... ]]"),
	written(`^\s*(//|#)`, "a comment begins with --"),
	operator(`\.\.=`, `there is no ..= in Lua 5.1: write s = s .. "x"`),
	operator(`[\w\])]\s*\+=`, "there is no += in Lua 5.1, nor the like: write x = x + 1"),
	operator(`[\w\])]\s*-=`, "there is no -= in Lua 5.1, nor the like: write x = x - 1"),
	operator(`[\w\])]\s*\*=`, "there is no *= in Lua 5.1, nor the like: write x = x * 2"),
	operator(`[\w\])]\s*/=`, "there is no /= in Lua 5.1, nor the like: write x = x / 2"),
	operator(`[\w\])]\s*%=`, "there is no %= in Lua 5.1, nor the like: write x = x % 2"),
	operator(`\+\+`, "there is no ++ in Lua: write x = x + 1"),
	operator(`===`, "equal is written == in Lua"),
	operator(`!==`, "not equal is written ~= in Lua"),
	operator(`=<`, "at most is written <= in Lua"),
	operator(`<>`, "not equal is written ~= in Lua"),
	written(`\bis\s+(not\s+)?(true|false|nil)\b`, "equal is written ==: x == nil"),
	written(`\bfor\s+\w+\s*=\s*\w+\s+to\b|\bfor\s+\w+\s+in\s+\d+\s*\.\.`, "a loop is written for i = 1, 10 do ... end"),
	written(`[{,]\s*""\s*:`, "a field of a table is written { x = 1 }"),
	written(`\bfunction\b[^()]*\([^()]*\w\s*=[^=]`, "a parameter has no default: write a = a or 2 in the function"),
	written(`^\s*delete\s+\w`, "a field is taken away with t.x = nil, and an object with o:remove()"),
	operator(`!=`, "not equal is written ~= in Lua"),
	operator(`//`, "// is not in Lua 5.1: write math.floor(a / b); a comment begins with --"),
	operator(`&&`, "write and in the place of &&"),
	operator(`\|\|`, "write or in the place of ||"),
	operator(`[&|]|>>|<<`, "Lua 5.1 has no operators for bits"),
	operator(`!`, "write not in the place of !"),
	written(`\b(if|elseif|while|until|and|or)\b[^(]*[\w)\]]\s*=>`, "at least is written >= in Lua"),
	written(`=>|->`, "a function is written function(x) return x end"),
	written(`^\s*\?`, "print(...) writes to the log"),
	operator(`\?\?`, "there is no ?? in Lua: write a or b"),
	operator(`\?[.:]`, "there is no ?. in Lua: write a and a.b"),
	operator(`=\s?[+*/]\s*[\w.(]`, "there is no += in Lua 5.1, nor the like: write x = x + 1"),
	written(`\$"`, `a text is written "...", and .. joins texts: "hp: " .. self.hp`),
	written(`\?`, "there is no ?: in Lua: write condition and a or b"),
	written(`\*\*`, "a power is written x ^ 2"),
	written(`[=(,]\s*if\b|\breturn\s+if\b`, "if is no value in Lua: write condition and a or b"),
	written(`\bcontinue\b`, "there is no continue in Lua 5.1: put the rest of the loop into if not ... then ... end"),
	written(`<\s*(const|close)\s*>`, "Lua 5.1 has no attributes of variables: write local x = 1"),
	written(`\b(elif|elsif)\b`, "write elseif"),
	written(`\belse\s+if\b`, "write elseif, or end the if within the else with an end of its own"),
	written(`^\s*(const|let|var|int|float|bool)\s+\w`, "a variable is declared with local: local x = 1"),
	written(`^\s*(export\s+)?type\s+\w`, "Lua 5.1 has no types: leave the line out"),
	written(`\b(if|while|for)\b.*\{\s*$|\b(if|while|for)\s*\(.*\)\s*\{|^\s*(if|while)\b[^=]*\{[^=]*\}\s*$`,
		"a block is written if ... then ... end, or while ... do ... end"),
	written(`\bforeach\b`, "a list is gone through with for _, o in ipairs(list) do ... end"),
	written(`\w\s*::\s*\w+\s*$`, "Lua 5.1 has no types: leave out the colons and the type"),
	written(`^\s*while\b([^=]|==|~=|<=|>=)*\w\s+[\w.]+\s*=[^=]`, "after the condition stands do: while ... do"),
	written(`\bfor\s*\(`, "a loop is written for i = 1, 10 do ... end"),
	written(`^\s*local\s+\w+\s*:|\bfunction\b[^)]*\w\s*:\s*\w+\s*[,)]|\)\s*:\s*\w`,
		"Lua 5.1 has no types: leave out the colon and the type"),
	written(`^\s*(export\s+)?(class|struct)\s+\w`, `a class is declared with object: Ship = object "Ship" { ... }`),
	written(`\b(fn|func|fun|def|void)\b\s*\w*\s*\(`, "a function is written function(x) return x end"),
	written(`\bobject\s*:`, `a class is declared without a colon: Ship = object "Ship" { ... }`),
	written(`^\s*[A-Z]\w*\s*:\s*\{`, `a class is declared with object: Ship = object "Ship" { ... }`),
	written(`^\s*\w+\s*:\s*$`, "after the colon stands the name of a method, with parentheses: o:remove()"),
	written(`^\s*(import|from)\b`, `a file is loaded with local v = require("lib.vector")`),
	written(`\{\s*\w+\s*:|,\s*\w+\s*:\s*[^:]`, "a field of a table is written { x = 1 }"),
	written(`^\s*if\s*\(.*\)\s*[\w.\[\]]+\s*=[^=]`, "after the condition stands then: if ... then ... end"),
	written(`(?:^\s*|\b(?:then|do|else)\s+|\bfunction\b[^)]*\)\s*)[\w.\[\]]+\s*==`, "== compares: a value is assigned with ="),
	written(`(?:^\s*|\b(?:then|do|else)\s+|\bfunction\b[^)]*\)\s*)[\w.\[\]]+\s*[-+*/]\s*[\w.]+\s*(?:$|\bend\b)`,
		"a value alone is no statement: write x = x - 1, or return it"),
	written(`^[^=]*\breturn\s+[\w.\[\]]+\s*=[^=]`, "return gives a value, and assigns none: write the assignment before it"),
	written(`(?:^\s*|\b(?:then|do|else)\s+|\bfunction\b[^)]*\)\s*)\w[\w.:]*\([^()]*\)\s*=[^=]`, "what a call gives cannot be assigned to: write a field of it"),
	written(`^\s*(if|elseif)\b([^=]|==|~=|<=|>=)*\w\s+[\w.]+\s*=[^=]`, "after the condition stands then: if ... then"),
	written(`\b(if|elseif|while|until)\b[^=]*[^=~<>]=[^=]`, "= assigns: compare with =="),
	written(`\w:\w+\s*($|[-+*/),]|(==|~=|<|>|\.\.|\b(then|do|and|or)\b))`, "a method is called with parentheses: s:len()"),
	written(`[=(,]\s*\[`, "a list is written { 1, 2, 3 }"),
	written(`^\s*[\w.]+\s*=[^=].*\w\s+if\s+\w`, "a condition stands before what it is for: if ... then ... end"),
	written(`\bfor\s+(?:\w+\s*,\s*)?\w+\s+of\b|\bfor\b.*\bin\b.*[{:]`, "a list is gone through with for _, o in ipairs(list) do ... end"),
	written(`^\s*(await|async|yield)\s+\w`, "a hook cannot wait: after(seconds, \"name\") calls a function of the class later"),
	written(`\w\s*:=`, "a value is assigned with ="),
	written(`^\s*local\s+function\s+\w+\s*[.:]`, "a function of a table is written without local: function Ship:aim() ... end"),
	written(`^\s*local\s+\w+\s*\.`, "a field is given a value without local: self.x = 1"),
	written(`^\s*local\s*[\[{]`, "a variable is declared alone: local a, b = t.a, t.b"),
	written(`\b(do|repeat|then|else)\s*\{`, "a block is written do ... end, or repeat ... until, without braces"),
	written(`\d_\d|\d[fFL]\b`, "a number is written with digits alone: 1000, or 1.5"),
	written(`""\s*:\w`, `a text whose method is called stands in parentheses: ("x"):upper()`),
	written(`~[^=]`, "not equal is written ~=, and not is written not"),
	written(`[=(,]\s*lambda\b`, "a function is written function(x) return x end"),
	written(`^\s*(end\s*if|endif|end\s*while|endwhile|end\s*function|endfunction|end\s*for|endfor|fi|done)\s*$`, "a block ends with end"),
	written(`^\s*(if|elseif|while|for|else|elif)\b.*:\s*$`, "a block is written if ... then ... end, or while ... do ... end"),
	written(`\w\s*\([^(){}]*\b\w+\s*[=:]\s*[^=:]`, "an argument has no name: write f(1), or f { x = 1 } for a function that takes a table"),
	written(`^\s*function\s*\(`, "a function that is a statement has a name: write local function name() ... end"),
}

// rxQuoted matches a text, or a comment to the end of a line.
var rxQuoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|--.*$`)

// codeOf returns a line without its comment, and with empty texts.
func codeOf(line string) string {
	return rxQuoted.ReplaceAllStringFunc(line, func(part string) string {
		if strings.HasPrefix(part, "--") {
			return ""
		}
		return `""`
	})
}

// insteadOf says what to write instead of a habit of another language in a line, and the word that it begins with; "":
// there is none.
func insteadOf(line string) (instead, near string) {
	code := codeOf(line)
	first := len(code)
	for _, h := range habits {
		at := h.written.FindStringIndex(code)
		switch {
		case at == nil:
		case h.operator && at[0] < first:
			first, instead = at[0], h.instead
		case instead == "":
			return h.instead + ofHook(code), wordAt(code, at[0])
		}
	}
	return instead, ""
}

// wordAt returns the word that a place in a line is in, or the next one.
func wordAt(line string, at int) string {
	for at > 0 && ident.IsByte(line[at]) && ident.IsByte(line[at-1]) {
		at--
	}
	return rxWord.FindString(line[at:])
}

// rxForeignFunction matches the name of a function in other languages.
var rxForeignFunction = regexp.MustCompile(`^\s*(?:\w+\s+)*(?:fn|func|fun|def|void)\s+(\w+)\s*\(`)

// ofHook says what stands for a hook of another engine that a line defines in the manner of its language; empty: it
// does not.
func ofHook(code string) string {
	m := rxForeignFunction.FindStringSubmatch(code)
	if m == nil || api.ForeignHook(m[1]) == "" {
		return ""
	}
	return ", a method function Class:name() ... end; " + api.ForeignHook(m[1])
}

// insteadAt is insteadOf for the line at which a file does not parse, and for those before it, whose end may be
// missed only there. word is what stands where it does not parse; at the beginning of a line it is no part of what is
// wrong if alone says that an expression before it is no statement, or if it begins a statement.
func insteadAt(text, word string, line int, alone bool) reason {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return reason{}
	}
	follows := strings.HasPrefix(strings.TrimLeft(lines[line-1], " \t"), word) && (alone || slices.Contains(beginners, word))
	if instead, _ := insteadOf(lines[line-1]); instead != "" && !follows {
		return reason{line: line, instead: instead}
	}
	before := codeBefore(lines, line)
	if before > 0 && rxUnfinished.MatchString(codeOf(lines[before-1])) {
		return habitIn(lines, before)
	}
	for n := 0; before > 0 && n < 10; before, n = before-1, n+1 {
		if rxBraces.MatchString(lines[before-1]) {
			return habitIn(lines, before)
		}
	}
	return reason{}
}

// beginners are the words that begin statements.
var beginners = []string{"break", "do", "for", "function", "if", "local", "repeat", "return", "while"}

// habitIn returns the habit in a line as the reason.
func habitIn(lines []string, line int) reason {
	instead, near := insteadOf(lines[line-1])
	return reason{line, near, instead}
}

// codeBefore returns the last line before another one that has more than a comment; 0: there is none.
func codeBefore(lines []string, line int) int {
	for line--; line > 0 && strings.TrimSpace(codeOf(lines[line-1])) == ""; line-- {
	}
	return line
}

var (
	// rxUnfinished matches habits that are missed on the next line only.
	rxUnfinished = regexp.MustCompile(`^\s*continue\b|\+\+\s*$|\w\s*::\s*\w+\s*$|\w:\w+\s*$|^\s*\w+\s*:\s*$|` +
		`\b(fn|func|fun|def)\b\s*\w*\s*\(|\bcatch\b|\d_\d|\d[fFL]\b|^\s*(endif|endwhile|endfor|endfunction|fi|done)\s*$|` +
		`[=(,]\s*lambda\b|\w\s+if\s+\w[^=]*$|^\s*for\b.*\{|^\s*for\s+\w+\s+of\b`)
	// rxBraces matches blocks in braces, which are missed some lines later.
	rxBraces = regexp.MustCompile(`^\s*(if|while)\b[^=]*\{\s*$|^\s*(if|while)\s*\(.*\)\s*\{|^\s*(for|while|if)\b.*:\s*$|^\s*(try|switch|match)\b[^=]*\{\s*$`)
)
