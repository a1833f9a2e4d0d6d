package cli

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/strategies"
)

// serving starts a server of the program and tells its address.
func serving(t *testing.T, args ...string) (address string, wait func() (code int, out, err string)) {
	t.Helper()
	read, write := io.Pipe()
	var out strings.Builder
	a := &app{in: strings.NewReader(""), out: &out, err: write, env: func(string) (string, bool) { return "", false }, catalogue: strategies.Catalogue()}
	code := make(chan int, 1)
	go func() {
		code <- a.run(context.Background(), append([]string{"tubstap", "serve", "--port", "0"}, args...))
		write.Close()
	}()
	said := bufio.NewReader(read)
	first, err := said.ReadString('\n')
	if err != nil {
		t.Fatalf("%q: %v", first, err)
	}
	address = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(first)
	if address == "" {
		t.Fatalf("%q names no address", first)
	}
	return address, func() (int, string, string) {
		rest, _ := io.ReadAll(said)
		return <-code, out.String(), string(rest)
	}
}

// Two of our strategies play two games over TCP; the files hold what was told.
func TestTubstapOverTheNetwork(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	address, wait := serving(t, "--map", "own02", "--games", "2", "--json",
		"--replays", file("games"), "--results", file("r.csv"), "--combat-log", file("c.csv"))
	done := make(chan printed, 2)
	for _, e := range []string{"single", "muct(simulations=50)"} {
		go func() {
			done <- launch(t, "", "tubstap", "connect", e, "--address", address, "--games", "2", "--seed", "5", "--name", "the "+e[:4])
		}()
	}
	for range 2 {
		if r := <-done; r.code != exitDone || strings.Count(r.out, "\n") != 2 || !strings.Contains(r.out, "the sing") {
			t.Errorf("exit code %d, %s%s", r.code, r.out, r.err)
		}
	}
	code, out, said := wait()
	if code != exitDone || strings.Count(out, `"ending":"annihilation"`) != 2 || strings.Contains(out, "fault") {
		t.Errorf("exit code %d, %s%s", code, out, said)
	}
	for name, lines := range map[string]int{"r.csv": 2, "c.csv": 3} {
		text, err := os.ReadFile(file(name))
		if err != nil || strings.Count(string(text), "\n") < lines {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	told := launch(t, "", "play", "--replay", filepath.Join(file("games"), "game-0002.sgf"))
	if told.code != exitDone || !strings.Contains(told.out, "annihilation, winner") || !strings.Contains(told.out, "the sing") {
		t.Errorf("exit code %d, %s%s", told.code, told.out, told.err)
	}
}

// A program that answers nonsense loses, and the server plays on to its number.
func TestTubstapServeHostile(t *testing.T) {
	address, wait := serving(t, "--map", "own02", "--games", "1", "--timeout", "2s")
	for range 2 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		go func() {
			in := bufio.NewReader(c)
			for {
				if _, err := in.ReadString('\n'); err != nil {
					return
				}
				io.WriteString(c, "= 1,2,3\r\n\r\n")
			}
		}()
	}
	code, out, said := wait()
	if code != exitDone || !strings.Contains(out, "blue wins, fault") || !strings.Contains(out, "want 11") {
		t.Errorf("exit code %d, %s%s", code, out, said)
	}
}

func TestTubstapUsage(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"tubstap serve --map nowhere", exitUsage, "no such embedded map"},
		{"tubstap serve --port 99999", exitUsage, "expected 0 to 65535"},
		{"tubstap serve --games -1", exitUsage, "--games"},
		{"tubstap serve --timeout 0s", exitUsage, "--timeout"},
		{"tubstap serve --rules map=own02", exitUsage, "expected antiair_infantry"},
		{"tubstap serve --host 256.1.1.1 --port 0", exitUsage, "--host"},
		{"tubstap connect nobody", exitUsage, "unknown strategy"},
		{"tubstap connect single --address here", exitUsage, "host:port"},
		{"tubstap connect single --games 0", exitUsage, "--games"},
		{"tubstap connect single --address 127.0.0.1:1", exitInternal, "connect"},
		{"tubstap connect", exitUsage, "one entrant"},
		{"tubstap dance", exitUsage, "dance"},
	} {
		r := launch(t, "", strings.Fields(c.args)...)
		if r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: exit code %d, %s; want %d and %q", c.args, r.code, r.err, c.code, c.want)
		}
	}
}
