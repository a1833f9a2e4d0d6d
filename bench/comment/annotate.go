package comment

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sakusen/bench"
)

// Annotations are workflow commands for GitHub's runner, one error for each
// failed series, at the line where its benchmark stands in the module of folder
// dir; paths count from root, the top of the repository.
func Annotations(r bench.GateReport, dir, root string) []string {
	var lines []string
	for _, f := range r.Failures {
		at := ""
		if file, line, ok := locate(dir, f.Config["pkg"], f.Name); ok {
			if path, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(path) {
				at = fmt.Sprintf("file=%s,line=%d,", property(filepath.ToSlash(path)), line)
			}
		}
		lines = append(lines, fmt.Sprintf("::error %stitle=%s::%s", at, property(title(f)+" "+f.Unit), data(f.Reason)))
	}
	return lines
}

// data escapes the text of a workflow command.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a value before the text.
func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}

// locate finds the line on which a benchmark of a package begins.
func locate(dir, pkg, name string) (file string, line int, ok bool) {
	name, _, _ = strings.Cut(name, "/")
	name, _, _ = strings.Cut(name, "-") // the number of processors
	folder, ok := folderOf(dir, pkg)
	if !ok || name == "" {
		return "", 0, false
	}
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return "", 0, false
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for i, l := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(l, "func Benchmark"+name+"(") {
				return file, i + 1, true
			}
		}
	}
	return "", 0, false
}

// folderOf is the folder of a package of the module that dir lies in.
func folderOf(dir, pkg string) (string, bool) {
	dir, err := filepath.Abs(dir)
	for err == nil {
		text, failed := os.ReadFile(filepath.Join(dir, "go.mod"))
		if failed == nil {
			return inModule(dir, string(text), pkg)
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

func inModule(dir, mod, pkg string) (string, bool) {
	for line := range strings.Lines(mod) {
		module, ok := strings.CutPrefix(strings.TrimSpace(line), "module ")
		if !ok {
			continue
		}
		module = strings.Trim(strings.TrimSpace(module), `"`)
		rest, ok := strings.CutPrefix(pkg, module)
		if !ok || rest != "" && rest[0] != '/' || !filepath.IsLocal(filepath.Join(".", rest)) {
			return "", false
		}
		return filepath.Join(dir, filepath.FromSlash(rest)), true
	}
	return "", false
}
