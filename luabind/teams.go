package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// team is a team that teams { ... } declares.
type team struct{ name, color string }

// The limits of teams.
const (
	maxTeams    = 16
	maxTeamName = 16 // bytes
)

// teamField is the field of what each player has that keeps the player's team; empty: none.
const teamField = "team"

// readTeams reads the argument of teams { ... }.
func readTeams(L call) (list []team) {
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		L.RaiseError("teams must be declared with a table: teams { Red = { color = \"#f55\" }, Blue = { color = " +
			"\"#59f\" } }")
	}
	for _, k := range sortedTableKeys(t) {
		name, isText := k.(lua.LString)
		about, isTable := t.RawGet(k).(*lua.LTable)
		if !isText || !isTable || !ident.Valid(string(name)) || len(name) > maxTeamName {
			L.RaiseError(
				"teams: a team has a name of letters, digits and _, at most %d bytes, and a table: Red = { color = "+
					"\"#f55\" }",
				maxTeamName)
		}
		color := ""
		for _, key := range sortedTableKeys(about) {
			text, isText := about.RawGet(key).(lua.LString)
			if toText(key) != "color" || !isText {
				L.RaiseError("teams.%s.%s: a team has a color, which is a text: %s = { color = \"#f55\" }",
					string(name), toText(key), string(name))
			}
			color = string(text)
		}
		list = append(list, team{string(name), color})
	}
	if len(list) == 0 || len(list) > maxTeams {
		L.RaiseError("teams: %d teams; a game has 1 to %d", len(list), maxTeams)
	}
	return list
}

// teams is what scripts see of the teams, and who is in them.
type teams struct {
	rights  *rights
	scene   *scene
	objects *objects
	loader  *loader
}

// teamCost is the price of looking at the team of a player, in instructions.
const teamCost = 10

// entries returns the functions of teams.
func (te *teams) entries() []entry {
	return []entry{{"setTeam", te.setTeam}, {"smallestTeam", te.smallestTeam}, {"teamColor", te.teamColor}}
}

// setTeam implements setTeam(player, name).
func (te *teams) setTeam(L call) int {
	te.rights.mayChange(L)
	p := playerOf(L, L.number(1, "setTeam: the player"))
	name := te.named(L, 2, "setTeam").name
	L.charge(teamCost)
	player, here := te.scene.world().State().PlayerByID(p)
	if !here {
		L.RaiseError("setTeam: player %d is not in the room", p)
	}
	err := te.scene.world().Do(world.Op{Target: player.Object(), Kind: world.SetText, Field: te.field(), Text: name})
	if err != nil {
		L.RaiseError("setTeam: %s", err.Error())
	}
	return 0
}

// smallestTeam implements smallestTeam(): the name of the team that the fewest players who are here are in; of several,
// the
// first by name.
func (te *teams) smallestTeam(L call) int {
	te.rights.inWorld(L)
	list := te.loader.teamList()
	if len(list) == 0 {
		L.RaiseError("smallestTeam: %s", noTeams)
	}
	te.scene.countWork()
	count := make([]int, len(list))
	for _, p := range te.scene.world().State().Players {
		L.charge(teamCost)
		if p.Left != 0 {
			continue
		}
		in := world.LineupOf(te.scene.world()).TeamOf(p.ID)
		if i := slices.IndexFunc(list, func(t team) bool { return t.name == in }); i >= 0 {
			count[i]++
		}
	}
	te.scene.payWork(L)
	return L.pushText(list[slices.Index(count, slices.Min(count))].name)
}

// teamColor implements teamColor(name).
func (te *teams) teamColor(L call) int {
	if L.Get(1) == lua.LString("") {
		return L.pushText("")
	}
	return L.pushText(te.named(L, 1, "teamColor").color)
}

const noTeams = "no file declares teams: teams { Red = { color = \"#f55\" }, Blue = { color = \"#59f\" } }"

// named returns the team that an argument names.
func (te *teams) named(L call, arg int, of string) team {
	name, list := L.text(arg, of+": the team"), te.loader.teamList()
	i := slices.IndexFunc(list, func(t team) bool { return t.name == name })
	if len(list) == 0 {
		L.RaiseError("%s: %s", of, noTeams)
	}
	if i < 0 {
		var names []string
		for _, t := range list {
			names = append(names, t.name)
		}
		L.RaiseError("%s: there is no team %q; there are %s", of, name,
			strings.Join(ident.NearestFirst(name, names), ", "))
	}
	return list[i]
}

// field returns the index of teamField in the Fields of the class of what each player has.
func (te *teams) field() int {
	c := te.objects.named(world.PlayerClass).def()
	return slices.IndexFunc(c.Fields, func(f world.Field) bool { return f.Name == teamField })
}
