package journey

func receive() []int { return nil }
