package runtime

// Bundles is how many bundles the client keeps.
func (c *Client) Bundles() int { return len(c.library.known) }
