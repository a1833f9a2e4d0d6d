package runner

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// lead adds variables of the environment that lead into the checkout to those of the tree: they
// lead to the same places of the worktree, where it has them. One that names the checkout itself
// stays, unless whole is set. The error names a variable of the go command that still leads into
// the checkout, so that both sides would be built of what lies there.
func (t *tree) lead(ctx context.Context, whole bool) error {
	ofGo := []string{"GOFLAGS", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS"}
	env := os.Environ()
	text, err := t.goCommand(ctx, append([]string{"env"}, ofGo...)...) // which go env -w may have set
	if err != nil {
		return err
	}
	for i, value := range strings.Split(text, "\n") {
		if i < len(ofGo) {
			env = append(env, ofGo[i]+"="+value)
		}
	}
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		led := t.led(value)
		if led != value && !ofMachine.MatchString(name) && (whole || !slices.Contains(t.tops, value)) {
			t.env = append(t.env, name+"="+led)
		}
		if whole && slices.Contains(ofGo, name) && slices.ContainsFunc(t.tops, func(top string) bool { return strings.Contains(led, top+string(filepath.Separator)) }) {
			return fmt.Errorf("%s: expected no path that is in the checkout alone, of which both sides would be built, got %q", name, value)
		}
	}
	return nil
}

// ofMachine matches the variables that say where a machine keeps what belongs to no side.
var ofMachine = regexp.MustCompile(`^(?:GO(?:PATH|MODCACHE|CACHE|TMPDIR|BIN|ROOT|ENV|TOOLDIR)|HOME|USERPROFILE|XDG_.*|(?:OLD)?PWD|TMPDIR|TE?MP|GIT_.*|CCACHE_.*)$`)

// led returns a value, such as that of a variable or an argument, in which each path into the
// checkout that the worktree has leads there.
func (t *tree) led(value string) string {
	for _, top := range t.tops {
		if path := t.at(top, value); path != "" {
			return path
		}
		if !strings.Contains(value, top) {
			continue
		}
		// A path begins at the begin or behind a sign, with an option such as -I before it.
		inside := regexp.MustCompile(`((?:^|[` + regexp.QuoteMeta(separators+signs) + `/\s])(?:-[A-Za-z]+)?)(` + regexp.QuoteMeta(top) + `(?:/[^` + separators + `\s]*)?)`)
		var b strings.Builder
		last := 0
		for _, at := range inside.FindAllStringSubmatchIndex(value, -1) {
			to, end := t.longest(top, value[at[4]:at[5]])
			if end += at[4]; to != "" && (end == len(value) || strings.ContainsRune(separators+signs+" \t\r\n", rune(value[end]))) {
				b.WriteString(value[last:at[4]] + to)
				last = end
			}
		}
		value = b.String() + value[last:]
	}
	return value
}

// separators end a path in a value, and signs may end it or be part of it.
const separators, signs = `:=,;'"`, "()[]<>|&?+@#{}"

// longest returns where the worktree has the longest path with which a text begins that ends with the text
// or before a sign, and the path's length; "" for none.
func (t *tree) longest(top, text string) (to string, length int) {
	for length = len(text); length > 0; length = max(0, strings.LastIndexAny(text[:length], signs)) {
		if to := t.at(top, text[:length]); to != "" {
			return to, length
		}
	}
	return "", 0
}

// arguments returns those of the user for test binaries of the tree.
func (t *tree) arguments(o *Options) []string {
	led := make([]string, len(o.Args))
	for i, arg := range o.Args {
		led[i] = t.led(arg)
	}
	return led
}

// at returns where the worktree has what lies at a path in the checkout, "" if it does not.
func (t *tree) at(top, path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	rel, err := filepath.Rel(top, path)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	to := filepath.Join(t.root, rel)
	if _, err := os.Lstat(to); err != nil {
		return ""
	}
	return to
}

