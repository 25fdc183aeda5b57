package journey

type keys struct{}

func (keys) sample() int { return scan() }
