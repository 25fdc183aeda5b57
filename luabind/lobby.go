package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// lobby is what the files declare about joining: the teams, and what players are asked.
type lobby struct {
	teams []team           // by name
	form  *world.EntryForm // nil: players are asked nothing
	at    place            // of form
}

// declareTeams notes the teams of the game. It reports whether they are the first.
func (lb *lobby) declareTeams(list []team) (first bool) {
	first = lb.teams == nil
	lb.teams = list
	return first
}

// declareForm notes what players are asked. It reports whether it is the first time.
func (lb *lobby) declareForm(f *world.EntryForm, at place) (first bool) {
	first = lb.form == nil
	lb.form, lb.at = f, at
	return first
}

// teamList returns the teams, by name.
func (lb *lobby) teamList() []team { return lb.teams }

// options returns the teams as answers.
func (lb *lobby) options() (list []world.Option) {
	for _, t := range lb.teams {
		list = append(list, world.Option{Name: t.name, Color: t.color})
	}
	return list
}

// joining returns what is declared about joining.
func (de *declared) joining() *lobby { return &de.lobby }

// playerField is a field of what each player has that a declaration brings.
type playerField struct {
	field world.Field
	by    string // the function that declares it
}

// playerFields returns the fields that teams { ... } and entry { ... } bring.
func (lb *lobby) playerFields() (fields []playerField) {
	if len(lb.teams) > 0 {
		fields = append(fields, playerField{world.Field{
			Name: teamField,
			Kind: world.String,
			Cap:  maxTeamName,
		}, "teams"})
	}
	if lb.form != nil && lb.form.Asks() {
		fields = append(fields, playerField{world.Field{Name: world.EnteredField, Kind: world.Bool}, "entry"})
	}
	return fields
}

// addPlayerField gives what each player has a field.
func (de *declared) addPlayerField(f playerField) {
	d := de.named(world.PlayerClass)
	if d == nil {
		d = &declaration{
			reader: &reader{of: world.Class{Name: world.PlayerClass}, set: de},
			table:  &lua.LTable{Metatable: lua.LNil},
		}
		de.list = append(de.list, d)
	}
	if slices.Contains(fieldNames(d.class()), f.field.Name) {
		d.fail([]string{"state", f.field.Name}, "player.state.%s: %s { ... } declares this field already",
			f.field.Name, f.by)
		return
	}
	d.class().Fields = append(d.class().Fields, f.field)
}

// finish makes onJoin of game.lua the function that a player calls with the answers, if players are asked
// something. A form that only has a note leaves it the hook that it is.
func (lb *lobby) finish(game *declaration, calls *hostCalls, globals *lua.LTable) (errs []error) {
	if lb.form == nil {
		return nil
	}
	for i := range lb.form.Questions {
		if q := &lb.form.Questions[i]; q.Options == nil {
			q.Options = lb.options()
			if len(lb.teams) == 0 {
				errs = append(errs, syntax.Problem(lb.at.File, lb.at.Line, "entry.team = %q: %s", chooseTeam, noTeams))
			}
		}
	}
	if calls.has(enter) {
		errs = append(
			errs,
			game.problem([]string{"calls", enter},
				"game.calls.%s: players call the function of this name with the answers of entry { ... }", enter),
		)
	}
	if !lb.form.Asks() {
		calls.admit(lb.form, nil)
		return errs
	}
	onJoin, _ := globals.RawGetString(world.OnJoin.String()).(*lua.LFunction)
	calls.admit(lb.form, onJoin)
	game.hook(world.OnJoin, nil)
	return errs
}
