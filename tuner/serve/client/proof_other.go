//go:build !linux

package client

import "net/netip"

// holds reports why the process that holds a lock is not shown to listen at an address.
// This system does not say who listens where; that the address is one of this machine
// has to do.
func holds(netip.AddrPort, string, int) string { return "" }
