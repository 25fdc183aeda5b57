package luabind

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// queries are the functions that read the world.
type queries struct {
	env     *environment
	rights  *rights
	scene   *scene
	objects *objects
	slots   []int32 // scratch
}

// queryCost is the base price of a query in instructions. The rest depends on the bodies where the query looks, never
// on how much there is in the world; otherwise the budget would make the result of one object depend on all others.
const queryCost = 100

// entries returns all of them.
func (qu *queries) entries() []entry {
	return []entry{
		{"objects", qu.ofClass},
		{"raycast", qu.raycast}, {"raycastAll", qu.raycastAll}, {"circleCast", qu.circleCast},
		{"overlapCircle", qu.overlapCircle}, {"overlapBox", qu.overlapBox}, {"overlapPolygon", qu.overlapPolygon},
		{"nearest", qu.nearest}, {"players", qu.players}, {"stats", qu.stats},
		{"now", qu.now}, {"tickNumber", qu.tickNumber}, {"random", qu.random},
	}
}

// ofClass implements objects("Class"): a frozen list in the order of spawning.
func (qu *queries) ofClass(L call) int {
	qu.rights.inWorld(L)
	qu.scene.notMigrating(L)
	of := qu.objects.schema.Family(qu.objects.classArg(L, 1, "objects"))
	L.charge(10)
	qu.slots = qu.queried(L).OfClasses(of, qu.slots[:0])
	qu.pay(L)
	return qu.pushList(L)
}

// pushList pushes a frozen list of the objects in qu.slots.
func (qu *queries) pushList(L call) int {
	L.charge(len(qu.slots))
	L.alloc(128 + 24*len(qu.slots))
	t := L.CreateTable(len(qu.slots), 0)
	for _, slot := range qu.slots {
		o := &qu.scene.world().State().Objects[slot]
		t.Append(qu.objects.handle(o.ID, qu.objects.class(o.Class)))
	}
	qu.env.freeze(t)
	L.Push(t)
	return 1
}

// players implements players(): a frozen list of the players who are here.
func (qu *queries) players(L call) int {
	qu.rights.inWorld(L)
	t := L.CreateTable(len(qu.scene.world().State().Players), 0)
	L.alloc(128 + 24*len(qu.scene.world().State().Players))
	for _, p := range qu.scene.world().State().Players {
		if p.Left == 0 {
			t.Append(L.num(float64(p.ID)))
		}
	}
	qu.env.freeze(t)
	L.Push(t)
	return 1
}

// stats implements stats(player): the object with the fields that player { ... } declares, nil if the
// player is not in the room.
func (qu *queries) stats(L call) int {
	qu.rights.inWorld(L)
	L.charge(changeCost)
	c := qu.objects.named(world.PlayerClass)
	if c == nil {
		L.RaiseError("stats: no file declares what each player has: player { state = { kills = 0 } }")
	}
	if p, here := qu.scene.world().State().PlayerByID(playerOf(L, L.number(1, "stats: the player"))); here {
		L.Push(qu.objects.handle(p.Object(), c))
		return 1
	}
	L.Push(lua.LNil)
	return 1
}

// now implements now(): the time of the world in seconds.
func (qu *queries) now(L call) int {
	qu.rights.inWorld(L)
	L.Push(L.num(float64(qu.scene.world().State().Tick) / float64(qu.objects.inForce().Setup.TickRate)))
	return 1
}

func (qu *queries) tickNumber(L call) int {
	qu.rights.inWorld(L)
	L.Push(L.num(float64(qu.scene.world().State().Tick)))
	return 1
}

// random implements random() in [0, 1), random(n) from 1 to n, random(a, b).
func (qu *queries) random(L call) int {
	qu.rights.inWorld(L)
	var r float64
	if q := qu.rights.question(); q != nil {
		r = q.next()
	} else {
		r = qu.scene.world().Random()
	}
	if L.GetTop() == 0 {
		L.Push(L.num(r))
		return 1
	}
	low, high := 1, L.integer(1, "random: n")
	if L.GetTop() > 1 {
		low, high = high, L.integer(2, "random: the upper bound")
	}
	if low > high {
		L.RaiseError("random(%d, %d): the range is empty", low, high)
	}
	span := float64(high) - float64(low) + 1
	L.Push(L.num(float64(low) + math.Floor(float64(r*span))))
	return 1
}

// layers reads the layers that a query looks at, from argument i on: names, or
// a list of names. None means all layers.
func (qu *queries) layers(L call, i int, what string) uint64 {
	var few [4]string // without an allocation
	names := few[:0]
	for ; i <= L.GetTop(); i++ {
		switch v := L.Get(i).(type) {
		case *lua.LNilType:
		case *lua.LTable:
			for n := 1; n <= min(v.Len(), 64); n++ {
				names = append(names, toText(v.RawGetInt(n)))
			}
		default:
			names = append(names, L.text(i, what, ": a layer"))
		}
	}
	mask, err := qu.objects.inForce().LayerMask(names...)
	if err != nil {
		all := qu.objects.inForce().Layers()
		unknown := slices.IndexFunc(names, func(n string) bool { return !slices.Contains(all, n) })
		L.RaiseError("%s: there is no layer %s; there are %s", what, names[unknown],
			world.Listed(ident.NearestFirst(names[unknown], all)))
	}
	return mask
}

// line reads the two ends of a ray from the first four arguments.
func (qu *queries) line(L call, what string) (x1, y1, x2, y2 float64) {
	return qu.endOf(L, 1, what, "x1"), qu.endOf(L, 2, what, "y1"),
		qu.endOf(L, 3, what, "x2"), qu.endOf(L, 4, what, "y2")
}

