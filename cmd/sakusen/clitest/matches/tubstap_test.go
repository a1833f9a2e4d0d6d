package matches

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

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/strategies"
)

// serving starts a server of the program and tells its address.
func serving(t *testing.T, args ...string) (address string, wait func() (code int, out, err string)) {
	t.Helper()
	read, write := io.Pipe()
	var out strings.Builder
	p := cli.Process{In: strings.NewReader(""), Out: &out, Err: write, Env: clitest.NoVariables, Games: strategies.All()}
	code := make(chan int, 1)
	go func() {
		code <- p.Run(context.Background(), append([]string{"tubstap", "serve", "--port", "0"}, args...))
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
	done := make(chan clitest.Printed, 2)
	for _, e := range []string{"single", "muct(simulations=50)"} {
		go func() {
			done <- clitest.Launch(t, "", "tubstap", "connect", e, "--address", address, "--games", "2", "--seed", "5", "--name", "the "+e[:4])
		}()
	}
	for range 2 {
		if r := <-done; r.Code != clitest.ExitDone || strings.Count(r.Out, "\n") != 2 || !strings.Contains(r.Out, "the sing") {
			t.Errorf("exit code %d, %s%s", r.Code, r.Out, r.Err)
		}
	}
	code, out, said := wait()
	if code != clitest.ExitDone || strings.Count(out, `"ending":"annihilation"`) != 2 || strings.Contains(out, "fault") {
		t.Errorf("exit code %d, %s%s", code, out, said)
	}
	for name, lines := range map[string]int{"r.csv": 2, "c.csv": 3} {
		text, err := os.ReadFile(file(name))
		if err != nil || strings.Count(string(text), "\n") < lines {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	told := clitest.Launch(t, "", "play", "--replay", filepath.Join(file("games"), "game-0002.sgf"))
	if told.Code != clitest.ExitDone || !strings.Contains(told.Out, "annihilation, winner") || !strings.Contains(told.Out, "the sing") {
		t.Errorf("exit code %d, %s%s", told.Code, told.Out, told.Err)
	}
}

// A program that answers nonsense loses, and the server plays on to its number.
func TestTubstapServeHostile(t *testing.T) {
	address, wait := serving(t, "--map", "own02", "--games", "1", "--timeout", "1h")
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
	if code != clitest.ExitDone || !strings.Contains(out, "blue wins, fault") || !strings.Contains(out, "want 11") {
		t.Errorf("exit code %d, %s%s", code, out, said)
	}
}

func TestTubstapUsage(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"tubstap serve --map nowhere", clitest.ExitUsage, "no such embedded map"},
		{"tubstap serve --port 99999", clitest.ExitUsage, "expected 0 to 65535"},
		{"tubstap serve --games -1", clitest.ExitUsage, "--games"},
		{"tubstap serve --timeout 0s", clitest.ExitUsage, "--timeout"},
		{"tubstap serve --rules map=own02", clitest.ExitUsage, "expected antiair_infantry"},
		{"tubstap serve --host 256.1.1.1 --port 0", clitest.ExitUsage, "--host"},
		{"tubstap connect nobody", clitest.ExitUsage, "unknown strategy"},
		{"tubstap connect single --address here", clitest.ExitUsage, "host:port"},
		{"tubstap connect single --games 0", clitest.ExitUsage, "--games"},
		{"tubstap connect single --address 127.0.0.1:1", clitest.ExitInternal, "connect"},
		{"tubstap connect", clitest.ExitUsage, "one ENTRANT"},
		{"tubstap dance", clitest.ExitUsage, "dance"},
	} {
		r := clitest.Launch(t, "", strings.Fields(c.args)...)
		if r.Code != c.code || !strings.Contains(r.Err, c.want) {
			t.Errorf("%s: exit code %d, %s; want %d and %q", c.args, r.Code, r.Err, c.code, c.want)
		}
	}
}
