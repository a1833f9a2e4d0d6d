package client

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
)

// unprovenError says that an address in a lock file is not shown to be that of the
// daemon that holds the lock, so that no token is sent there.
type unprovenError struct {
	Address string
	Why     string
}

func (e *unprovenError) Error() string {
	return fmt.Sprintf("the lock file names %s, to which no token is sent: %s", e.Address, e.Why)
}

// Prove returns an error that says why a token must not be sent to an address that a lock
// file names: a user who can write that file could have the token sent to himself. lock is
// the lock file, pid the process that it names. An address with TLS proves itself by its
// certificate. Any other must be one of this machine, and, on Linux, the process that holds
// the lock must be the one that listens there.
func Prove(address, lock string, pid int) error {
	unproven := func(format string, args ...any) error {
		return &unprovenError{address, fmt.Sprintf(format, args...)}
	}
	u, err := url.Parse(address)
	if err != nil {
		return unproven("it is no address")
	}
	if u.Scheme == "https" {
		return nil
	}
	host := u.Hostname()
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	port := u.Port()
	if err != nil || port == "" {
		return unproven("expected an address of this machine with a port, or https")
	}
	if ip = ip.Unmap(); !ip.IsLoopback() && !ours(ip) {
		return unproven("it is not an address of this machine, and has no TLS")
	}
	at, err := netip.ParseAddrPort(net.JoinHostPort(ip.String(), port))
	if err != nil {
		return unproven("expected a port")
	}
	if why := holds(at, lock, pid); why != "" {
		return unproven("%s", why)
	}
	return nil
}

// ours reports whether an address is one of this machine's.
func ours(ip netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Unmap() == ip {
			return true
		}
	}
	return false
}
