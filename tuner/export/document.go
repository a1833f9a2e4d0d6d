package export

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Document is the exported JSON, in its order.
type Document struct {
	Study string `json:"study"`
	// Foreign says that a program keeps the study with Goptuna's API: it has no game, no
	// strategy and no baseline, and its values are those of the best trial.
	Foreign  bool              `json:"foreign,omitempty"`
	Game     string            `json:"game"`
	Strategy string            `json:"strategy"`
	Params   map[string]string `json:"params"`
	// Native are Params as numbers and booleans; see [param.Kind.Native]. Entrant is the
	// same as a canonical text, as commands read it. Write fills both from Values.
	Native  map[string]any `json:"values,omitempty"`
	Entrant string         `json:"entrant,omitempty"`
	// Objective names the metric that was searched for, if it was one.
	Objective  *Goal                   `json:"objective,omitempty"`
	Claimed    tuner.Claim             `json:"claimed"`
	Validation *tuner.ValidationReport `json:"validation"`
	// Defaults is how the values stand against the strategy's defaults, where these are not
	// the baseline and met them.
	Defaults *tuner.AgainstDefaults `json:"defaults,omitempty"`
	// Bounds are what the validation was to show; nil where there is none.
	Bounds     *Bounds    `json:"bounds,omitempty"`
	Baseline   Baseline   `json:"baseline"`
	Provenance Provenance `json:"provenance"`
	// Front is the Pareto front of several objectives; see WriteFront.
	Front []tuner.FrontPoint `json:"front,omitempty"`

	// Values are Params in the order of declaration, with their kinds.
	Values []Value `json:"-"`
	// Named are the names of those that the study file tunes or fixes; empty where it is not
	// known.
	Named []string `json:"-"`
	// Tuned are those that were tuned over more than one value, with their ranges: input
	// of other tuners.
	Tuned []Tuned `json:"-"`
	// Program is how the strategy is started where that is a program, nil where it is not known.
	Program *ForeignEngine `json:"-"`
}

// Bounds are what a verdict was about: a pass says that the gain is above the
// first bound, with a chance of at most Alpha that it is not.
type Bounds struct {
	GainElo [2]float64 `json:"gain_elo"`
	Alpha   float64    `json:"alpha"` // this attempt's share of the spec's
	Beta    float64    `json:"beta"`
}

// Baseline is the frozen opponent.
type Baseline struct {
	Strategy string            `json:"strategy"`
	Params   map[string]string `json:"params"`
	Entrant  string            `json:"entrant,omitempty"` // canonical text
}

// Goal is a metric that was searched for, with what the search claims of the winner.
type Goal struct {
	Name     string   `json:"name"`
	Goal     string   `json:"goal"` // minimize or maximize
	Claimed  *float64 `json:"claimed"`
	Error    *float64 `json:"standard_error"`
	Relative bool     `json:"relative,omitempty"` // to the baseline's, on the same blocks
}

// Provenance is where a document comes from.
type Provenance struct {
	Seed       string `json:"seed"` // decimal
	Games      int64  `json:"games"`
	Commit     string `json:"commit"`
	Signature  string `json:"signature"`
	Created    string `json:"created"` // RFC 3339, of the study
	SpecSHA256 string `json:"spec_sha256"`
	// Class is "recorded" where the games cannot be played again, and else empty.
	Class string `json:"class,omitempty"`
}

// Value is one parameter's value and kind.
type Value struct {
	param.Value
	Kind param.Kind
}

// writeYAML writes the JSON document as YAML for people: parameters once, and what was measured
// to four digits.
func writeYAML(w io.Writer, d *Document) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return err
	}
	setBlockStyle(&node)
	fields := &node.Content[0].Content
	for i := 0; i < len(*fields); i += 2 {
		switch f := *fields; {
		case f[i].Value != "params":
			round(f[i+1])
		case i+3 < len(f) && f[i+2].Value == "values": // of the same names
			f[i+1] = f[i+3]
			*fields = slices.Delete(f, i+2, i+4)
		}
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	return errors.Join(e.Encode(&node), e.Close())
}

// round rounds the numbers of a node that are no integers.
func round(n *yaml.Node) {
	if x, err := strconv.ParseFloat(n.Value, 64); n.Tag == "!!float" && err == nil {
		n.Value, n.Tag = numeral.Text(x), ""
	}
	for _, c := range n.Content {
		round(c)
	}
}

// setBlockStyle turns the style of JSON into YAML's: block style but for lists, and quotes
// only where a text would read as something else.
func setBlockStyle(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		n.Style = 0
	}
	for _, c := range n.Content {
		setBlockStyle(c)
	}
}

// head returns the lines of provenance behind a mark of comments. A study's name may be any
// text, so that a line could end the comment.
func (d *Document) head(mark string) string {
	var b strings.Builder
	for _, line := range d.provenance() {
		b.WriteString(mark + plain.Line(line) + "\n")
	}
	return b.String()
}

