package luabind

import (
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// lineup has the functions about who plays what: players, and bots, which play the objects that nobody owns.
type lineup struct {
	rights  *rights
	scene   *scene
	objects *objects
	env     *environment
	spawner *spawner
}

// lineupCost is the price of a look at who plays what, in instructions.
const lineupCost = 20

// seenCost is the price of each object that these functions look at, in instructions.
const seenCost = 5

// entries returns these functions.
func (li *lineup) entries() []entry {
	return []entry{{"fillTeams", li.fillTeams}, {"takeOver", li.takeOver}, {"resetStats", li.resetStats}}
}

// begin checks that the world may be changed, and returns its Lineup.
func (li *lineup) begin(L call) world.Lineup {
	li.rights.mayChange(L)
	li.scene.notMigrating(L)
	L.charge(lineupCost)
	return world.LineupOf(li.scene.world())
}

// fillTeams implements fillTeams(class, n): it spawns what n objects of the class lack, each in the smallest team.
func (li *lineup) fillTeams(L call) int {
	l := li.begin(L)
	class, n := li.objects.classArg(L, 1, "fillTeams"), L.number(2, "fillTeams: how many")
	if n != float64(int(n)) || n < 0 || n > world.MaxSpawns {
		L.RaiseError("fillTeams: how many must be a whole number from 0 to %d, not %s", world.MaxSpawns,
			formatNumber(n))
	}
	schema := li.scene.world().Schema()
	def := &schema.Classes[class]
	f, has := def.Field(world.TeamField)
	has = has && f.Kind == world.String
	if len(schema.Teams) > 0 && !has {
		L.RaiseError("fillTeams: %s needs a field for its team: state = { team = str(16) }", def.Name)
	}
	li.scene.countWork()
	L.charge(seenCost * l.Count(class))
	li.scene.payWork(L)
	for _, team := range l.Missing(class, int(n)) {
		with := L.CreateTable(0, 1)
		if team != "" {
			with.RawSetString(world.TeamField, lua.LString(team))
		}
		li.spawner.make(L, def.Name, with)
	}
	return 0
}

// takeOver implements takeOver(player, class): it gives the player an object that nobody owns, and returns it; nil if
// there is
// none.
func (li *lineup) takeOver(L call) int {
	l := li.begin(L)
	p := playerOf(L, L.number(1, "takeOver: the player"))
	class := li.objects.classArg(L, 2, "takeOver")
	if _, here := li.scene.world().State().PlayerByID(p); !here {
		L.RaiseError("takeOver: player %d is not in the room", p)
	}
	li.scene.countWork()
	slot, looked, ok, err := l.TakeOver(p, class)
	li.scene.payWork(L)
	L.charge(seenCost * looked)
	if err != nil {
		L.RaiseError("takeOver: %s", err.Error())
	}
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	o := &li.scene.world().State().Objects[slot]
	li.scene.traced(L, world.Op{Target: o.ID, Kind: world.SetOwner, Word: uint64(p)}, "")
	L.Push(li.objects.handle(o.ID, li.objects.class(o.Class)))
	return 1
}

// resetStats implements resetStats(): what player { ... } declares begins anew, for all players.
func (li *lineup) resetStats(L call) int {
	n, err := li.begin(L).ResetStats()
	L.charge(4 * n)
	if err != nil {
		L.RaiseError("resetStats: %s", err.Error())
	}
	return 0
}
