package listen

import (
	"net"
	"strings"
)

// loopback tells whether only this machine reaches an address.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host) // an IPv4 address written as IPv6 counts as IPv4
	return ip != nil && ip.IsLoopback()
}

// namesOf are the names under which a listener is reached without any setting:
// those of the loopback interface, and its own address where it has one.
func namesOf(address net.Addr) []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	host, _, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && !ip.IsUnspecified() && host != "127.0.0.1" && host != "::1" {
		names = append(names, host)
	}
	return names
}

// Reachable is where commands on this machine reach a listener, HOST:PORT: one
// that listens everywhere, on the loopback interface. asked is the address as
// the settings have it, which tells an IPv6 one by its bracket.
func Reachable(asked string, address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return address.String()
	}
	if strings.HasPrefix(asked, "[") {
		return net.JoinHostPort("::1", port)
	}
	return net.JoinHostPort("127.0.0.1", port)
}