// provenance returns what heads the forms without fields for it.
func (d *Document) provenance() []string {
	if d.Foreign {
		return []string{fmt.Sprintf("Study %s of a program that keeps it with Goptuna's API, created %s, exported by sakusen: the best trial, %s %s (%s); nothing is proved.",
			d.Study, d.Provenance.Created, d.Objective.Name, value(d.Objective.Claimed), d.Objective.Goal)}
	}
	claimed := "The search claims nothing of these values."
	if d.Claimed.Elo != nil {
		claimed = "Claimed by the search: " + elo(d.Claimed.Elo, nil) + "."
	}
	lines := []string{fmt.Sprintf("Study %s: %s of %s, exported by sakusen.", d.Study, d.Strategy, d.Game), claimed}
	if g := d.Objective; g != nil {
		lines[1] = fmt.Sprintf("Claimed by the search: %s %s (%s).", g.Name, value(g.Claimed), g.Goal)
	}
	verdict, floor := "", 0.0
	if d.Bounds != nil {
		floor = d.Bounds.GainElo[0]
	}
	if v := d.Validation; v != nil {
		verdict, _ = strings.CutSuffix(strings.Replace(v.Verdict, "inconclusive", "undecided", 1)+", "+v.Doubt(floor), ", ")
	}
	if v := d.Validation; v != nil && v.Metric != nil {
		m := v.QuotedMetric()
		text := fmt.Sprintf("Validated: %s, %s %s, the baseline's %s, gain %s", verdict, m.Name, value(m.Winner), value(m.Baseline), value(m.Gain))
		if m.GainCI != nil {
			text += fmt.Sprintf(" [%s, %s]", value(&m.GainCI[0]), value(&m.GainCI[1]))
		}
		lines = append(lines, fmt.Sprintf("%s, %s, attempt %d.", text, played(v), v.Attempt))
	} else if v != nil {
		_, gain, ci := v.Quoted()
		lines = append(lines, fmt.Sprintf("Validated: %s, %s, %s, attempt %d.", verdict, elo(gain, ci), played(v), v.Attempt))
	}
	if x := d.Defaults; x != nil && !x.Won && x.Elo != nil {
		lines = append(lines, fmt.Sprintf("Against the defaults of %s: %s, %d games.", d.Strategy, elo(x.Elo, x.CI95), x.Games))
		if x.CI95 != nil && x.CI95[1] < 0 {
			lines[len(lines)-1] += " These values are weaker than the defaults."
		}
	}
	if b := d.Bounds; b != nil {
		lines = append(lines, fmt.Sprintf("Bounds: a gain above %g Elo, where %g is hoped for; alpha %.4g, beta %.4g.", b.GainElo[0], b.GainElo[1], b.Alpha, b.Beta))
	}
	if d.Provenance.Class != "" {
		lines = append(lines, "Class "+d.Provenance.Class+": the games cannot be played again.")
	}
	return append(lines,
		fmt.Sprintf("Baseline: %s.", d.Baseline.text()),
		fmt.Sprintf("Seed %s, %d games, commit %s, signature %s, study created %s, spec %s.",
			d.Provenance.Seed, d.Provenance.Games, d.Provenance.Commit, d.Provenance.Signature, d.Provenance.Created, d.Provenance.SpecSHA256))
}

// played returns the blocks by which the quoted gain was measured.
func played(v *tuner.ValidationReport) string {
	e := v.Estimate
	switch {
	case e == nil || e.Elo == nil && v.QuotedMetric() == v.Metric:
		return fmt.Sprintf("%d blocks", v.Blocks)
	case e.Whole:
		return fmt.Sprintf("%d blocks and those of the verdict that did not decide it", e.Blocks)
	}
	return fmt.Sprintf("%d blocks that had no part in the verdict", e.Blocks)
}

func (b Baseline) text() string {
	if b.Strategy == "" {
		return "none"
	}
	names := slices.Sorted(maps.Keys(b.Params))
	for i, n := range names {
		names[i] = n + "=" + b.Params[n]
	}
	return b.Strategy + "(" + strings.Join(names, ",") + ")"
}

// filled returns the document with what follows from its values.
func (d *Document) filled() *Document {
	out := *d
	values := make(param.Values, len(d.Values))
	out.Native = make(map[string]any, len(d.Values))
	for i, v := range d.Values {
		values[i] = v.Value
		out.Native[v.Name] = v.Kind.Native(v.Text)
	}
	if d.Foreign {
		return &out
	}
	out.Entrant = arena.Entrant{Strategy: d.Strategy, Params: values}.Canonical()
	return &out
}

func value(x *float64) string {
	if x == nil {
		return "undefined"
	}
	return numeral.Text(*x)
}

func elo(x *float64, ci *[2]float64) string {
	if x == nil {
		return "no Elo"
	}
	if ci == nil {
		return strconv.FormatFloat(*x, 'f', 1, 64) + " Elo" + stats.Beyond(*x)
	}
	low, high := numeral.EloEnds(ci[0], ci[1])
	return fmt.Sprintf("%s Elo%s [%s%s, %s%s]", numeral.Elo(*x), stats.Beyond(*x), low, stats.Beyond(ci[0]), high, stats.Beyond(ci[1]))
}

