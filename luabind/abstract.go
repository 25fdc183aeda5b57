package luabind

import "github.com/hindcast/hindcast/luabind/internal/syntax"

// Abstract returns the classes that others extend, and of which neither a file nor a level spawns objects: they may be
// written to be extended only.
func (p *Program) Abstract() (names []string) {
	spawned := map[string]bool{}
	for _, s := range p.setup.Spawns {
		spawned[s.Class] = true
	}
	for _, level := range p.setup.Levels {
		for _, s := range level.Spawns {
			spawned[s.Class] = true
		}
	}
	for _, f := range p.sources {
		tree, err := syntax.Parse(f)
		if err != nil {
			continue
		}
		// order: they are put into a set
		for name := range syntax.Spawnable(tree) {
			spawned[name] = true
		}
	}
	for i, c := range p.schema.Classes {
		if len(p.schema.Family(i)) > 1 && !spawned[c.Name] {
			names = append(names, c.Name)
		}
	}
	return names
}
