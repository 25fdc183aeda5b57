package world

import (
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Hook names a moment at which an object's script may act.
type Hook uint8

// The hooks of an object, then those of game.lua.
const (
	OnSpawn Hook = iota
	ApplyInput
	Think
	OnTick
	OnContact
	OnContactEnd
	OnTrigger
	OnJointBreak
	OnRemove
	OnStart
	OnJoin
	OnLeave
	OnGameTick
	OnMigrate // at a bundle switch, of an object and of game.lua
	Simulate  // for each frame of its owner, of an object that ticks independently
	Verify    // of an object with owner authority: decides about an owner pose
	HookCount // at most 16: HashObject has no room for more
)

// OnTimer takes the place of a hook for the functions of timers. Objects count the failures of each of them by itself:
// see FaultCounts.
const OnTimer = HostEvent + 1

// HookKinds is how many values of Hook there are: the hooks, and what takes the place of one.
const HookKinds = OnTimer + 1

// HostEvent takes the place of a hook in host events: with it a Script is called to run a
// function of game.lua (CallEvent), and a Fault in a host event has it as its Hook. Objects do
// not count its failures, and it is never paused.
const HostEvent = HookCount

// String returns the hook's name as a script writes it.
func (h Hook) String() string {
	return [HookKinds]string{
		"onSpawn", "applyInput", "think", "tick", "onContact", "onContactEnd", "onTrigger", "onJointBreak", "onRemove",
		"onStart", "onJoin", "onLeave", "tick", "migrate", "simulate", "verify", "host", "timer",
	}[h]
}

// Of returns the name of the hook as the scripts write it for a class: Class:hook, or hook for game.lua.
func (h Hook) Of(class string) string {
	if HoldsState(class) {
		return h.String()
	}
	return class + ":" + h.String()
}

// HookSet is a set of hooks: bit h stands for Hook h.
type HookSet uint32

// Has reports whether h is in the set.
func (s HookSet) Has(h Hook) bool { return s&(1<<h) != 0 }

// FieldKind is the type of a script field.
type FieldKind uint8

// The kinds of script fields and how many 64-bit words each takes.
const (
	Number FieldKind = iota // float64 bits, 1 word
	Bool                    // 0 or 1, 1 word
	Ref                     // an ObjectID, 1 word
	String                  // a length, then bytes: 1 + Cap/8 words rounded up
	Count                   // how many items a list has, 1 word; see AppendList
)

// MaxString is the largest capacity of a string field, in bytes.
const MaxString = 64

// Show says how viewers show a field between two states.
type Show uint8

// The ways to show a field. Numbers are interpolated by default; all other fields step.
const (
	ShowLerp     Show = iota // on the straight line between the two values
	ShowStep                 // the older value until the newer one is due
	ShowShortest             // an angle: the shorter way round
	ShowFunction             // what a function of the script returns; see ShowFunctions
)

// Field is one declared field of an object's state or aux. Lists and records are laid out
// as a field for each of their leaves, with names such as "slot.count", "#hits" and
// "hits[3]".
type Field struct {
	Name    string // as the script declares it
	Kind    FieldKind
	Cap     int      // String: most bytes it holds; Count: most items
	Aux     bool     // declared in aux: seldom changes
	Offset  int      // of its first word in its part of the object's row: see Row.Part
	Default []uint64 // its words in a new object; nil: zeros
	// Min and Max, if Min is below Max, and Step, if above 0, limit and round a number
	// when it is written.
	Min, Max, Step float64
	Show           Show
	ShowWith       int // with ShowFunction: the number of the function among those of the class, from 1
	Sent           Audience

	// Leaves, of a Count, is how many fields an item has. They follow it, item
	// by item.
	Leaves int
	// List, of a field of an item, is how many fields further up the list's
	// Count stands, 0 for no item; Item is the item's number, from 1.
	List, Item int
}

// Words returns how many words of the row the field takes.
func (f *Field) Words() int {
	if f.Kind == String {
		return 1 + (f.Cap+7)/8
	}
	return 1
}

// BodySpec is the body of a class as declared: a physics.Def except for its layers, which
// have names. An empty Layer is "default"; a nil Collides collides with all layers, an empty one with none.
type BodySpec struct {
	Def      physics.Def
	Layer    string
	Collides []string // nil: everything; empty: nothing
	Carried  bool     // its objects can be attached to others
}

// Moves reports whether a velocity moves the body: it is dynamic or kinematic.
func (b *BodySpec) Moves() bool { return b.Def.Type != physics.Static }

// Pushable reports whether forces move the body: it is dynamic.
func (b *BodySpec) Pushable() bool { return b.Def.Type == physics.Dynamic }

// Class is what a script, or the level, declares about a kind of object.
type Class struct {
	Name    string // as the script declares it, at most MaxClassName bytes
	Extends string // the name of the class that it extends; "": none
	Order   int32  // lower runs first
	Inputs  InputFields
	Fields  []Field
	Body    *BodySpec // nil: no body
	Hooks   HookSet
	Timers  []string // the names of its timers, sorted; at most MaxTimers. A class that has some has OnTimer in Hooks
	Look    Look
	// Seen makes asSeen show objects of the class where the player's client showed
	// them; nil: asSeen shows them where they are.
	Seen  *SeenRules
	LOD   LOD        // how clients handle its objects
	Moves *MoveRules // the owner decides where the object is, within these rules; nil: the simulation does
	// Independent makes Simulate run for each frame of the owner's client, in place of
	// ApplyInput and Think. With Moves, frames move the object on that client alone, which
	// sends where it is.
	// Source: "Network Prediction Plugin Overview" (Epic Games), independent ticking.
	Independent bool

	// Ranges limits which objects of a replicated class a client receives, and which of a predicted class it
	// predicts.
	Ranges Ranges
	// Correct are the class's own thresholds of corrections; nil: those of the game.
	Correct *CorrectRules

	layout layout   // of a schema's class
	line   []string // of a schema's class: its name, and those of the classes that it extends
}

// Ranges are distances from the objects of a player, in metres; 0: no limit of the class's own.
type Ranges struct {
	Hidden    bool    // a client receives only the objects that the relevancy hook allows
	Relevant  float64 // the player's client receives objects of a replicated class within it
	Predicted float64 // the player's client culls objects of a predicted class beyond it
}

// Is reports whether a class of a schema has a name, or extends one that has it.
func (c *Class) Is(name string) bool { return slices.Contains(c.line, name) }

// Declared returns the fields that the script declares. Those of a schema's class have others
// after them, which the engine keeps and no script can name.
func (c *Class) Declared() []Field { return c.Fields[:len(c.Fields)-c.layout.hidden] }

// Steered reports whether the objects of the class take their owner's inputs.
func (c *Class) Steered() bool { return c.Hooks.Has(ApplyInput) || c.Independent }

// Field returns a declared field by name.
func (c *Class) Field(name string) (*Field, bool) {
	for i := range c.Declared() {
		if c.Fields[i].Name == name {
			return &c.Fields[i], true
		}
	}
	return nil, false
}

// MaxRange is the largest of Ranges, in metres: across the world.
const MaxRange = 2e5

// MaxClassName is the longest name of a class, in bytes.
const MaxClassName = 64

// GameClass, WallClass and JointClass are the names of the classes that every
// schema has: the object behind game.lua, the static boxes of the level, and
// the objects that stand for joints. A schema that declares PlayerClass has an object of it for
// each player of the room.
const (
	GameClass   = "game"
	PlayerClass = "player"
	WallClass   = "Wall"
	JointClass  = "Joint"
)

// BuiltIn reports whether a class is one that scripts do not spawn.
func BuiltIn(class string) bool {
	return HoldsState(class) || class == WallClass || class == JointClass
}

// HoldsState reports whether the objects of a class hold the state of the match or that of a player.
// They have no body, everybody is sent them, and scripts cannot remove them or give them away.
func HoldsState(class string) bool { return class == GameClass || class == PlayerClass }

// Schema has all declarations of the classes of one bundle and its level. It is immutable,
// and shared by the states of many ticks.
type Schema struct {
	Classes   []Class
	Defs      []physics.Def // a class's own Def first, then one a wall
	Setup     Setup
	stride    int
	layers    layers
	byName    map[string]int
	joint     uint16   // the class of joints
	game      uint16   // the class of the match
	proxyDefs []uint32 // by class: the Def of its proxies
	families  [][]int  // by class: it, and those that extend it
	partial   bool     // there are classes that clients do not simulate
	orders    []int32  // that classes have, ascending
	walls     int      // of all levels
	seen      bool     // some class has Seen

	// Functions are those that the host program may call, sorted by name.
	Functions Functions
	Teams     []Option // the teams that players can be in, by name; only viewers read them
}

// NewSchema checks the classes against each other and the level, and lays out their state. It
// returns an error that names the class at fault.
// It adds the class "game" if the script does not declare it. functions are those that the host
// program may call.
func NewSchema(classes []Class, setup Setup, functions ...Function) (*Schema, error) {
	if err := setup.Check(); err != nil {
		return nil, err
	}
	s := &Schema{Setup: setup, byName: map[string]int{}, Functions: slices.Clone(functions)}
	s.Classes = slices.Clone(classes)
	if !slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Name == GameClass }) {
		s.Classes = append(s.Classes, Class{Name: GameClass})
	}
	s.joint = uint16(len(s.Classes))
	s.Classes = append(s.Classes, jointClass(), Class{Name: WallClass, Look: Look{Shape: "body", Color: "#567"}})
	if len(s.Classes) > math.MaxUint16 {
		return nil, fmt.Errorf("%d classes: at most %d", len(s.Classes), math.MaxUint16)
	}
	for i := range s.Classes {
		c := &s.Classes[i]
		if len(c.Name) > MaxClassName {
			return nil, fmt.Errorf("class name %q...: at most %d bytes", c.Name[:MaxClassName], MaxClassName)
		}
		if _, twice := s.byName[c.Name]; twice {
			return nil, fmt.Errorf("class %q is declared twice, or has a name that is taken (%s, %s, %s)", c.Name,
				GameClass, WallClass, JointClass)
		}
		s.byName[c.Name] = i
		if err := checkClass(c); err != nil {
			return nil, err
		}
		if c.Name == GameClass {
			c.Order = math.MaxInt32 // game.lua's tick comes last
			s.game = uint16(i)
		}
		s.orders = append(s.orders, c.Order)
		s.seen = s.seen || c.Seen != nil
		c.layOut()
		if err := checkWords(c); err != nil {
			return nil, err
		}
		s.stride = max(s.stride, c.layout.flat)
	}
	s.findFamilies()
	slices.Sort(s.orders)
	s.orders = slices.Compact(s.orders)
	var err error
	if s.layers, err = layersOf(s.Classes); err != nil {
		return nil, err
	}
	if err := s.addBodies(); err != nil {
		return nil, err
	}
	if err := s.addProxyDefs(); err != nil {
		return nil, err
	}
	return s, checkSpawns(s)
}

