package host_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestNobodyOwnsForAPlayerWhoIsNotThere: an owner who does not exist is an error and no event. One who has left
// and may return is none.
func TestNobodyOwnsForAPlayerWhoIsNotThere(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, roomtest.Options(1, 2, memlink.LAN()))
	sim.Run(2 * time.Second)
	ship, objects := roomtest.OwnShip(t, sim, 1), sim.Host.State().Len()
	if err := sim.Host.SetOwner(ship, 77); !errors.Is(err, host.ErrNoPlayer) {
		t.Errorf("SetOwner: %v", err)
	}
	if _, err := sim.Host.Spawn("Ship", world.Placement{Owner: 77}, nil); !errors.Is(err, host.ErrNoPlayer) {
		t.Errorf("Spawn: %v", err)
	}
	sim.Leave(1)
	sim.Run(time.Second)
	s := sim.Host.State()
	slot, ok := s.Find(ship)
	if !ok || s.Objects[slot].Owner != 1 || s.Len() != objects {
		t.Errorf("the ship is there: %v, with %d objects of %d", ok, s.Len(), objects)
	}
	if err := sim.Host.SetOwner(ship, 2); err != nil {
		t.Errorf("SetOwner to a player who may return: %v", err)
	}
	sim.Run(time.Second)
	if s = sim.Host.State(); s.Objects[slot].Owner != 2 {
		t.Errorf("the owner is %d", s.Objects[slot].Owner)
	}
}
