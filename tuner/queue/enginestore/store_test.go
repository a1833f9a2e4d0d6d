package enginestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// program writes a file that has the header of a program for this system, or another one where a
// text says what to change in it.
func program(t *testing.T, name, tail string) string {
	t.Helper()
	own, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	path := filepath.Join(t.TempDir(), name)
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, own); err != nil {
		t.Fatal(err)
	}
	if _, err := out.WriteString(tail); err != nil {
		t.Fatal(err)
	}
	return path
}

func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A store says what a file is by its header, has each file once, keeps its bound, and forgets
// what is taken out of it.
func TestStore(t *testing.T) {
	s := Open(t.TempDir()+"/store", 1<<30)
	path, net := program(t, "dev", "1"), written(t, "net.bin", "weights")
	m := &Manifest{Name: "dev", Options: []Option{{"EvalFile", "net.bin"}}}
	if err := errors.Join(s.Stage(m, []string{net, path}), s.Publish(m)); err != nil {
		t.Fatal(err)
	}
	if len(m.Programs) != 1 || m.Programs[0].OS != runtime.GOOS || m.Programs[0].Arch != runtime.GOARCH || len(m.Files) != 1 || m.Files[0].Name != "net.bin" {
		t.Errorf("%+v", m)
	}
	other := &Manifest{Name: "main"}
	if err := errors.Join(s.Stage(other, []string{path}), s.Publish(other)); err != nil {
		t.Fatal(err)
	}
	if used, err := s.used(); err != nil || used != m.Size() {
		t.Errorf("%d bytes of %d: %v", used, m.Size(), err)
	}
	e, err := s.Entry(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Check(), e.Place()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(e.Directory, "net.bin")); err != nil || string(text) != "weights" || e.Package != m.Hash() || e.Bounds == nil {
		t.Errorf("%s %v %+v", text, err, e)
	}
	for what, x := range map[string]struct {
		m     Manifest
		files []string
		want  string
	}{
		"another of its name":   {Manifest{Name: "dev"}, []string{path}, "another one of that name"},
		"no program":            {Manifest{Name: "x"}, []string{net}, "net.bin: expected at least one file that is a program"},
		"a script":              {Manifest{Name: "x"}, []string{written(t, "run.sh", "#!/bin/sh\n")}, "run.sh: expected at least one file that is a program (ELF, Mach-O or PE), got none: scripts"},
		"a system twice":        {Manifest{Name: "x"}, []string{path, program(t, "again", "2")}, "second program for"},
		"a name with a path":    {Manifest{Name: "../x"}, []string{path}, "name: expected"},
		"a hidden file":         {Manifest{Name: "x"}, []string{path, written(t, ".netrc", "x")}, "files: expected different names"},
		"a file twice":          {Manifest{Name: "x"}, []string{path, written(t, "a.bin", "x"), written(t, "A.bin", "y")}, "files: expected different names"},
		"a folder":              {Manifest{Name: "x"}, []string{path, t.TempDir()}, "expected a regular file"},
		"a file that is not":    {Manifest{Name: "x"}, []string{path, "/nowhere/at/all"}, "no such file"},
		"an option in lines":    {Manifest{Name: "x", Options: []Option{{"a\nb", ""}}}, []string{path}, "no line breaks"},
		"a protocol of its own": {Manifest{Name: "x", Protocol: "command"}, []string{path}, "protocol: expected uci"},
	} {
		err := s.Stage(&x.m, x.files)
		if err == nil {
			err = s.Publish(&x.m)
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", what, err)
		}
		s.discard(&x.m)
	}
	small := Open(t.TempDir(), 1<<10)
	if err := small.Stage(&Manifest{Name: "x"}, []string{path}); err == nil || !strings.Contains(err.Error(), "engine_store_mb") {
		t.Error(err)
	}
	if err := errors.Join(s.Remove("dev"), s.Remove("main")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"files", "engines", "names", "partial", "run"} {
		if left, err := os.ReadDir(s.path(folder)); err != nil || len(left) > 0 {
			t.Errorf("%s: %v %v", folder, left, err)
		}
	}
}

