package kinds

func newRole(k Kind) int {
	if k == Spectator {
		return 1
	}
	return 2
}
