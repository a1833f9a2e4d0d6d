//go:build unix

package studies

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// hostile returns a study file that is right but for what stands in place of a line.
func hostile(old, changed string) string {
	return strings.Replace(`version: 1
name: v
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height}]
baseline: RNB
budget: {trials: 60, games: 120000}
`, old, changed, 1)
}

// A command refuses a file that is not of the kind it reads as bad input, in few lines, and does not
// wait for a writer of it.
func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	var files []string
	add := func(name string) string {
		files = append(files, filepath.Join(dir, name))
		return files[len(files)-1]
	}
	write := func(name, text string) {
		if err := os.WriteFile(add(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(add("pipe.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"zero.yaml": "/dev/zero", "loop.yaml": "loop.yaml", "to pipe.yaml": "pipe.yaml", "nowhere.yaml": "none"} {
		if err := os.Symlink(to, add(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(add("folder.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	files = append(files, "/dev/zero", "/dev/null", "/dev/urandom", dir+"/none/../x.yaml")
	write("sparse.yaml", "")
	if err := os.Truncate(filepath.Join(dir, "sparse.yaml"), 1<<40); err != nil {
		t.Fatal(err)
	}
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	var bomb bytes.Buffer
	packed := gzip.NewWriter(&bomb)
	for range 70 {
		packed.Write(make([]byte, 1<<20))
	}
	packed.Close()
	write("bomb.gz", bomb.String())
	write("keys.yaml", hostile("version", many(20000, "k%d: 1\n")+"version"))
	write("flat.yaml", hostile("version", "k: ["+strings.Repeat("a,", 20000)+"]\nversion"))
	write("params.yaml", hostile("[{name: place.kind", "["+many(4200, "{name: p%d},")+"{name: place.kind"))
	write("some params.yaml", hostile("[{name: place.kind", "["+many(2000, "{name: p%d},")+"{name: place.kind"))
	write("limits.yaml", hostile("budget", "objective: {limits: ["+strings.Repeat("{metric: shots, max_ratio: 2},", 2000)+"]}\nbudget"))
	write("deep.yaml", strings.Repeat("[", 200000))
	write("deep map.yaml", strings.Repeat("{a: ", 20000))
	write("aliases.yaml", "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n"+hostile("", ""))
	write("itself.yaml", "a: &a [*a]\n"+hostile("", ""))
	write("merge.yaml", "a: &a {x: 1}\nb: {<<: *a}\n"+hostile("", ""))
	write("tag.yaml", hostile("name: v", "name: !!binary aGVsbG8="))
	write("go tag.yaml", hostile("name: v", "name: !!python/object/apply:os.system [id]"))
	write("two.yaml", hostile("", "")+"---\n"+hostile("", ""))
	write("name.yaml", hostile("name: v", "name: "+strings.Repeat("x", 1<<20)))
	write("climb.yaml", hostile("name: v", "name: ../../etc/passwd"))
	write("nul.yaml", hostile("name: v", "name: \"a\\0b\""))
	write("raw nul.yaml", hostile("name: v", "name: a\x00b"))
	write("bytes.yaml", hostile("name: v", "name: \xff\xfe"))
	write("turned.yaml", hostile("name: v", "name: \"a\\u202eb\""))
	write("wide.yaml", "\xff\xfev\x00e\x00")
	for i, budget := range []string{"-1", "1e999", "NaN", ".inf", "1.5", "0x10", "99999999999999999999", "null", "~", "[]", "{}", "\"many\"", "true", "2024-01-01", "''", "!!float 1", "-0", "+5e", "१२"} {
		write(fmt.Sprintf("number %d.yaml", i), hostile("games: 120000", "games: "+budget))
	}
	write("empty.yaml", "")
	write("text.yaml", "hello")
	write("program.yaml", "\x7fELF\x02\x01\x01\x00\x00\x00")
	write("lines.yaml", strings.Repeat("\n", 1<<20))
	commands := [][]string{{"study", "check"}, {"study", "import"}, {"tournament"}, {"tune"}, {"match", "battleship", "random", "random", "--engine-file"}, {"calc", "rate"}, {"play", "--replay"}, {"worker", "--server", "nats://127.0.0.1:1", "--credentials"}}
	tried := 0
	for _, command := range commands {
		for _, file := range files {
			p := clitest.Launch(t, "", append(append([]string{}, command...), file, "--db", filepath.Join(dir, "x.db"))...)
			if p.Code != 2 {
				t.Errorf("%v %q: exit code %d, %.300s", command, file, p.Code, p.Err)
			}
			if strings.Contains(p.Err, "goroutine ") || len(p.Err) > 30000 || strings.Count(p.Err, "\n") > 120 || strings.ContainsAny(p.Err, "\x00\x1b\u202e") {
				t.Errorf("%v %q: %d bytes, %.300q", command, file, len(p.Err), p.Err)
			}
			tried++
		}
	}
	t.Logf("%d tried", tried)
}