// What was changed after it was stored is not run.
func TestChangedFileIsNotRun(t *testing.T) {
	s := Open(t.TempDir(), 1<<30)
	m := &Manifest{Name: "dev"}
	if err := errors.Join(s.Stage(m, []string{program(t, "dev", "1"), written(t, "net.bin", "weights")}), s.Publish(m)); err != nil {
		t.Fatal(err)
	}
	e, err := s.Entry(m)
	if err == nil {
		err = e.Place()
	}
	if err != nil {
		t.Fatal(err)
	}
	change := func(path string, by byte) {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)-1] += by
		// In place, of the same size and with the time of change that it had.
		if err := errors.Join(os.Chmod(path, 0o700), os.WriteFile(path, text, 0), os.Chmod(path, info.Mode()), os.Chtimes(path, info.ModTime(), info.ModTime())); err != nil {
			t.Fatal(err)
		}
	}
	away := e.Command[0] + ".away"
	if err := os.Rename(e.Command[0], away); err != nil {
		t.Fatal(err)
	}
	if err := e.Place(); err == nil || !strings.Contains(err.Error(), "is no longer in the store") {
		t.Errorf("removed: %v", err)
	}
	if err := os.Rename(away, e.Command[0]); err != nil {
		t.Fatal(err)
	}
	change(e.Command[0], 1)
	if err := e.Place(); err == nil || !strings.Contains(err.Error(), "it is not run") {
		t.Errorf("a program that has changed: %v", err)
	}
	change(e.Command[0], 255) // again what it was
	if err := e.Place(); err != nil {
		t.Errorf("the same program again: %v", err)
	}
	if err := os.Chmod(e.Directory, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(e.Directory, "more"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Place(); err != nil {
		t.Error(err)
	}
	if all, err := os.ReadDir(e.Directory); err != nil || len(all) != 1 {
		t.Errorf("the folder of the engine has %v: %v", all, err)
	}
	change(filepath.Join(e.Directory, "net.bin"), 1)
	if err := e.Place(); err == nil {
		t.Error("a net that has changed, here and in the store, is played with")
	}
}

// A manifest is one text alone, and says nothing that leads out of its folder.
func TestManifestsOfOthers(t *testing.T) {
	m := Manifest{Version: 1, Name: "dev", Protocol: "uci", Memory: 64, Programs: []Program{{"linux", "amd64", strings.Repeat("a", 64), 5}}, Files: []File{{"net", strings.Repeat("b", 64), 7}}, Options: []Option{}}
	text := string(m.text())
	got, err := ReadManifest([]byte(text))
	if err != nil || got.Hash() != m.Hash() {
		t.Fatal(err)
	}
	for _, x := range [][2]string{
		{`"net"`, `"../net"`}, {`"net"`, `"a/b"`}, {`"net"`, `".."`}, {`"net"`, `"a\\b"`}, {`"net"`, `"a\u0000b"`}, {`"net"`, `""`}, {`"net"`, `"-rf"`},
		{`"dev"`, `"../dev"`}, {`"dev"`, `"Dev"`}, {`"linux"`, `"../linux"`}, {strings.Repeat("a", 64), "../../etc/passwd"}, {strings.Repeat("b", 64), strings.Repeat("B", 64)},
		{`"size":5`, `"size":-5`}, {`"size":5`, `"size":5e0`}, {`"uci"`, `"command"`}, {`"memory":64`, `"memory":0`}, {`"version":1`, `"version":2`}, {`{"version"`, `{"command":["sh"],"version"`},
		{`{`, ` {`},
	} {
		changed := strings.Replace(text, x[0], x[1], 1)
		if changed == text {
			t.Fatalf("%v is not in %s", x, text)
		}
		if _, err := ReadManifest([]byte(changed)); err == nil {
			t.Errorf("%s is taken", changed)
		}
	}
	for _, more := range []string{text + "{}", text + " ", text[:len(text)-1], "", strings.Repeat(" ", mostManifest+1)} {
		if _, err := ReadManifest([]byte(more)); err == nil {
			t.Errorf("%.200q is taken", more)
		}
	}
}

func FuzzReadManifest(f *testing.F) {
	m := Manifest{Version: 1, Name: "dev", Protocol: "uci", Memory: 64, Programs: []Program{{"linux", "amd64", strings.Repeat("a", 64), 5}}, Files: []File{}, Options: []Option{}}
	f.Add(m.text())
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadManifest(text)
		if err != nil {
			return
		}
		for _, x := range m.Files {
			if filepath.Base(x.Name) != x.Name || x.Name == ".." {
				t.Errorf("%q", x.Name)
			}
		}
		if !bytes.Equal(m.text(), text) {
			t.Errorf("%s is not %s", m.text(), text)
		}
	})
}

// another makes a store that has an engine, and what fetches from it.
func another(t *testing.T, name, tail string) (*Manifest, Getter) {
	t.Helper()
	from := Open(t.TempDir(), 1<<30)
	m := &Manifest{Name: name}
	if err := errors.Join(from.Stage(m, []string{program(t, name, tail)}), from.Publish(m)); err != nil {
		t.Fatal(err)
	}
	return m, func(_ context.Context, f File, at int64, to io.Writer) error {
		part := make([]byte, 100<<10)
		for at < f.Size {
			n, err := from.Read(m.Hash(), f.SHA256, at, part)
			if err != nil {
				return err
			}
			if _, err := to.Write(part[:n]); err != nil {
				return err
			}
			at += int64(n)
		}
		return nil
	}
}

