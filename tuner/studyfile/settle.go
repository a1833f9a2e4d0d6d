package studyfile

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner/studyfile/yamlfile"
)

// outline is what is read of a file whatever mistakes it has.
type outline struct {
	Game, Doc  string
	Rules      []struct{ Name, Value yaml.Node }
	Validation struct {
		Rules []struct{ Name, Value yaml.Node }
	}
	Tune struct {
		Strategy string
		Fix      yaml.Node
		Params   []struct{ Name string }
	}
}

// outlineOf returns it; what is not there, or is no YAML of this kind, is empty.
func outlineOf(text []byte) (o outline) {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) == nil && !yamlfile.Crowded(&doc) {
		_ = doc.Decode(&o)
	}
	return o
}

// Brief is what a list says of a study file.
type Brief struct {
	Name     string `json:"name"`
	Game     string `json:"game"`
	Strategy string `json:"strategy"`
	Doc      string `json:"doc"`
}

// BriefOf returns what a list says of a study file with this text.
func BriefOf(name string, text []byte) Brief {
	o := outlineOf(text)
	return Brief{Name: name, Game: o.Game, Strategy: o.Tune.Strategy, Doc: o.Doc}
}

// put writes another text in place of a scalar, which is plain or in quotation marks on one line;
// ok is false where it is not.
func put(text []byte, n *yaml.Node, value string) (out []byte, ok bool) {
	quote, known := map[yaml.Style]string{0: "", yaml.DoubleQuotedStyle: `"`, yaml.SingleQuotedStyle: "'"}[n.Style]
	old := quote + n.Value + quote
	lines := bytes.SplitAfter(text, []byte("\n"))
	line, at := lines[n.Line-1], n.Column-1
	if !known || at > len(line) || !bytes.HasPrefix(line[at:], []byte(old)) {
		return text, false
	}
	lines[n.Line-1] = slices.Concat(line[:at], []byte(value), line[at+len(old):])
	return bytes.Join(lines, nil), true
}

// SettleFix replaces the path of a file as tune.fix of a study file by the values in
// that file, so that the text means the same wherever it is sent or stored. Parameters
// that tune.params names are left out. read gets the path, the game and the strategy.
func SettleFix(name string, text []byte, read func(path, game, strategy string) (param.Values, error)) ([]byte, error) {
	o := outlineOf(text)
	fix := &o.Tune.Fix
	if fix.Kind != yaml.ScalarNode || fix.Value == "" || fix.Tag == "!!null" {
		return text, nil
	}
	values, err := read(fix.Value, o.Game, o.Tune.Strategy)
	if err != nil {
		return nil, fmt.Errorf("%s:%d:%d: tune.fix: %s: %w", name, fix.Line, fix.Column, fix.Value, err)
	}
	var list []string
	for _, v := range values {
		if !slices.Contains(o.Tune.Params, struct{ Name string }{v.Name}) {
			list = append(list, fmt.Sprintf("{name: %q, value: %q}", v.Name, v.Text))
		}
	}
	text, ok := put(text, fix, "["+strings.Join(list, ", ")+"]")
	if !ok {
		return nil, fmt.Errorf("%s:%d: tune.fix: expected the path of a file, plain or in quotation marks on one line", name, fix.Line)
	}
	return text, nil
}

// FilesIn reads the files that rules name, seen from a folder: that of a study
// file, or the working directory for a command line.
func FilesIn(folder string) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		return plain.ReadFile(path, plain.MostBook)
	}
}

