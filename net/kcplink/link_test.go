package kcplink

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/hindcast/hindcast/net/memlink"
)

func TestLink(t *testing.T) {
	bad := memlink.Profile{Delay: 20 * time.Millisecond, Jitter: 15 * time.Millisecond, Loss: 0.1, Duplicate: 0.05, Reorder: 0.1}
	options := Options{Protocol: 1, Check: true, KeepAlive: 200 * time.Millisecond, Timeout: time.Second, DialTimeout: time.Second / 2}
	linktest.Run(t, func(t *testing.T) linktest.Network {
		host, err := Listen("127.0.0.1:0", options)
		if err != nil {
			t.Fatal(err)
		}
		lines := map[link.Link][]*memlink.Shaper{}
		dial := func(profile memlink.Profile) link.Link {
			up, down := memlink.NewShaper(profile, 1), memlink.NewShaper(profile, 2)
			with := options
			with.Up, with.Down = up, down
			client, err := Dial(host.LocalAddr().String(), with)
			if err != nil {
				t.Fatal(err)
			}
			lines[client] = []*memlink.Shaper{up, down}
			return client
		}
		return linktest.Network{
			Host:    host,
			Dial:    func() link.Link { return dial(memlink.Off()) },
			DialBad: func() link.Link { return dial(bad) },
			Cut: func(client link.Link) {
				for _, s := range lines[client] {
					s.Cut(true)
				}
			},
			Step:  linktest.RealTime(),
			Apart: true,
		}
	})
}
