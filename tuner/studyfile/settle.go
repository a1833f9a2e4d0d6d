package studyfile

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
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

// Template is a study file for a strategy, to be changed by hand: every parameter that
// a study tunes, with its range and what it does, against the strategy's defaults.
func Template(game, strategy string, games arena.Catalogue, samplers Samplers) (string, error) {
	g, err := games.Game(game)
	if err != nil {
		return "", err
	}
	rs, err := g.OpenRules(nil)
	if err != nil {
		return "", err
	}
	declared, err := rs.Space(strategy)
	if err != nil {
		return "", err
	}
	name := game + "-" + strategy
	head := fmt.Sprintf("version: 1\nname: %s\ngame: %s\n", name, game)
	tail := fmt.Sprintf("baseline: %s # whom the answer must beat: here the defaults\n", strategy)
	if g.Unscored && len(g.Metrics) > 0 {
		tail += fmt.Sprintf("objective: {of: metric, metric: %s} # this game has no winner\n", g.Metrics[0].Name)
	}
	plain := fmt.Sprintf("%stune: {strategy: %s}\n%s", head, strategy, tail)
	s, err := Read(name+".yaml", []byte(plain), games, samplers)
	if err != nil {
		return "", fmt.Errorf("%s of %s has nothing that a plain study could tune: %w", strategy, game, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# A study of %s in %s. \"sakusen study check FILE\" says what it takes and what\n"+
		"# it can prove; \"sakusen tune FILE\" runs it. docs/studies.md has every key.\n", strategy, game)
	fmt.Fprintf(&b, "%stune:\n  strategy: %s\n", head, strategy)
	b.WriteString("  # Delete what is not to be tuned, and narrow ranges: fewer parameters need fewer games.\n  params:\n")
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		at := slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == d.Name })
		doc := firstSentence(declared[at].Doc)
		for _, c := range declared[at].When {
			doc += fmt.Sprintf("; only with %s", c)
		}
		fmt.Fprintf(&b, "    # %s. Default %s.\n    - {name: %s%s}\n", doc, declared[at].Default, quoted(d.Name), rangeOf(d))
	}
	fmt.Fprintf(&b, "%sbudget: {games: %d} # more games prove smaller gains\n", tail, s.Budget.Games)
	b.WriteString("# What else a file may say; \"sakusen study keys NAME\" tells its keys and their defaults:\n")
	for _, k := range Keys(samplers) {
		if !strings.ContainsAny(k.Path, ".[") && !strings.Contains(b.String(), "\n"+k.Path+":") {
			fmt.Fprintf(&b, "#   %-12s%s\n", k.Path, summary(k.Doc))
		}
	}
	return b.String(), nil
}

// rangeOf is a dimension's values as a study file gives them.
func rangeOf(d *tuner.Dimension) string {
	switch d.Kind {
	case param.Bool:
		return ""
	case param.Choice:
		var all []string
		for _, c := range d.Choices {
			all = append(all, quoted(c))
		}
		return ", choices: [" + strings.Join(all, ", ") + "]"
	}
	return ", low: " + strconv.FormatFloat(d.Domain.Low, 'g', -1, 64) + ", high: " + strconv.FormatFloat(d.Domain.High, 'g', -1, 64)
}

// quoted is a text that YAML reads as a text in a flow mapping.
func quoted(text string) string {
	if plainWord.MatchString(text) && !slices.Contains([]string{"true", "false", "null", "yes", "no"}, text) {
		return text
	}
	return strconv.Quote(text)
}

var plainWord = regexp.MustCompile(`^[A-Za-z_.-]+$`)

// summary is the first words of a doc, up to a stop or a colon.
func summary(doc string) string {
	doc, _, _ = strings.Cut(Plain(doc), ": ")
	doc, _, _ = strings.Cut(doc, ". ")
	return doc
}

// firstSentence is where a comment of one line ends.
func firstSentence(doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if at := strings.IndexAny(doc, ";"); at > 20 {
		doc = doc[:at]
	}
	return strings.TrimSuffix(doc, ".")
}
