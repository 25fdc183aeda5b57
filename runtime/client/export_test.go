package client

// Bundles returns how many bundles the client keeps.
func (c *Client) Bundles() int { return len(c.end.library.known) }