// Layers returns the names of all layers, sorted.
func (s *Schema) Layers() []string { return slices.Clone(s.layers) }

// LayerMask returns the set of the named layers as bits. No name means all layers. It returns an
// error for a layer that no class is on.
func (s *Schema) LayerMask(names ...string) (uint64, error) {
	if len(names) == 0 {
		names = nil
	}
	return s.layers.mask(names)
}

func (s *Schema) addBodies() error {
	for i := range s.Classes {
		c := &s.Classes[i]
		c.layout.def = uint32(len(s.Defs))
		var d physics.Def
		if c.Body != nil {
			d = c.Body.Def
			layer := c.Body.Layer
			if layer == "" {
				layer = DefaultLayer
			}
			d.Layer, _ = s.LayerMask(layer)
			d.Collides, _ = s.layers.mask(c.Body.Collides)
			if err := d.Prepare(); err != nil {
				return &ClassError{c.Name, fmt.Errorf("body: %w", err)}
			}
		}
		s.Defs = append(s.Defs, d)
	}
	for _, l := range s.Setup.levels() {
		for i, wl := range l.Walls {
			d := physics.Def{Type: physics.Static, Shape: physics.BoxShape(wl.W, wl.H),
				Friction: wl.Friction, Restitution: wl.Restitution, Collides: math.MaxUint64}
			d.Layer, _ = s.LayerMask(WallLayer)
			if err := d.Prepare(); err != nil {
				return fmt.Errorf("%swall %d: %w", l.inLevel(), i+1, err)
			}
			s.Defs = append(s.Defs, d)
			s.walls++
		}
	}
	return nil
}

