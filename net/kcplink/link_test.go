package kcplink

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
)

func TestLink(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Network {
		host, err := Listen("127.0.0.1:0", Options{Check: true})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		return linktest.Network{
			Host: host,
			Dial: func() link.Link {
				client, err := Dial(host.LocalAddr().String(), Options{Check: true})
				if err != nil {
					t.Fatal(err)
				}
				return client
			},
			Step: func() time.Duration {
				time.Sleep(2 * time.Millisecond)
				return time.Since(began)
			},
		}
	})
}
