package world

import (
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// MainLevel is the name of the level with which a match begins: the Walls and Spawns of the Setup itself.
const MainLevel = "main"

// MaxLevels is how many levels a game has at most, the main one included, and MaxWalls is how many walls all of them
// have together: each takes memory in every schema of the game.
const (
	MaxLevels = 64
	MaxWalls  = 2 * MaxObjects
)

// MaxLevelName is the longest name of a level, in bytes.
const MaxLevelName = 32

// Level is one of several sets of walls and objects. A room holds one at a time.
type Level struct {
	Name   string  `json:"name"`   // at most MaxLevelName bytes, and not MainLevel
	Width  float64 `json:"width"`  // of the arena that viewers show, metres, centre at 0, 0
	Height float64 `json:"height"` // of the arena, metres
	Walls  []Wall  `json:"walls,omitempty"`
	Spawns []Spawn `json:"spawns,omitempty"`
}

// Level returns a level by its name; ok is false if there is none.
func (s *Setup) Level(name string) (l Level, ok bool) {
	return s.level(slices.Index(s.LevelNames(), name))
}

// level returns a level by its number, from 0 for the main one.
func (s *Setup) level(number int) (l Level, ok bool) {
	switch {
	case number == 0:
		return Level{MainLevel, s.Width, s.Height, s.Walls, s.Spawns}, true
	case number > 0 && number <= len(s.Levels):
		return s.Levels[number-1], true
	}
	return l, false
}

// LevelNames returns the names of all levels, the main one first.
func (s *Setup) LevelNames() (names []string) {
	for _, l := range s.levels() {
		names = append(names, l.Name)
	}
	return names
}

// levels returns all levels, the main one first.
func (s *Setup) levels() []Level {
	return append([]Level{{MainLevel, s.Width, s.Height, s.Walls, s.Spawns}}, s.Levels...)
}

// firstWall returns how many walls there are in the levels before one.
func (s *Setup) firstWall(level string) (n int) {
	for _, l := range s.levels() {
		if l.Name == level {
			break
		}
		n += len(l.Walls)
	}
	return n
}

// checkLevels returns an error if a level is invalid.
func (s *Setup) checkLevels() error {
	if len(s.Levels) >= MaxLevels {
		return fmt.Errorf("%d levels: at most %d", len(s.Levels)+1, MaxLevels)
	}
	names := map[string]bool{}
	walls, spawns := 0, 0
	for _, l := range s.levels() {
		if walls, spawns = walls+len(l.Walls), spawns+len(l.Spawns); walls > MaxWalls || spawns > MaxObjects {
			return fmt.Errorf("%sthe levels up to this one have %d walls and %d spawns: at most %d and %d", l.inLevel(),
				walls, spawns, MaxWalls, MaxObjects)
		}
		if l.Name == "" || len(l.Name) > MaxLevelName || names[l.Name] {
			return fmt.Errorf("level %q: the name of a level must be 1 to %d bytes, and its own", l.Name, MaxLevelName)
		}
		names[l.Name] = true
		if err := l.check(s.MostObjects()); err != nil {
			return fmt.Errorf("%s%w", l.inLevel(), err)
		}
	}
	return nil
}

// check returns an error if the level is invalid in a room of so many objects.
func (l *Level) check(most int) error {
	if !(l.Width > 0 && l.Width <= 1e5) || !(l.Height > 0 && l.Height <= 1e5) {
		return fmt.Errorf("arena of %v x %v m: each side must be above 0 and at most 1e5", l.Width, l.Height)
	}
	total := 0
	for i, sp := range l.Spawns {
		if sp.Count < 0 || sp.Count > MaxObjects {
			return fmt.Errorf("spawn %d (%s): count = %d: must be 0 to %d", i+1, sp.Class, sp.Count, MaxObjects)
		}
		if err := checkEventValues(sp.Fields); err != nil {
			return fmt.Errorf("spawn %d (%s): %w", i+1, sp.Class, err)
		}
		total += sp.Count
	}
	if total+len(l.Walls) >= most {
		return fmt.Errorf("the level holds %d objects: the room holds %d, the game itself included",
			total+len(l.Walls), most)
	}
	return nil
}

// inLevel returns the beginning of errors about the level; "" for the main one.
func (l *Level) inLevel() string {
	if l.Name == MainLevel {
		return ""
	}
	return "level " + l.Name + ": "
}

// has reports whether objects of a class are spawned by the level.
func (l *Level) has(class string) bool {
	return slices.ContainsFunc(l.Spawns, func(sp Spawn) bool { return sp.Class == class })
}

// The fields of the game object that keep which level is in force, as a number in the order of Setup.LevelNames, and
// which one comes when the tick ends: its number plus 1, or 0 for none.
const (
	levelInForce = iota
	levelToCome
	levelWords
)

// levelFields returns these fields.
func levelFields() []Field {
	field := func(name string) Field { return Field{Name: name, Kind: Number, Step: 1, Aux: true, Show: ShowStep} }
	return []Field{field("level in force"), field("level to come")}
}

// LevelIn returns the level that is in force according to the row of the game object; the main one if the fields are
// not known.
func LevelIn(s *Schema, game Row) Level {
	l, _ := s.Setup.level(levelNumber(s, game, levelInForce))
	return l
}

// levelNumber returns a field of levelFields from the row of the game object; 0 if the fields are not known.
func levelNumber(s *Schema, game Row, which int) int {
	if !game.Known() {
		return 0
	}
	c := gameClass(s)
	return int(wholeOf(game.Word(&c.Fields[levelField(c, which)]), math.MaxInt32))
}

// levelField returns the index of a field of levelFields in the Fields of the game's class.
func levelField(game *Class, which int) int {
	return len(game.Declared()) + timerWords*len(game.Timers) + which
}

// levelOf returns the number of the level that is in force in a state. Before the first tick that is the main one.
func levelOf(s *State, schema *Schema) int {
	slot, ok := s.Find(MatchID)
	if !ok {
		return 0
	}
	return levelNumber(schema, s.Row(slot), levelInForce)
}

// Levels are the levels of a game, for the acting object. They are a value.
type Levels struct{ a Actor }

// LevelsOf returns the levels for the acting object.
func LevelsOf(a Actor) Levels { return Levels{a} }

// InForce returns the level in force.
func (l Levels) InForce() Level {
	w := l.a.w
	level, _ := w.Schema().Setup.level(levelOf(w.Now, w.Schema()))
	return level
}

// Change asks for a level by its name. When the tick ends, the walls are replaced, and objects that nobody owns are
// removed if their class is among the Spawns of the old level or the new one. Then the new level's objects are
// spawned, and OnStart of the game is called. Of several that are asked for in a tick, the last counts. The level in
// force begins anew. It returns an error that wraps ErrValue for an unknown name, and ErrReadOnly if the Actor is
// that of a Reader.
func (l Levels) Change(name string) error {
	s := l.a.w.Schema()
	i := slices.Index(s.Setup.LevelNames(), name)
	if i < 0 {
		return fmt.Errorf("%w: no level %q; there are %s", ErrValue, name, Listed(s.Setup.LevelNames()))
	}
	return l.a.Do(Op{
		Target: MatchID,
		Kind:   SetWord,
		Field:  levelField(gameClass(s), levelToCome),
		Word:   NumberBits(float64(i + 1)),
	})
}

// levelToCome returns the number of the level that was asked for in this tick.
func (w *World) levelToCome() (number int, ok bool) {
	slot, here := w.Match()
	if !here {
		return 0, false
	}
	n := levelNumber(w.Schema(), w.Now.Row(slot), levelToCome)
	return n - 1, n > 0
}

// LevelToCome reports whether a level was asked for in this tick.
func (w *World) LevelToCome() bool {
	_, ok := w.levelToCome()
	return ok
}

// BeginLevel begins the level that was asked for in this tick, after its End. spawned is as in SpawnLevel. The tick can
// be run again only as a whole.
func (w *World) BeginLevel(spawned func(slot int, e *Event)) {
	game, _ := w.Match()
	from := LevelsOf(w.Actor()).InForce()
	number, _ := w.levelToCome()
	to, _ := w.Schema().Setup.level(number)
	w.progress.resume()
	w.rec.onlyWhole()
	w.clear(func(class string) bool { return class == WallClass || from.has(class) || to.has(class) })
	w.BeginOrder()
	w.setLevel(game, number)
	w.spawnWalls(game, to)
	w.spawnObjects(game, to.Spawns, spawned)
	w.EndOrder()
}

// setLevel says which level is in force.
func (w *World) setLevel(game, number int) {
	w.touch(game)
	c, row := w.Class(game), w.editRow(game)
	row.SetWord(&c.Fields[levelField(c, levelInForce)], NumberBits(float64(number)))
	row.SetWord(&c.Fields[levelField(c, levelToCome)], NumberBits(0))
	w.Now.Rows.putAux(game, c, row.Aux)
}

// clear removes the objects of some classes that nobody owns.
func (w *World) clear(goes func(class string) bool) {
	for _, slot := range slices.Clone(w.Now.Run) {
		if o := &w.Now.Objects[slot]; o.Owner == 0 && goes(w.Class(int(slot)).Name) {
			w.takeOut(int(slot))
		}
	}
}

// SpawnLevel spawns the game object and the main level in the empty world, at the beginning
// of tick 1. The game object is the spawner of walls and objects. spawned is called for
// each object of the level's spawns. Its event describes the object as a SpawnEvent of the host
// program would; it is nil for an object of which the level sets no field.
func (w *World) SpawnLevel(spawned func(slot int, e *Event)) {
	ci, _ := w.Schema().ClassByName(GameClass)
	game := w.place(MatchID, ci, w.Schema().Classes[ci].DefIndex(), Placement{}, 0)
	main, _ := w.Schema().Setup.Level(MainLevel)
	w.spawnWalls(game, main)
	w.spawnObjects(game, main.Spawns, spawned)
}

// spawnWalls spawns the walls of a level.
func (w *World) spawnWalls(game int, l Level) {
	defer w.Act(w.Act(game))
	class, _ := w.Schema().ClassByName(WallClass)
	first := w.Schema().Setup.firstWall(l.Name)
	for i, wl := range l.Walls {
		slot, err := w.spawn(class, wallDef(w.Schema(), first+i), Placement{Pose: physics.Pose{
			X:     wl.X,
			Y:     wl.Y,
			Angle: wl.Angle,
		}})
		if err != nil {
			w.Fault(game, OnStart, err)
			return
		}
		w.Now.Rows.flat(slot)[0] = NumberBits(float64(first + i))
	}
}

// spawnObjects spawns the objects of a level.
func (w *World) spawnObjects(game int, groups []Spawn, spawned func(slot int, e *Event)) {
	defer w.Act(w.Act(game))
	for i := range groups {
		w.spawnGroup(&groups[i], game, spawned)
	}
}

func (w *World) spawnGroup(sp *Spawn, game int, spawned func(slot int, e *Event)) {
	for range sp.Count {
		p := Placement{Pose: physics.Pose{X: sp.X, Y: sp.Y}}
		if sp.W > 0 || sp.H > 0 {
			p.X += float64((w.random() - 0.5) * sp.W)
			p.Y += float64((w.random() - 0.5) * sp.H)
			p.Angle = float64((w.random()-0.5)*2) * math.Pi
		}
		if sp.Speed > 0 {
			s, c := detmath.Sincos(w.random() * 2 * math.Pi)
			p.VX, p.VY = float64(sp.Speed*c), float64(sp.Speed*s)
		}
		slot, err := w.Spawn(sp.Class, p)
		if err != nil {
			w.Fault(game, OnStart, err)
			return
		}
		if len(sp.Fields) == 0 {
			spawned(slot, nil)
			continue
		}
		row := w.editRow(slot)
		if err := setValues(w.Class(slot), row, sp.Fields); err != nil {
			w.Fault(game, OnStart, err) // checkSpawns has refused all that could fail
		}
		w.Now.Rows.putAux(slot, w.Class(slot), row.Aux)
		spawned(slot, &Event{Tick: w.Now.Tick, Kind: SpawnEvent, Class: sp.Class, Place: p, Values: sp.Fields})
	}
}

// checkSpawns returns an error for a level entry that names an unknown class, or sets a field that
// its class does not have or that takes other values.
func checkSpawns(s *Schema) error {
	for _, l := range s.Setup.levels() {
		for i, sp := range l.Spawns {
			if _, ok := s.ClassByName(sp.Class); !ok {
				return fmt.Errorf("%sspawn %d: no class %q; the scripts declare %s", l.inLevel(), i+1, sp.Class,
					Listed(scriptClasses(s)))
			}
			if err := sp.check(s); err != nil {
				return fmt.Errorf("%sspawn %d: %w", l.inLevel(), i+1, err)
			}
		}
	}
	return nil
}

// check returns an error if the objects cannot be spawned.
func (sp *Spawn) check(s *Schema) error {
	ci, _ := s.ClassByName(sp.Class)
	p := Placement{
		Pose:     physics.Pose{X: max(math.Abs(sp.X), sp.W), Y: max(math.Abs(sp.Y), sp.H)},
		Velocity: physics.Velocity{VX: sp.Speed},
	}
	if err := checkBody(s, ci, &p); err != nil {
		return err
	}
	return setValues(&s.Classes[ci], freshRow(&s.Classes[ci]).Clone(), sp.Fields)
}

// Match returns the slot of the object behind game.lua, which has the state of the match.
func (w *World) Match() (slot int, ok bool) { return w.Find(MatchID) }

// wallFields returns the field of WallClass. It is the number of the wall, counted over all levels from 0. Each wall
// has a Def of its own.
func wallFields() []Field {
	return []Field{{Name: "wall", Kind: Number, Step: 1, Show: ShowStep}}
}

// wallDef returns the index of the Def of wall i, counted over all levels. Those of walls follow
// those of classes.
func wallDef(s *Schema, i int) uint32 { return uint32(len(s.Classes) + i) }

// moveWall adds by to the number of a wall in its row.
func moveWall(row Row, by int) {
	row.State[0] = NumberBits(math.Float64frombits(row.State[0]) + float64(by))
}