// beside tells the go command what the files beside the Go files of the repository are, if packages are
// partly C or assembly that includes files: by a setting of C, and by a comment in the assembly of an
// overlay in a folder. The go command does not look at all that is included, and would take
// a package of the other side from its cache.
func (t *tree) beside(ctx context.Context, packages []string, folder string) error {
	root, inside, err := t.repository(ctx)
	if err != nil {
		return ctx.Err() // no repository
	}
	list, err := t.goCommand(ctx, append([]string{"list", "-e", "-deps", "-f", "{{if not .Standard}}{{if or .CgoFiles .SFiles}}{{.Dir}}\t{{len .CgoFiles}}\t{{join .SFiles \"\\t\"}}{{end}}{{end}}", "-test"}, packages...)...)
	if err != nil {
		return ctx.Err()
	}
	var assembled []string
	for line := range strings.Lines(list) {
		fields := strings.Split(strings.TrimRight(line, "\t\n"), "\t")
		if len(fields) < 2 {
			continue
		}
		if _, ok := inside(fields[0]); !ok {
			continue
		}
		if fields[1] != "0" {
			t.c = true
			continue
		}
		for _, name := range fields[2:] {
			file := filepath.Join(fields[0], name)
			if code, err := os.ReadFile(file); err != nil || bytes.Contains(code, []byte("include")) {
				assembled = append(assembled, file)
			}
		}
	}
	if !t.c && assembled == nil {
		return nil
	}
	files, err := t.mark(ctx, root)
	if err != nil {
		return err
	}
	text, err := t.goCommand(ctx, "env", "CGO_CPPFLAGS", "GOFLAGS")
	if err != nil {
		return err
	}
	ofC, flags, _ := strings.Cut(text, "\n")
	if t.c {
		t.env = append(t.env, strings.TrimSpace("CGO_CPPFLAGS="+ofC)+" -D"+files)
	}
	if len(assembled) == 0 {
		return nil
	}
	overlay, err := overlaid(assembled, "\n// "+files+"\n", folder)
	quote := "'"
	if strings.Contains(overlay, quote) { // the go command knows no other way to write one
		quote = `"`
	}
	t.env = append(t.env, "GOFLAGS="+flags+" "+quote+"-overlay="+overlay+quote)
	return err
}

// mark returns a name that is another one where the files beside the Go files of the repository are others.
func (t *tree) mark(ctx context.Context, root string) (string, error) {
	beside := []string{":!*.go", ":!*.md", ":!*go.mod", ":!*go.sum", ":!*go.work", ":!*go.work.sum"}
	h := sha256.New()
	top := Repo{Dir: root}
	for _, args := range [][]string{
		append([]string{"ls-files", "-s", "--"}, beside...),
		append([]string{"diff", "HEAD", "--no-ext-diff", "--no-textconv", "--binary", "--submodule=diff", "--ignore-submodules=none", "--"}, beside...),
	} {
		text, err := top.git(ctx, args...)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, text)
	}
	endings := []string{"*.h", "*.hh", "*.hpp", "*.hxx", "*.c", "*.cc", "*.cpp", "*.cxx", "*.inc", "*.inl", "*.def", "*.m", "*.s", "*.S"}
	if t.root != "" { // whatever was made in a worktree
		endings = nil
	}
	others, err := top.git(ctx, append([]string{"ls-files", "--others", "-z", "--"}, endings...)...)
	if err != nil {
		return "", err
	}
	for name := range strings.SplitSeq(others, "\x00") {
		fmt.Fprintf(h, "%s\x00", name)
		if err := digest(h, filepath.Join(root, filepath.FromSlash(name))); name != "" && err != nil {
			return "", err
		}
	}
	return "SAKUSEN_FILES_" + hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// overlaid writes an overlay of the go command into a folder, in which files end with a text more, and
// returns its path.
func overlaid(files []string, end, folder string) (string, error) {
	replace := map[string]string{}
	for i, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		replace[file] = filepath.Join(folder, fmt.Sprintf("%d.s", i))
		if err := os.WriteFile(replace[file], append(code, end...), 0o644); err != nil {
			return "", err
		}
	}
	path := filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	return path, errors.Join(err, os.WriteFile(path, text, 0o644))
}