// writeGo writes a Go file with one constant a parameter.
func writeGo(w io.Writer, d *Document) error {
	var b strings.Builder
	name := cmp.Or(d.Strategy, d.Study)
	pkg := identifier(name, false)
	if !token.IsIdentifier(pkg) {
		return fmt.Errorf("go: expected a name that can be that of a package (ASCII letters and digits, a letter first, no keyword), got %q of %q", pkg, name)
	}
	names, err := d.identifiers("go", func(name string) string { return identifier(name, true) })
	if err != nil {
		return err
	}
	b.WriteString(d.head("// ") + "\npackage " + pkg + "\n\nconst (\n")
	for i, v := range d.Values {
		text := v.Text
		if v.Kind == param.Choice {
			text = strconv.Quote(text)
		}
		fmt.Fprintf(&b, "\t%s = %s\n", names[i], text)
	}
	b.WriteString(")\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	_, err = w.Write(text)
	return err
}

// identifier turns "place.kind" into PlaceKind, or placekind for a package.
func identifier(name string, exported bool) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !word(r) }) {
		if exported {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	return b.String()
}

// word reports whether a character is a letter or a digit of an identifier; names of
// engines' options hold spaces and brackets.
func word(r rune) bool { return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }

// identifiers returns the parameters' names in a form, or an error where one is no
// identifier or two are the same.
func (d *Document) identifiers(form string, of func(string) string) ([]string, error) {
	var all []string
	for _, v := range d.Values {
		id := of(v.Name)
		if !token.IsIdentifier(id) {
			return nil, fmt.Errorf("%s: expected parameters whose names give identifiers of ASCII letters and digits, a letter first, got %q of %q", form, id, v.Name)
		}
		if at := slices.Index(all, id); at >= 0 {
			return nil, fmt.Errorf("%s: expected parameters whose names give different identifiers, got %s of %q and of %q", form, id, d.Values[at].Name, v.Name)
		}
		all = append(all, id)
	}
	return all, nil
}

// inLines returns an error where a name or a value does not stay in its line.
func (d *Document) inLines(form string) error {
	for _, v := range d.Values {
		for _, text := range []string{v.Name, v.Text} {
			if strings.ContainsFunc(text, unicode.IsControl) {
				return fmt.Errorf("%s: parameter %q: expected a name and a value without control characters, got %q", form, v.Name, text)
			}
		}
	}
	return nil
}

// writeEnv writes shell assignments: place.kind becomes PLACE_KIND.
func writeEnv(w io.Writer, d *Document) error {
	names, err := d.identifiers("env", func(name string) string {
		return strings.ToUpper(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !word(r) && r != '_' }), "_"))
	})
	if err := errors.Join(err, d.inLines("env")); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(d.head("# "))
	for i, v := range d.Values {
		fmt.Fprintf(&b, "%s='%s'\n", names[i], strings.ReplaceAll(v.Text, "'", `'\''`))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// writeCSV writes parameter, kind and value, one row each, after a header. Each row
// also has what was proved of all of them together: the verdict, the gain to quote with its interval,
// the two gains that the test told apart, all in Elo, and the attempt's alpha; they are empty where
// nothing was.
func writeCSV(w io.Writer, d *Document) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"parameter", "kind", "value", "verdict", "gain_elo", "gain_elo_from", "gain_elo_to", "tested_above_elo", "tested_hoped_elo", "alpha"}); err != nil {
		return err
	}
	proved := make([]string, 7)
	put := func(at int, all ...float64) {
		for i, x := range all {
			proved[at+i] = strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	if v := d.Validation; v != nil {
		proved[0] = v.Verdict
		if _, elo, ci := v.Quoted(); elo != nil && ci != nil {
			put(1, *elo, ci[0], ci[1])
		}
	}
	if b := d.Bounds; b != nil {
		put(4, b.GainElo[0], b.GainElo[1], b.Alpha)
	}
	for _, v := range d.Values {
		if err := c.Write(append([]string{plain.Cell(v.Name), v.Kind.String(), plain.Cell(v.Text)}, proved...)); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// writeUCI writes the lines that set an engine's options, after a head of lines that
// engines pass over: those that the study names. All others stay as the engine has them.
func writeUCI(w io.Writer, d *Document) error {
	if err := d.inLines("uci"); err != nil {
		return err
	}
	named := func(name string) bool { return len(d.Named) == 0 || slices.Contains(d.Named, name) }
	short := *d
	short.Baseline.Params = maps.Clone(d.Baseline.Params)
	maps.DeleteFunc(short.Baseline.Params, func(name, text string) bool { return !named(name) && text == d.Params[name] })
	var b strings.Builder
	b.WriteString(short.head("# "))
	left := 0
	for _, v := range d.Values {
		if named(v.Name) {
			fmt.Fprintf(&b, "setoption name %s value %s\n", v.Name, v.Text)
		} else {
			left++
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "# %d further options were not tuned; --format csv has them.\n", left)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