// SettleFiles replaces each path of a file in the rules of a study or tournament file by the
// file's content, so that the text means the same wherever it is sent or stored. What cannot be
// read is reported by the reader of the file.
func SettleFiles(text []byte, plain, reading arena.Catalogue) []byte {
	o := outlineOf(text)
	read, err := reading.Game(o.Game)
	unread, missing := plain.Game(o.Game)
	if err != nil || missing != nil {
		return text
	}
	all := slices.Concat(o.Rules, o.Validation.Rules)
	slices.SortStableFunc(all, func(a, b struct{ Name, Value yaml.Node }) int {
		return cmp.Or(cmp.Compare(a.Value.Line, b.Value.Line), cmp.Compare(a.Value.Column, b.Value.Column))
	})
	for _, rule := range slices.Backward(all) { // those behind keep their places
		given := param.Value{Name: rule.Name.Value, Text: rule.Value.Value}
		if _, errs := unread.Open(param.Values{given}); len(errs) == 0 {
			continue // it names no file
		}
		if rs, errs := read.Open(param.Values{given}); len(errs) == 0 {
			canonical, _ := rs.Rules.Get(given.Name)
			text, _ = put(text, &rule.Value, "'"+strings.ReplaceAll(canonical, "'", "''")+"'")
		}
	}
	return text
}

// Template returns a study file for a strategy, to be changed by hand: every parameter that
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
	e := NewEdit()
	e.plain = true
	e.Set("name", game+"-"+strategy)
	e.Set("game", game)
	e.Set("tune.strategy", strategy)
	e.Set("baseline", strategy)
	if g.Unscored && len(g.Metrics) > 0 { // it has no winner
		e.Set("objective.of", "metric")
		e.Set("objective.metric", g.Metrics[0].Name)
	}
	text, err := e.Text()
	if err != nil {
		return "", err
	}
	s, err := Read(game+"-"+strategy+".yaml", []byte(text), games, samplers)
	if err != nil {
		return "", fmt.Errorf("%s of %s has nothing that a plain study could tune: %w", strategy, game, err)
	}
	for i := range s.Tune.Params {
		d, at := &s.Tune.Params[i], fmt.Sprintf("tune.params[%d]", i)
		e.Set(at+".name", d.Name)
		for k, c := range d.Choices {
			e.Set(fmt.Sprintf("%s.choices[%d]", at, k), c)
		}
		if d.Kind == param.Int || d.Kind == param.Float {
			e.Set(at+".low", strconv.FormatFloat(d.Domain.Low, 'g', -1, 64))
			e.Set(at+".high", strconv.FormatFloat(d.Domain.High, 'g', -1, 64))
		}
		p := declared[slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == d.Name })]
		doc := firstSentence(p.Doc)
		for _, c := range p.When {
			doc += fmt.Sprintf("; only with %s", c)
		}
		e.node(at, yaml.MappingNode).HeadComment = fmt.Sprintf("%s. Default %s.", doc, p.Default)
	}
	e.Set("budget.games", strconv.FormatInt(s.Budget.Games, 10))
	e.node("baseline", yaml.ScalarNode).LineComment = "whom the answer must beat: here the defaults"
	e.node("budget.games", yaml.ScalarNode).LineComment = "more games prove smaller gains"
	if text, err = e.Text(); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# A study of %s in %s. \"sakusen study check FILE\" says what it takes and what\n"+
		"# it can prove; \"sakusen tune FILE\" runs it. docs/keys.md has every key. Delete the\n"+
		"# parameters that are not to be tuned, and narrow ranges: fewer of them need fewer games.\n%s"+
		"# What else a file may say; \"sakusen study keys NAME\" tells its keys and their defaults:\n", strategy, game, text)
	for _, k := range Keys(samplers) {
		if !strings.ContainsAny(k.Path, ".[") && !strings.Contains(b.String(), "\n"+k.Path+":") {
			fmt.Fprintf(&b, "#   %-12s%s\n", k.Path, summary(k.Doc))
		}
	}
	return b.String(), nil
}

// summary returns the first words of a doc, up to a stop or a colon.
func summary(doc string) string {
	doc, _, _ = strings.Cut(Plain(doc), ": ")
	doc, _, _ = strings.Cut(doc, ". ")
	return doc
}

// firstSentence returns where a comment of one line ends.
func firstSentence(doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if at := strings.IndexAny(doc, ";"); at > 20 {
		doc = doc[:at]
	}
	return strings.TrimSuffix(doc, ".")
}
