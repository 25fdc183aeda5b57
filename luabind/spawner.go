package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// spawner makes objects for scripts.
type spawner struct {
	env     *environment
	rights  *rights
	scene   *scene
	objects *objects
	writer  *writer
	runner  *runner
}

// entries returns the functions that make objects.
func (sp *spawner) entries() []entry { return []entry{{"spawn", sp.spawn}} }

// spawn implements spawn("Class", { x =, y =, ... }). The new object's onSpawn runs
// at once, with the new object as the acting one.
func (sp *spawner) spawn(L call) int {
	sp.rights.mayChange(L)
	sp.scene.notMigrating(L)
	name := L.text(1, "spawn: the class")
	args := sp.env.none()
	if L.Get(2) != lua.LNil {
		args = L.table(2, "spawn: the second argument")
	}
	L.Push(sp.make(L, name, args))
	return 1
}

// spawnCost is the price of a new object in instructions, besides its fields.
const spawnCost = 150

// make makes an object of a class with the arguments of spawn.
func (sp *spawner) make(L call, name string, args *lua.LTable) *lua.LUserData {
	c := sp.objects.named(name)
	if c == nil || world.BuiltIn(name) {
		L.RaiseError("spawn: there is no class %s; the scripts declare %s", name,
			world.Listed(sp.objects.spawnable(name)))
	}
	onSpawn := c.hook(world.OnSpawn)
	if onSpawn != nil && sp.runner.tooDeep(L) {
		L.RaiseError("spawn: onSpawn hooks spawn within each other, %d deep", maxSpawning)
	}
	L.charge(spawnCost)
	place, fields := placementOf(L, c, args)
	slot, err := sp.scene.world().Spawn(name, place)
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
	id := sp.scene.world().State().Objects[slot].ID
	sp.scene.traced(L, world.Op{Target: id}, name)
	u := sp.objects.handle(id, c)
	for _, k := range fields {
		sp.writer.setField(L, u.Value.(*handle), k, args.RawGetString(k))
	}
	if onSpawn != nil {
		sp.runner.born(onSpawn, slot, args)
	}
	return u
}

// placed returns where a number of a placement is stored, nil if it has none of this name.
func placed(p *world.Placement, name string) *float64 {
	switch name {
	case "x":
		return &p.X
	case "y":
		return &p.Y
	case "angle":
		return &p.Angle
	case "vx":
		return &p.VX
	case "vy":
		return &p.VY
	case "w":
		return &p.W
	}
	return nil
}

// placementOf reads the arguments of spawn: the placement, and the names of the
// fields to set.
func placementOf(L call, c *class, args *lua.LTable) (p world.Placement, fields []string) {
	for _, k := range keysOf(L, args) {
		L.charge(2)
		key := toText(k)
		to := placed(&p, key)
		_, isField := c.field(key)
		n, isNumber := valueAt(args, k).(lua.LNumber)
		switch {
		case isField:
			fields = append(fields, key)
		case to == nil && key != "owner":
			allowed := append([]string{"angle", "owner", "vx", "vy", "w", "x", "y"}, c.fieldNames()...)
			L.RaiseError("spawn: %s has no %s; there are %s", c.def().Name, key,
				world.Listed(ident.NearestFirst(key, allowed)))
		case !isNumber:
			L.RaiseError("spawn: %s must be a number, not %s", key, aTypeName(valueAt(args, k)))
		case to == nil:
			p.Owner = playerOf(L, float64(n))
		default:
			*to = float64(n)
		}
	}
	return p, fields
}
