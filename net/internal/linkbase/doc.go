// Package linkbase has what the links of this module share: what they keep of the calls of
// their owner, which bytes can be sent, how much may wait, and the defaults of their options.
//
//	type Link struct {
//		linkbase.Calls
//		...
//	}
//
//	func (l *Link) Poll(now time.Duration, deliver func(ev link.Event)) {
//		if !l.Begin(now, deliver) {
//			return
//		}
//		defer l.End()
//		...
//	}
package linkbase
