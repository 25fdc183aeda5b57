package journey

func scan() int { return 1 }
