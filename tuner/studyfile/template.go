package studyfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

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
	for _, r := range text {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '.' || r == '-') {
			return strconv.Quote(text)
		}
	}
	if text == "" || text == "true" || text == "false" || text == "null" || text == "yes" || text == "no" {
		return strconv.Quote(text)
	}
	return text
}

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
