package daemon

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/strategies"
)

// spoil overwrites a file from an offset on.
func spoil(t *testing.T, path string, from int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xa5}, int(max(0, info.Size()-from))), from); err != nil {
		t.Fatal(err)
	}
}

// A daemon whose database is damaged under it ends its studies, says which file
// and what to do, is not ready, and writes nothing more.
func TestServeDamaged(t *testing.T) {
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	if _, errs, err := clitest.Program(t, dir, nil, "tune", "served-1.yaml"); err != nil && !strings.Contains(err.Error(), "exit status") {
		t.Fatalf("%v %s", err, errs)
	}
	s := clitest.Serve(t, dir)
	path := filepath.Join(dir, "sakusen.db")
	if status, text := s.Answer("GET", "/readyz", ""); status != 200 {
		t.Fatalf("at first: %d %s", status, text)
	}
	s.Run("study", "submit", "served-0.yaml")
	spoil(t, path, 2*4096)
	spoil(t, path+"-wal", 32)
	ready := 200
	for end := suite.Deadline(t); ready == 200 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.Answer("GET", "/api/v1/studies/served-1/trials", "")
		ready, _ = s.Answer("GET", "/readyz", "")
	}
	if ready != 503 {
		t.Errorf("ready: %d", ready)
	}
	if status, text := s.Answer("POST", "/api/v1/studies/served-0/pause", "{}"); status != 503 || !strings.Contains(text, "damaged") {
		t.Errorf("pause: %d %s", status, text)
	}
	if status, _ := s.Answer("GET", "/healthz", ""); status != 200 {
		t.Errorf("the process lives: %d", status)
	}
	s.Cmd.Process.Signal(os.Interrupt)
	said, err := s.End()
	if !strings.Contains(said, path) || !strings.Contains(said, "is damaged") || !strings.Contains(said, "backup") || strings.Contains(said, "panic") {
		t.Errorf("%v: %s", err, said)
	}
}

// Whatever bytes of a database are wrong, commands end with an exit code of the
// contract, never with a panic, and a command that only reads leaves it as it is.
func TestRandomDamage(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	t.Chdir(dir)
	run := func(args ...string) (code int, said string) {
		var errs bytes.Buffer
		p := cli.Process{In: strings.NewReader(""), Out: io.Discard, Err: &errs, Games: strategies.All(), Env: clitest.NoVariables}
		defer func() {
			if v := recover(); v != nil {
				t.Fatalf("%v: %v", args, v)
			}
		}()
		code = p.Run(context.Background(), args)
		return code, errs.String()
	}
	run("tune", "served-0.yaml", "--db", "good.db", "--quiet")
	whole, err := os.ReadFile("good.db")
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 60 {
		bad := bytes.Clone(whole)
		for range 1 + chance.IntN(4) {
			at, n := chance.IntN(len(bad)), 1+chance.IntN(200)
			for i := at; i < min(at+n, len(bad)); i++ {
				bad[i] = byte(chance.IntN(256))
			}
		}
		if err := os.WriteFile("bad.db", bad, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"study", "list"}, {"study", "show", "served-0"}, {"db", "check"}, {"export", "served-0", "--force"}, {"tune", "served-0.yaml"}} {
			before, _ := os.ReadFile("bad.db")
			code, said := run(append(args, "--db", "bad.db", "--quiet")...)
			if code < 0 || code > 5 || strings.Contains(said, "goroutine") {
				t.Errorf("%v: exit code %d, %s", args, code, said)
			}
			if args[1] == "check" && code != 0 {
				found++
			}
			if after, _ := os.ReadFile("bad.db"); args[0] != "tune" && !bytes.Equal(before, after) {
				t.Errorf("%v wrote to the file", args)
			}
		}
		for _, beside := range []string{"bad.db-wal", "bad.db-shm", "bad.db.lock"} {
			os.Remove(beside)
		}
	}
	t.Logf("db check found %d of 60", found)
}