func none(string) bool { return false }

// What is fetched goes on where it stopped, has the hash that was promised or is refused, and
// makes room for itself.
func TestTake(t *testing.T) {
	ctx := context.Background()
	dev, get := another(t, "dev", "1")
	s := Open(t.TempDir(), dev.Size()*5/2)
	stopped := errors.New("stopped")
	half := func(ctx context.Context, f File, at int64, to io.Writer) error {
		part := make([]byte, f.Size/2)
		if err := get(ctx, File{SHA256: f.SHA256, Size: int64(len(part))}, 0, &cut{to, len(part)}); err != nil {
			return err
		}
		return stopped
	}
	if err := s.Take(ctx, dev, none, half); !errors.Is(err, stopped) {
		t.Fatal(err)
	}
	if s.holds(File{SHA256: dev.Programs[0].SHA256, Size: dev.Programs[0].Size}) {
		t.Fatal("half a file is there")
	}
	var began int64
	if err := s.Take(ctx, dev, none, func(ctx context.Context, f File, at int64, to io.Writer) error {
		began = at
		return get(ctx, f, at, to)
	}); err != nil {
		t.Fatal(err)
	}
	if began != dev.Size()/2 {
		t.Errorf("gone on at %d of %d", began, dev.Size())
	}
	e, err := s.Entry(dev)
	if err == nil {
		err = e.Place()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Take(ctx, dev, none, func(context.Context, File, int64, io.Writer) error { return errors.New("fetched again") }); err != nil {
		t.Error(err)
	}
	// What lay there half was another file.
	main, get2 := another(t, "main", "2")
	if err := os.WriteFile(s.path("partial", main.Programs[0].SHA256), []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Take(ctx, main, none, get2); err != nil {
		t.Error(err)
	}
	// The third does not fit beside both: that which was not used for longer goes.
	s.Touch(dev.Hash())
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(s.path("engines", main.Hash()+".json"), old, old); err != nil {
		t.Fatal(err)
	}
	third, get3 := another(t, "third", "3")
	if err := s.Take(ctx, third, none, get3); err != nil {
		t.Fatal(err)
	}
	if hashes, err := s.hashes(); err != nil || len(hashes) != 2 || fmt.Sprint(hashes) != fmt.Sprint(sorted(dev.Hash(), third.Hash())) {
		t.Errorf("%v %v", hashes, err)
	}
	if err := s.Take(ctx, main, func(string) bool { return true }, get2); err == nil || !strings.Contains(err.Error(), "do not fit") {
		t.Error(err)
	}
	wrong := func(ctx context.Context, f File, at int64, to io.Writer) error {
		_, err := to.Write(make([]byte, f.Size-at))
		return err
	}
	long := func(ctx context.Context, f File, at int64, to io.Writer) error {
		_, err := to.Write(make([]byte, f.Size-at+1))
		return err
	}
	for what, get := range map[string]Getter{"wrong": wrong, "long": long} {
		if err := s.Take(ctx, main, none, get); !errors.Is(err, errWrongHash) {
			t.Errorf("%s: %v", what, err)
		}
		if s.holds(File{SHA256: main.Programs[0].SHA256, Size: main.Programs[0].Size}) {
			t.Errorf("%s: the file is there", what)
		}
	}
	big := *main
	big.Programs = []Program{{runtime.GOOS, runtime.GOARCH, strings.Repeat("0", 64), 1 << 50}}
	if err := s.Take(ctx, &big, none, wrong); err == nil || !strings.Contains(err.Error(), "--store-mb") {
		t.Error(err)
	}
	foreign := *main
	foreign.Programs = []Program{{"plan9", runtime.GOARCH, strings.Repeat("0", 64), 5}}
	if err := s.Take(ctx, &foreign, none, wrong); err == nil || !strings.Contains(err.Error(), "only for plan9/"+runtime.GOARCH) {
		t.Error(err)
	}
}

func sorted(a, b string) []string {
	if a > b {
		a, b = b, a
	}
	return []string{a, b}
}

// cut passes so many bytes on.
type cut struct {
	to   io.Writer
	left int
}

func (c *cut) Write(p []byte) (int, error) {
	if _, err := c.to.Write(p[:min(len(p), c.left)]); err != nil {
		return 0, err
	}
	c.left -= min(len(p), c.left)
	return len(p), nil
}
