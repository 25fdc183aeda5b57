package reference

import (
	"fmt"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/world"
)

// Page returns the reference of the API as a page of Markdown.
func Page() string {
	var b strings.Builder
	b.WriteString("# What scripts can use\n\nThis page is generated from the table that the bindings are compared " +
		"with. " +
		"[scripting.md](scripting.md) explains how it fits together; [modding.md](modding.md) builds a first game.\n")
	for _, s := range api.Sections() {
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		if s.Text != "" {
			b.WriteString(s.Text + "\n\n")
		}
		b.WriteString("| | |\n|---|---|\n")
		for _, m := range s.Members {
			fmt.Fprintf(&b, "| `%s` | %s |\n", signature(&s, &m), m.Text)
		}
	}
	return strings.ReplaceAll(b.String(), " |  |\n", " | |\n")
}

// signature returns how a member is written for people: spawn(class [, args])
// -> spawned.
func signature(s *api.Section, m *api.Member) string {
	if m.Params == nil {
		return prefix(s) + m.Name
	}
	out := prefix(s) + called(m)
	for i, r := range m.Returns {
		if i == 0 {
			out += " -> "
		} else {
			out += ", "
		}
		out += r.Name
	}
	return out
}

// called returns how a function is called. Of a table, it shows the keys: flash { x, y, size }.
func called(m *api.Member) string {
	out := m.Signature()
	for _, p := range m.Params {
		if keys := p.Keys(); keys != nil {
			table := "{ " + strings.ReplaceAll(strings.Join(keys, ", "), "[1]", "value") + " }"
			if len(m.Params) == 1 {
				return m.Name + " " + table
			}
			out = strings.Replace(out, p.Name, table, 1)
		}
	}
	return out
}

// prefix returns what stands before the name of a member.
func prefix(s *api.Section) string {
	switch {
	case s.Of == "" || s.Kind == api.Keys:
		return ""
	case s.Kind == api.Methods && s.Of == "Test":
		return "t:"
	case s.Kind == api.Methods && s.Of == "TestWorld":
		return "w:"
	case s.Kind == api.Methods && s.Of == "Input":
		return "input:"
	case s.Of == "BotWorld":
		return "world."
	case s.Kind == api.Methods || s.Kind == api.Hooks:
		return "object:"
	}
	return s.Of + "."
}

// Definitions returns the API as LuaCATS annotations, for editors.
func Definitions() string {
	var b strings.Builder
	b.WriteString("---@meta\n-- What Hindcast's scripts can use, for editors. Written by `host new` and `host " +
		"defs`: changes are lost.\n" + extraClasses)
	declared := map[string]bool{}
	for _, s := range api.Sections() {
		open := s.Of != "" && !declared[s.Of]
		declared[s.Of] = true
		define(&b, &s, open)
	}
	return b.String()
}

// extraClasses are types whose members are not in the tables of the API.
const extraClasses = `
---@class Str
---@class Ref
---@class List
---@class Record

---@class Contact
---@field x number where they touch
---@field y number
---@field nx number the normal there, towards other
---@field ny number
---@field impulse number N s
---@field speed number m/s at which they closed in

---@class Bump
---@field object Object
---@field x number where it was met
---@field y number
---@field nx number the normal there, out of it
---@field ny number

---@class Claimed
---@field x number
---@field y number
---@field angle number
---@field vx number
---@field vy number
---@field w number

---@class Joint: Object
---@field bodyA Object
---@field bodyB Object?

---@class JointOptions
---@field [string] number|boolean

---@class SpawnArgs
---@field x? number
---@field y? number
---@field angle? number
---@field vx? number
---@field vy? number
---@field w? number
---@field owner? integer
---@field [string] any

---@class Game
---@field [string] any
---@overload fun(declaration: { state?: table, aux?: table })
game = {}

---@class Arena
---@field width number metres
---@field height number
arena = {}
`

// objectFields are the fields that every object has besides its own.
const objectFields = "---@field id string\n---@field owner integer 0: nobody\n---@field class string\n---@field " +
	"objProps table<string, any>\n"

// inputFields are the fields of an input: those that its class declares.
const inputFields = "---@field [string] boolean|number\n"

// define writes a section. open says that its class or table is not declared
// yet.
func define(b *strings.Builder, s *api.Section, open bool) {
	fmt.Fprintf(b, "\n-- %s\n", s.Title)
	isClass := s.Of != "" && s.Of == strings.ToUpper(s.Of[:1])+s.Of[1:]
	if open {
		b.WriteString("\n---@class " + classOf(s.Of, isClass) + "\n")
		switch s.Of {
		case "Object":
			b.WriteString(objectFields)
		case "Input":
			b.WriteString(inputFields)
		}
		for _, m := range s.Members {
			if m.Params == nil {
				fmt.Fprintf(b, "---@field %s%s %s %s\n", m.Name, map[bool]string{true: "?"}[s.Kind == api.Keys],
					m.Type, m.Text)
			}
		}
		fmt.Fprintf(b, "%s%s = {}\n", map[bool]string{true: "local "}[isClass], s.Of)
	}
	for i := range s.Members {
		if m := &s.Members[i]; m.Params != nil && !(s.Kind == api.Hooks && s.Of == "") {
			defineFunction(b, s, m)
		}
	}
}

func classOf(of string, isClass bool) string {
	if isClass {
		return of
	}
	return of + "lib"
}

func defineFunction(b *strings.Builder, s *api.Section, m *api.Member) {
	b.WriteString("\n")
	if m.Text != "" {
		b.WriteString("--- " + m.Text + "\n")
	}
	var names []string
	for _, p := range m.Params {
		optional := ""
		if p.Optional {
			optional = "?"
		}
		names = append(names, p.Name)
		fmt.Fprintf(b, "---@param %s%s %s\n", p.Name, optional, p.Type)
	}
	for _, r := range m.Returns {
		fmt.Fprintf(b, "---@return %s %s\n", r.Type, r.Name)
	}
	owner := ""
	switch {
	case s.Of == "":
	case s.Kind == api.Functions:
		owner = s.Of + "."
	default:
		owner = s.Of + ":"
	}
	fmt.Fprintf(b, "function %s%s(%s) end\n", owner, m.Name, strings.Join(names, ", "))
}

// ClassDefinitions returns the classes of a game as LuaCATS annotations.
func ClassDefinitions(schema *world.Schema) string {
	var b strings.Builder
	b.WriteString(
		"---@meta\n-- The classes of this game, for editors. Written by `host new` and `host defs`: changes are " +
			"lost.\n")
	for i := range schema.Classes {
		c := &schema.Classes[i]
		switch c.Name {
		case world.WallClass, world.JointClass:
			continue
		case world.GameClass:
			b.WriteString("\n---@class Game\n")
		case world.PlayerClass:
			b.WriteString("\n---@class Stats: Object\n")
		default:
			b.WriteString("\n---@class " + c.Name + ": Object\n")
		}
		last := ""
		for j := range c.Declared() {
			f := &c.Fields[j]
			root, kind := api.FieldRoot(f.Name), luaTypes[f.TypeName()]
			if root != f.Name { // a list or a record, of which this is a part
				kind = "table"
			}
			if root != last {
				fmt.Fprintf(&b, "---@field %s %s\n", root, kind)
			}
			last = root
		}
		if !world.HoldsState(c.Name) {
			fmt.Fprintf(&b, "%s = {}\n", c.Name)
		}
	}
	return b.String()
}

// luaTypes are the names of the types of fields in LuaCATS.
var luaTypes = map[string]string{"number": "number", "boolean": "boolean", "string": "string", "ref": "Object?"}
