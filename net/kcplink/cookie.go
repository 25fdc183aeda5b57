package kcplink

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/netip"
	"time"
)

const (
	cookieBucket = 10 * time.Second // a cookie is valid for this long, and at most for twice as long
	secretLife   = 10 * time.Minute // a random secret is used for this long
)

// jar makes and checks cookies without keeping any. A cookie is a keyed hash of the
// address that it was sent to, so a client that shows it receives at that address.
type jar struct {
	macs    [2]hash.Hash // keyed with the present secret and the one before, which may be nil
	fixed   bool
	renewAt time.Duration
	msg     [1 + 16 + 2 + 8 + 8]byte
	sum     [sha256.Size]byte
}

// newJar returns a jar with a fixed secret or, if that is empty, with random ones that
// change.
func newJar(secret []byte) *jar {
	if len(secret) > 0 {
		return &jar{macs: [2]hash.Hash{hmac.New(sha256.New, secret)}, fixed: true}
	}
	return &jar{macs: [2]hash.Hash{randomMAC()}, renewAt: secretLife}
}

func randomMAC() hash.Hash {
	key := make([]byte, sha256.Size)
	rand.Read(key) // its documentation says that it never fails
	return hmac.New(sha256.New, key)
}

// What a hash is for: a cookie is not valid as a path token.
const (
	forCookie byte = 'c'
	forPath   byte = 'p'
)

// cookie returns the proof for a client at addr with a nonce.
func (j *jar) cookie(now time.Duration, addr netip.AddrPort, nonce uint64) cookie {
	j.renew(now)
	return cookie(j.hash(j.macs[0], forCookie, addr, nonce, bucketOf(now)))
}

// checkCookie reports whether c was made for addr and nonce in this bucket or the one
// before.
func (j *jar) checkCookie(now time.Duration, addr netip.AddrPort, nonce uint64, c cookie) bool {
	return j.check(now, forCookie, addr, nonce, c[:])
}

// pathToken returns the proof that the peer with a connection id receives at addr.
func (j *jar) pathToken(now time.Duration, addr netip.AddrPort, id uint64) [8]byte {
	j.renew(now)
	return [8]byte(j.hash(j.macs[0], forPath, addr, id, bucketOf(now)))
}

func (j *jar) checkPath(now time.Duration, addr netip.AddrPort, id uint64, token []byte) bool {
	return j.check(now, forPath, addr, id, token)
}

func (j *jar) check(now time.Duration, use byte, addr netip.AddrPort, value uint64, got []byte) bool {
	j.renew(now)
	for _, mac := range j.macs {
		if mac == nil {
			continue
		}
		for _, bucket := range [2]uint64{bucketOf(now), bucketOf(now) - 1} {
			want := j.hash(mac, use, addr, value, bucket)
			if hmac.Equal(want[:len(got)], got) {
				return true
			}
		}
	}
	return false
}

func (j *jar) renew(now time.Duration) {
	if j.fixed || now < j.renewAt {
		return
	}
	j.macs[1], j.macs[0] = j.macs[0], randomMAC()
	j.renewAt = now + secretLife
}

// hash returns 16 bytes that are valid until the next call.
func (j *jar) hash(mac hash.Hash, use byte, addr netip.AddrPort, value, bucket uint64) []byte {
	ip := addr.Addr().As16()
	b := append(j.msg[:0], use)
	b = append(b, ip[:]...)
	b = binary.LittleEndian.AppendUint16(b, addr.Port())
	b = binary.LittleEndian.AppendUint64(b, value)
	b = binary.LittleEndian.AppendUint64(b, bucket)
	mac.Reset()
	mac.Write(b)
	return mac.Sum(j.sum[:0])[:cookieSize]
}

func bucketOf(now time.Duration) uint64 { return uint64(now / cookieBucket) }
