package main

// tick is the length of a step, seconds.
const tick = 1.0 / 60

// An engine holds one scene and moves it.
type engine interface {
	step()
	// at is where a body of the scene is now.
	at(i int) (x, y, angle float64)
	// mass is that of a dynamic body, kilograms.
	mass(i int) float64
}

// A maker builds a scene in an engine.
type maker struct {
	name string
	make func(*scene) engine
}

// makers returns the engines compared; ours is the first.
func makers() []maker {
	return []maker{{"ours", newOurs}, {"cp", newChipmunk}, {"box2d", newBox2D}}
}