// endOf returns argument i, a finite number. It builds the name of the argument
// only for errors, because that costs time.
func (qu *queries) endOf(L call, i int, what, name string) float64 {
	if v, ok := L.Get(i).(lua.LNumber); ok && v-v == 0 {
		return float64(v)
	}
	return L.finite(i, what+": "+name)
}

// raycast implements raycast(x1, y1, x2, y2, layers): the first object met, where, the
// normal there, and the fraction of the way; or nil.
func (qu *queries) raycast(L call) int {
	L.charge(queryCost)
	x1, y1, x2, y2 := qu.line(L, "raycast")
	mask := qu.layers(L, 5, "raycast")
	hit, ok := qu.queried(L).Raycast(x1, y1, x2, y2, mask)
	qu.pay(L)
	return qu.pushHit(L, hit, ok)
}

// raycastAll implements raycastAll(x1, y1, x2, y2, layers): a frozen list, the
// first met first.
func (qu *queries) raycastAll(L call) int {
	L.charge(queryCost)
	x1, y1, x2, y2 := qu.line(L, "raycastAll")
	mask := qu.layers(L, 5, "raycastAll")
	qu.slots = qu.queried(L).RaycastAll(x1, y1, x2, y2, mask, qu.slots[:0])
	qu.pay(L)
	return qu.pushList(L)
}

// circleCast implements circleCast(x1, y1, x2, y2, r, layers): as raycast, for a
// circle that moves along.
func (qu *queries) circleCast(L call) int {
	L.charge(queryCost)
	x1, y1, x2, y2 := qu.line(L, "circleCast")
	r := L.finite(5, "circleCast: r")
	if r < physics.MinSize || r > physics.MaxSize {
		L.RaiseError("circleCast: r is %s: it must be %v to %v", formatNumber(r), physics.MinSize,
			float64(physics.MaxSize))
	}
	mask := qu.layers(L, 6, "circleCast")
	hit, ok := qu.queried(L).CircleCast(x1, y1, x2, y2, r, mask)
	qu.pay(L)
	return qu.pushHit(L, hit, ok)
}

// pushHit pushes six values, or nil.
func (qu *queries) pushHit(L call, hit world.RayHit, ok bool) int {
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(qu.scene.handleOf(hit.Object))
	for _, v := range [...]float64{hit.X, hit.Y, hit.NormalX, hit.NormalY, hit.Fraction} {
		L.Push(L.num(v))
	}
	return 6
}

// overlapCircle implements overlapCircle(x, y, r, layers): a frozen list.
func (qu *queries) overlapCircle(L call) int {
	L.charge(queryCost)
	x, y, r := L.finite(1, "overlapCircle: x"), L.finite(2, "overlapCircle: y"), L.finite(3, "overlapCircle: r")
	mask := qu.layers(L, 4, "overlapCircle")
	qu.slots = qu.queried(L).OverlapCircle(x, y, r, mask, qu.slots[:0])
	qu.pay(L)
	return qu.pushList(L)
}

// overlapBox implements overlapBox(x, y, width, height, layers): a frozen list.
func (qu *queries) overlapBox(L call) int {
	L.charge(queryCost)
	x, y := L.finite(1, "overlapBox: x"), L.finite(2, "overlapBox: y")
	w, h := L.finite(3, "overlapBox: width"), L.finite(4, "overlapBox: height")
	mask := qu.layers(L, 5, "overlapBox")
	qu.slots = qu.queried(L).OverlapBox(x, y, w, h, mask, qu.slots[:0])
	qu.pay(L)
	return qu.pushList(L)
}

// overlapPolygon implements overlapPolygon({ x1, y1, x2, y2, ... }, layers): a
// frozen list.
func (qu *queries) overlapPolygon(L call) int {
	L.charge(queryCost + 100)
	t := L.table(1, "overlapPolygon: the corners")
	n := t.Len()
	if n%2 != 0 || n > 2*physics.MaxPoints {
		L.RaiseError("overlapPolygon: %d numbers: a polygon needs 3 to %d corners, each with an x and a y", n,
			physics.MaxPoints)
	}
	var corners [2 * physics.MaxPoints]float64
	for i := range n {
		v, ok := t.RawGetInt(i + 1).(lua.LNumber)
		if !ok {
			L.RaiseError("overlapPolygon: number %d is %s", i+1, aTypeName(t.RawGetInt(i+1)))
		}
		corners[i] = float64(v)
	}
	var err error
	mask := qu.layers(L, 2, "overlapPolygon")
	qu.slots, err = qu.queried(L).OverlapPolygon(corners[:n], mask, qu.slots[:0])
	qu.pay(L)
	if err != nil {
		L.RaiseError("overlapPolygon: %s", err.Error())
	}
	return qu.pushList(L)
}

// nearest implements nearest("Class", x, y, within): an object or nil.
func (qu *queries) nearest(L call) int {
	L.charge(queryCost)
	of := qu.objects.schema.Family(qu.objects.classArg(L, 1, "nearest"))
	x, y := L.finite(2, "nearest: x"), L.finite(3, "nearest: y")
	within := L.numberOr(4, "nearest: within", math.Inf(1))
	slot, ok := qu.queried(L).NearestOf(x, y, of, within)
	qu.pay(L)
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	o := &qu.scene.world().State().Objects[slot]
	L.Push(qu.objects.handle(o.ID, qu.objects.class(o.Class)))
	return 1
}

// queried returns the queries of the world, for one query that pay charges.
func (qu *queries) queried(L call) world.Queries {
	qu.rights.inWorld(L)
	qu.scene.notMigrating(L)
	qu.scene.limitWork(L)
	return qu.scene.world().Queries()
}

// pay charges the work of the query.
func (qu *queries) pay(L call) { qu.scene.payWork(L) }