// BodyDef returns the index of the Def of an object of a class, which has these fields. A wall whose fields are not
// known has none: the Def has the Type physics.None.
func BodyDef(s *Schema, class *Class, row Row) uint32 {
	if class.Name != WallClass || !row.Known() {
		return class.DefIndex()
	}
	n := math.Float64frombits(row.State[0])
	if !(n >= 0 && n < float64(s.walls)) {
		return class.DefIndex() // no body: the row is from somebody else
	}
	return wallDef(s, int(n))
}

// gameClass returns the class of the match.
func gameClass(s *Schema) *Class { return &s.Classes[s.game] }

func scriptClasses(s *Schema) []string {
	var names []string
	for _, c := range s.Classes {
		if !BuiltIn(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// checkPlacement returns an error if an object of a class cannot be spawned with a
// placement.
func checkPlacement(s *Schema, class int, p *Placement) error {
	if err := p.Check(); err != nil {
		return err
	}
	return checkBody(s, class, p)
}

// checkBody returns an ErrBody if a placement has a position for a class without a
// body.
func checkBody(s *Schema, class int, p *Placement) error {
	c := &s.Classes[class]
	if s.Defs[c.DefIndex()].Type != physics.None || p.Pose == (physics.Pose{}) && p.Velocity == (physics.Velocity{}) {
		return nil
	}
	return fmt.Errorf(
		"%w: class %s has no body, so a spawn cannot set its position or velocity: declare a body, or fields",
		ErrBody, c.Name)
}

// spawnable returns the index of a class of which objects can be spawned.
func spawnable(s *Schema, class string) (int, error) {
	ci, ok := s.ClassByName(class)
	if !ok || BuiltIn(class) {
		return 0, fmt.Errorf("%w: %q; the scripts declare %s", ErrNoClass, class, Listed(scriptClasses(s)))
	}
	return ci, nil
}

// jointClass returns the index of the class of joints.
func (s *Schema) jointClass() int { return int(s.joint) }

// rowWords returns how many words the row of an object has, besides its aux fields.
func (s *Schema) rowWords() int { return s.stride }

// isJoint reports whether a class is that of joints.
func (s *Schema) isJoint(class uint16) bool { return class == s.joint }

// findFamilies finds the classes that each class extends, and those that extend it.
func (s *Schema) findFamilies() {
	s.families = make([][]int, len(s.Classes))
	for i := range s.Classes {
		c := &s.Classes[i]
		c.line = nil
		// Classes may extend each other in a ring.
		for at, ok := i, true; ok && !slices.Contains(s.families[at], i); at, ok = s.ClassByName(s.Classes[at].Extends) {
			s.families[at] = append(s.families[at], i)
			c.line = append(c.line, s.Classes[at].Name)
		}
	}
}

// Family returns the indices of a class and of those that extend it, ascending. They must not be changed.
func (s *Schema) Family(class int) []int { return s.families[class] }

// ClassByName returns the index of a class in Classes.
func (s *Schema) ClassByName(name string) (int, bool) {
	i, ok := s.byName[name]
	return i, ok
}
