package newgame

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	moduleLine  = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)"?`)
	modulePath  = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._~-]*(/[a-zA-Z0-9._~-]+)*$`)
	settingLine = regexp.MustCompile(`(?m)^(?:go|toolchain|godebug)[ \t].*$`)
	requirement = regexp.MustCompile(`(?m)^(?:require)?[ \t]+([^\s()]+)[ \t]+(v[^\s]+)`)
)

// moduleOf is the path of the module that a go.mod declares.
func moduleOf(text string) (string, error) {
	m := moduleLine.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("go.mod: expected a line that begins with module, got none")
	}
	return m[1], nil
}

// isSource tells whether a go.mod is that of Sakusen's source.
func isSource(text []byte) bool {
	name, err := moduleOf(string(text))
	return err == nil && name == "sakusen"
}

// module adds go.mod and go.sum. They require the same versions as Sakusen, so that nothing
// has to be looked up and no network is needed.
func (o *Options) module(files map[string]string) error {
	if !modulePath.MatchString(o.Module) {
		return fmt.Errorf("module: expected a path such as example.org/%s, got %q", o.Name, o.Module)
	}
	text, err := os.ReadFile(filepath.Join(o.Source, "go.mod"))
	if err != nil {
		return fmt.Errorf("source of Sakusen: %w", err)
	}
	if !isSource(text) {
		return fmt.Errorf("source of Sakusen: expected a folder whose go.mod declares the module sakusen, got %s", o.Source)
	}
	sums, err := os.ReadFile(filepath.Join(o.Source, "go.sum"))
	if err != nil {
		return fmt.Errorf("source of Sakusen: %w", err)
	}
	replace := o.Replace
	if replace == "" {
		if replace, err = filepath.Abs(o.Source); err != nil {
			return err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n", o.Module)
	for _, line := range settingLine.FindAllString(string(text), -1) {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	fmt.Fprintf(&b, "\nrequire sakusen v0.0.0\n\nreplace sakusen => %s\n\nrequire (\n", quoted(replace))
	for _, m := range requirement.FindAllStringSubmatch(string(text), -1) {
		fmt.Fprintf(&b, "\t%s %s // indirect\n", m[1], m[2])
	}
	b.WriteString(")\n")
	files["go.mod"], files["go.sum"] = b.String(), string(sums)
	return nil
}

// quoted is a path as go.mod has it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\"'`()[]{},") {
		return fmt.Sprintf("%q", path)
	}
	return path
}

// SourceFolder is the folder around another that holds Sakusen's go.mod.
func SourceFolder(at string) (string, error) {
	at, err := filepath.Abs(at)
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && isSource(text) {
			return at, nil
		}
		if filepath.Dir(at) == at {
			return "", errors.New("expected the folder of Sakusen's source, with which the new module is built (the working directory is not in it)")
		}
		at = filepath.Dir(at)
	}
}
