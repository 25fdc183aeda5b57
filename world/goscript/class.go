package goscript

import (
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Class is a class of objects: its fields and inputs, and its hooks.
type Class struct {
	Hooks
	Fields

	extends *Class // nil: none
}

// Hooks are the hooks of a class. All are optional. self is the object whose hook runs.
type Hooks struct {
	// OnSpawn is called once, when the object has been spawned with its fields.
	OnSpawn func(a Actor, self Object)
	// ApplyInput is called once per tick with the input of the object's owner, or
	// of Think. The input is valid during the call.
	ApplyInput func(a Actor, self Object, in *world.Input)
	// Simulate takes the place of ApplyInput in an Independent class: it is called
	// for each frame of the owner, which lasted seconds.
	Simulate func(a Actor, self Object, in *world.Input, seconds float64)
	// Verify reports whether an owner pose is accepted, for a class with Moves.
	Verify func(a Actor, self Object, claimed world.Placement) bool
	// Think returns the input of an object that no player owns.
	Think func(a Actor, self Object) world.Input
	// Tick is called once per tick, after the inputs of all objects.
	Tick func(a Actor, self Object)
	// OnContact is called when two objects begin to touch, for both of them. The
	// normal of c points from self to other.
	OnContact func(a Actor, self, other Object, c *world.Contact)
	// OnContactEnd is called when two objects cease to touch.
	OnContactEnd func(a Actor, self, other Object)
	// OnTrigger is called when two objects, one of which is a sensor, begin to touch.
	OnTrigger func(a Actor, self, other Object)
	// OnJointBreak is called for both ends of a joint that broke, or of which an end
	// was removed. other is no object if that end is the world.
	OnJointBreak func(a Actor, self, other Object, b *world.JointBreak)
	// OnRemove is called at the end of the tick in which the object is removed.
	OnRemove func(a Actor, self Object)
	// Migrate fills the object's fields at a bundle switch. It sees and changes only
	// its own object.
	Migrate func(a Actor, self Object, old Old)
}

// set returns which hooks there are.
func (h *Hooks) set() (set world.HookSet) {
	return hookSet([]hooked{
		{world.OnSpawn, h.OnSpawn != nil},
		{world.ApplyInput, h.ApplyInput != nil},
		{world.Simulate, h.Simulate != nil},
		{world.Verify, h.Verify != nil},
		{world.Think, h.Think != nil},
		{
			world.OnTick,
			h.Tick != nil,
		},
		{world.OnContact, h.OnContact != nil},
		{world.OnContactEnd, h.OnContactEnd != nil},
		{world.OnTrigger, h.OnTrigger != nil},
		{world.OnJointBreak, h.OnJointBreak != nil},
		{world.OnRemove, h.OnRemove != nil},
		{world.OnMigrate, h.Migrate != nil},
	})
}

// set returns which hooks there are. Relevant is none of them.
func (h *GameHooks) set() world.HookSet {
	return hookSet(
		[]hooked{{world.OnStart, h.OnStart != nil}, {world.OnJoin, h.OnJoin != nil}, {world.OnLeave, h.OnLeave != nil},
			{world.OnGameTick, h.Tick != nil}, {world.OnMigrate, h.Migrate != nil}},
	)
}

type hooked struct {
	hook    world.Hook
	present bool
}

func hookSet(all []hooked) (set world.HookSet) {
	for _, h := range all {
		if h.present {
			set |= 1 << h.hook
		}
	}
	return set
}

// Button declares a button. Keys are what a viewer binds to it, such as "ArrowUp",
// "w" or "pad:a".
func (c *Class) Button(name string, keys ...string) Button {
	return Button{c.declared().addInput(world.InputField{Name: name, Keys: keys})}
}

// Axis declares an input that is a number from min to max. The range holds 0, which
// stands for no input. Keys are what a viewer binds to it, such as "mouse".
func (c *Class) Axis(name string, min, max float64, keys ...string) Axis {
	return Axis{c.declared().addInput(world.InputField{Name: name, Axis: true, Min: min, Max: max, Keys: keys})}
}

// Dynamic returns a body that forces and contacts move, with the defaults of Lua
// scripts: density 1 kg/m2, friction 0.3, full gravity. Change its Def as needed.
func Dynamic(shape physics.Shape) *world.BodySpec { return body(physics.Dynamic, shape) }

// Kinematic returns a body that moves at its velocity, whatever it touches.
func Kinematic(shape physics.Shape) *world.BodySpec { return body(physics.Kinematic, shape) }

// Static returns a body that does not move.
func Static(shape physics.Shape) *world.BodySpec { return body(physics.Static, shape) }

func body(t physics.BodyType, shape physics.Shape) *world.BodySpec {
	return &world.BodySpec{Def: physics.Def{Type: t, Shape: shape, Density: 1, Friction: 0.3, GravityScale: 1}}
}
