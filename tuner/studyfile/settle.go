package studyfile

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/studyfile/yamlfile"
)

// Brief is what a list says of a study file.
type Brief struct {
	Name     string `json:"name"`
	Game     string `json:"game"`
	Strategy string `json:"strategy"`
	Doc      string `json:"doc"`
}

// BriefOf reads it. What is not there, or no YAML, is empty.
func BriefOf(name string, text []byte) Brief {
	b := Brief{Name: name}
	if e := editOf(string(text)); e != nil {
		b.Game, b.Doc = scalarOf(e.root, "game"), scalarOf(e.root, "doc")
		b.Strategy = scalarOf(yamlfile.Child(e.root, "tune"), "strategy")
	}
	return b
}

// scalarOf is the text of a key of a mapping, empty where there is none.
func scalarOf(m *yaml.Node, key string) string {
	if n := yamlfile.Child(m, key); n != nil {
		return n.Value
	}
	return ""
}

// SettleFix replaces the path of a file as tune.fix of a study file by the values in
// that file, so that the text means the same wherever it is sent or stored. Parameters
// that tune.params names are left out. read gets the path, the game and the strategy.
func SettleFix(name string, text []byte, read func(path, game, strategy string) (param.Values, error)) ([]byte, error) {
	var root yaml.Node
	if yaml.Unmarshal(text, &root) != nil || len(root.Content) != 1 {
		return text, nil // the reader of the study file says what is wrong
	}
	tune := yamlfile.Child(root.Content[0], "tune")
	fix := yamlfile.Child(tune, "fix")
	if fix == nil || fix.Kind != yaml.ScalarNode || fix.Value == "" || fix.Tag == "!!null" {
		return text, nil
	}
	quote, plain := map[yaml.Style]string{0: "", yaml.DoubleQuotedStyle: `"`, yaml.SingleQuotedStyle: "'"}[fix.Style]
	path := quote + fix.Value + quote
	lines := strings.SplitAfter(string(text), "\n")
	line := lines[fix.Line-1]
	at := fix.Column - 1
	if !plain || at > len(line) || !strings.HasPrefix(line[at:], path) {
		return nil, fmt.Errorf("%s:%d: tune.fix: expected the path of a file, plain or in quotation marks on one line", name, fix.Line)
	}
	values, err := read(fix.Value, scalarOf(root.Content[0], "game"), scalarOf(tune, "strategy"))
	if err != nil {
		return nil, fmt.Errorf("%s:%d:%d: tune.fix: %s: %w", name, fix.Line, fix.Column, fix.Value, err)
	}
	params := cmp.Or(yamlfile.Child(tune, "params"), &yaml.Node{})
	var list []string
	for _, v := range values {
		if !slices.ContainsFunc(params.Content, func(n *yaml.Node) bool { return scalarOf(n, "name") == v.Name }) {
			list = append(list, fmt.Sprintf("{name: %q, value: %q}", v.Name, v.Text))
		}
	}
	lines[fix.Line-1] = line[:at] + "[" + strings.Join(list, ", ") + "]" + line[at+len(path):]
	return []byte(strings.Join(lines, "")), nil
}

// maxRuleFile bounds a file that rules name, bytes; the largest map of TUBSTAP
// takes a hundredth of it.
const maxRuleFile = 1 << 20

// FilesIn reads the files that rules name, seen from a folder: that of a study
// file, or the working directory for a command line.
func FilesIn(folder string) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxRuleFile+1))
		if err == nil && len(data) > maxRuleFile {
			err = fmt.Errorf("%s is larger than %d bytes", path, maxRuleFile)
		}
		return data, err
	}
}

// gameLine is the line of a study or tournament file that names the game, and
// ruleLines a rule in its usual forms: on one line or on two, with quotes or
// without.
var (
	gameLine  = regexp.MustCompile(`(?m)^game:[ ]*["']?([a-z0-9-]+)`)
	ruleLines = regexp.MustCompile(`(name:[ ]*["']?([a-zA-Z0-9_.-]+)["']?[ ]*(?:,|\n)[ ]*value:[ ]*)("[^"\n]+"|'[^'\n]+'|[^"',}\n]+)`)
)

// SettleFiles replaces each path of a file in the rules of a study file by the file's
// content, so that the text means the same wherever it is sent or stored. What cannot be
// read is reported by the reader of the study file.
func SettleFiles(text []byte, plain, reading arena.Catalogue) []byte {
	line := gameLine.FindSubmatch(text)
	if line == nil {
		return text
	}
	read, err := reading.Game(string(line[1]))
	unread, missing := plain.Game(string(line[1]))
	if err != nil || missing != nil {
		return text
	}
	return ruleLines.ReplaceAllFunc(text, func(rule []byte) []byte {
		parts := ruleLines.FindSubmatch(rule)
		given := param.Value{Name: string(parts[2]), Text: strings.Trim(strings.TrimSpace(string(parts[3])), `"'`)}
		if _, errs := unread.Open(param.Values{given}); len(errs) == 0 {
			return rule // it names no file
		}
		rs, errs := read.Open(param.Values{given})
		if len(errs) > 0 {
			return rule
		}
		canonical, _ := rs.Rules.Get(given.Name)
		return fmt.Appendf(nil, "%s'%s'", parts[1], strings.ReplaceAll(canonical, "'", "''"))
	})
}
