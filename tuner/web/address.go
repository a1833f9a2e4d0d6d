package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// asker identifies the client, to limit its rate: the address of the connection or, behind
// a proxy, the address that the proxy names; one that is not listed as a proxy is a client.
// Only the last address of X-Forwarded-For
// counts, which the proxy itself wrote; the client can write the others. An IPv6 client has
// a whole network of addresses and is identified by that.
func (s *Server) asker(r *http.Request) string {
	peer, err := peerOf(r)
	if err != nil {
		return r.RemoteAddr
	}
	if s.o.Proxied && slices.ContainsFunc(s.o.Proxies, func(p netip.Prefix) bool { return p.Contains(peer) }) {
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
