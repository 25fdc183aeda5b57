package world

import "slices"

// The blocks of a tick, in their sequence: the orders steer, the orders tick,
// contacts, departures.

// SteerBlock returns the block in which objects of an order get their inputs. The
// blocks of a tick are, in sequence: steering for each order, ticking for each order,
// contacts, removals.
func (s *Schema) SteerBlock(order int32) int { return orderAt(s, order) }

// TickBlock returns the block in which objects of an order tick.
func (s *Schema) TickBlock(order int32) int { return len(s.orders) + orderAt(s, order) }

// ContactBlock returns the block of contact hooks.
func (s *Schema) ContactBlock() int { return 2 * len(s.orders) }

// RemovalBlock returns the block in which objects that are removed run onRemove.
func (s *Schema) RemovalBlock() int { return s.ContactBlock() + 1 }

func (s *Schema) blocks() int { return s.RemovalBlock() + 1 }

// Orders returns the order values that classes have, ascending.
func (s *Schema) Orders() []int32 { return s.orders }

func orderAt(s *Schema, order int32) int {
	i, _ := slices.BinarySearch(s.orders, order)
	return i
}

// phase returns 1 while objects are steered, 2 while they tick, 3 in contacts, 4 in
// removals, and 0 before the blocks.
func (s *Schema) phase(block int) uint8 {
	switch {
	case block < 0:
		return 0
	case block < len(s.orders):
		return 1
	case block < s.ContactBlock():
		return 2
	case block == s.ContactBlock():
		return 3
	}
	return 4
}

// hooks returns the hooks that run in a block.
func (s *Schema) hooks(block int) HookSet {
	switch s.phase(block) {
	case 1:
		return 1<<ApplyInput | 1<<Think | 1<<Simulate | 1<<Verify
	case 2:
		return 1<<OnTick | 1<<OnGameTick | 1<<OnTimer
	case 3:
		return 1<<OnContact | 1<<OnContactEnd | 1<<OnTrigger | 1<<OnJointBreak
	}
	return 1 << OnRemove
}
