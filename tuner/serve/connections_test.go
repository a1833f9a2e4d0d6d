package serve

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"sakusen/engines/suite"
	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

// crowded returns a server with few places; /wait answers when told to.
func crowded(t *testing.T, most, each int, secure bool) (address string, release chan struct{}, conns *Connections) {
	t.Helper()
	release = make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		role := api.NoRole
		if given := r.Header.Get("Role"); given != "" {
			role = api.Role(given[0] - '0')
		}
		if !web.PlaceOf(r.Context()).Shown(role) {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if r.URL.Path == "/wait" {
			<-release
		}
		io.WriteString(w, "ok")
	}))
	conns = limit(s.Listener, most, each)
	s.Listener, s.Config.ConnState, s.Config.ConnContext = conns, conns.State, conns.Context
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s.Listener.Addr().String(), release, conns
}

// ask asks once, over a connection of its own, and shows a token that may submit.
func ask(t *testing.T, address, path string, secure bool) (string, error) {
	t.Helper()
	return askAs(t, api.Submit, address, path, secure)
}

func askAs(t *testing.T, role api.Role, address, path string, secure bool) (string, error) {
	ctx, end := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer end()
	scheme := "http"
	if secure {
		scheme = "https"
	}
	r, err := http.NewRequestWithContext(ctx, "GET", scheme+"://"+address+path, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Role", fmt.Sprint(uint8(role)))
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	answer, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}

// Connections that ask once and then idle, and such that never ask, keep no client out.
func TestIdleConnectionsKeepNobodyOut(t *testing.T) {
	for _, secure := range []bool{false, true} {
		address, _, conns := crowded(t, 60, 40, secure)
		for i := range 150 {
			var c net.Conn
			var err error
			if secure {
				c, err = tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
			} else {
				c, err = net.Dial("tcp", address)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if i%2 == 0 { // the others say nothing
				fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				if _, err := c.Read(make([]byte, 1)); err != nil {
					t.Fatalf("connection %d: %v", i, err)
				}
			}
		}
		for range 5 {
			if text, err := ask(t, address, "/", secure); text != "ok" {
				t.Errorf("TLS %v: %q, %v", secure, text, err)
			}
		}
		conns.mu.Lock()
		if len(conns.all) > 40+kept || conns.of["loopback"] != len(conns.all) {
			t.Errorf("TLS %v: %d connections are open, %v", secure, len(conns.all), conns.of)
		}
		conns.mu.Unlock()
	}
}

// One that is being answered and has shown a token is never closed for another. Where all are, some
// more are let in to show a token: half of them whatever it is, a quarter where it may submit, and a
// quarter where it may administer.
func TestBusyConnectionsStay(t *testing.T) {
	address, release, conns := crowded(t, 200, 3, false)
	answers := make(chan error)
	wait := func(role api.Role) {
		text, err := askAs(t, role, address, "/wait", false)
		for end := suite.Deadline(t); text != "ok" && time.Now().Before(end); text, err = askAs(t, role, address, "/wait", false) {
			time.Sleep(time.Millisecond) // the server learns a moment later that the one refused before is over
		}
		if text != "ok" {
			err = fmt.Errorf("%q, %w", text, err)
		}
		answers <- err
	}
	busy := func(n int) {
		t.Helper()
		for end := suite.Deadline(t); ; time.Sleep(time.Millisecond) {
			conns.mu.Lock()
			got := 0
			for one := range conns.all {
				if one.role > api.NoRole {
					got++
				}
			}
			conns.mu.Unlock()
			if got == n {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d are answered, expected %d", got, n)
			}
		}
	}
	n := 0
	for _, c := range []struct {
		more    int
		role    api.Role
		refused []api.Role
	}{
		{3, api.Read, []api.Role{api.NoRole}},
		{kept / 2, api.Read, []api.Role{api.NoRole, api.Read}},
		{kept / 4, api.Submit, []api.Role{api.NoRole, api.Read, api.Submit}},
		{kept / 4, api.Administer, []api.Role{api.NoRole, api.Read, api.Submit, api.Administer}},
	} {
		for range c.more {
			go wait(c.role)
		}
		n += c.more
		busy(n)
		for _, role := range c.refused {
			if text, _ := askAs(t, role, address, "/", false); text == "ok" {
				t.Errorf("beside %d one with a token for %s is answered", n, role)
			}
		}
	}
	close(release)
	for range n {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	for text, err := askAs(t, api.NoRole, address, "/", false); text != "ok"; text, err = askAs(t, api.NoRole, address, "/", false) {
		if time.Now().After(suite.Deadline(t)) { // the server learns a moment later that a connection is over
			t.Fatalf("afterwards: %q, %v", text, err)
		}
	}
}

// Connections that send slowly and show no token make room, whatever they send and however many
// they are.
func TestSlowConnectionsKeepNobodyOut(t *testing.T) {
	for _, begin := range []string{
		"", "P", "POST /login HTTP/1.1\r\n", "POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n", "POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\ntoken=",
		"POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n", "GET /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
	} {
		address, release, _ := crowded(t, 60, 40, false)
		for range 100 {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprint(c, begin)
		}
		for _, role := range []api.Role{api.NoRole, api.Read, api.Submit, api.Administer} {
			if text, err := askAs(t, role, address, "/", false); text != "ok" {
				t.Errorf("%q: %s: %q, %v", begin, role, text, err)
			}
		}
		close(release)
	}
}

// Of several clients the one with the most waiting connections makes room.
func TestTheCrowdMakesRoom(t *testing.T) {
	g := limit(nil, 4-kept, 4-kept)
	seat := func(client string, age time.Duration) *connection {
		c, other := net.Pipe()
		t.Cleanup(func() { other.Close() })
		one := &connection{Conn: c, conns: g, client: client, waits: true, since: time.Now().Add(-age)}
		if !g.admit(one) {
			t.Fatalf("%s is refused", client)
		}
		return one
	}
	quiet := seat("quiet", time.Hour)
	young, old := seat("crowd", time.Second), seat("crowd", time.Minute)
	seat("crowd", 0)
	seat("new", 0)
	if !g.all[quiet] || !g.all[young] || g.all[old] || len(g.all) != 4 {
		t.Errorf("%d are left, quiet %v, young %v, old %v", len(g.all), g.all[quiet], g.all[young], g.all[old])
	}
	young.Close()
	young.Close()
	if len(g.all) != 3 || g.of["crowd"] != 1 {
		t.Errorf("after one was closed twice: %v", g.of)
	}
	for address, want := range map[string]string{
		"127.0.0.1:1": "loopback", "127.9.9.9:1": "loopback", "[::1]:1": "loopback", "[::ffff:127.0.0.1]:1": "loopback",
		"192.0.2.1:1": "192.0.2.1", "[2001:db8::5]:1": "2001:db8::/64", "[fe80::1%eth0]:9": "fe80::/64",
	} {
		a, err := net.ResolveTCPAddr("tcp", address)
		if err == nil && clientAt(a) != want {
			t.Errorf("%s is %s, expected %s", address, clientAt(a), want)
		}
	}
}
