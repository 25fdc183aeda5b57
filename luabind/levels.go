package luabind

import "github.com/hindcast/hindcast/world"

// levels is what scripts see of the levels of a game.
type levels struct {
	rights *rights
	scene  *scene
}

// levelCost is the price of asking for a level, in instructions.
const levelCost = 100

// entries returns the functions of levels.
func (le *levels) entries() []entry { return []entry{{"level", le.level}} }

// level implements level(), the name of the level in force, and level(name), which asks for another one.
func (le *levels) level(L call) int {
	if L.GetTop() == 0 {
		le.rights.inWorld(L)
		L.charge(4 * changeCost)
		return L.pushText(world.LevelsOf(le.scene.world()).InForce().Name)
	}
	le.rights.mayChange(L)
	name := L.text(1, "level: the name")
	L.charge(levelCost)
	if err := world.LevelsOf(le.scene.world()).Change(name); err != nil {
		L.RaiseError("level: %s", err.Error())
	}
	return 0
}

// enter is scene.enter. It also makes the table arena that of the level in force.
func (vm *VM) enter(on world.Actor, a actor) {
	vm.scene.enter(on, a)
	if len(on.Schema().Setup.Levels) > 0 {
		l := world.LevelsOf(on).InForce()
		vm.env.setArena(vm.states.first(), l.Width, l.Height)
	}
}
