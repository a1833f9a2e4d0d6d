package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// asker names who asks, for bounds on rates: the peer, or, behind a proxy, whom
// the proxy names. Of X-Forwarded-For only the last address counts, which the
// proxy itself wrote; those before it are what the client says of itself. An IPv6
// client has a whole network of addresses, and is named by that.
func (s *Server) asker(r *http.Request) string {
	peer, err := peerOf(r)
	if err != nil {
		return r.RemoteAddr
	}
	if s.o.Proxied {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			list := strings.Split(all[len(all)-1], ",")
			if a, err := parseAddress(list[len(list)-1]); err == nil {
				peer = a
			}
		}
	}
	if peer.Is6() {
		if network, err := peer.Prefix(64); err == nil {
			return network.String()
		}
	}
	return peer.String()
}

// peerOf is the address at the other end of the connection.
func peerOf(r *http.Request) (netip.Addr, error) { return parseAddress(r.RemoteAddr) }

// parseAddress reads an address with or without a port and zone.
func parseAddress(text string) (netip.Addr, error) {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap().WithZone(""), err
}
