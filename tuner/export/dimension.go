package export

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/scanner"

	"sakusen/engines/param"
)

// literal is a value as Python writes it: a number, a text, a switch, a list, a tuple or a call.
type literal struct {
	kind  byte   // '0' a number, 's' a text, 'b' a switch, 'n' None, '[' a list or tuple, 'f' a call
	text  string // the number, the text, true or false, the function's name
	items []literal
	names []string // of the items of a call, empty where they have none
}

// whole reports whether it is a number without a fraction's mark.
func (l *literal) whole() bool { return l.kind == '0' && !strings.ContainsAny(l.text, ".eE") }

func (l *literal) number() (float64, bool) {
	x, err := strconv.ParseFloat(l.text, 64)
	return x, l.kind == '0' && err == nil && math.Abs(x) <= 1e15
}

// python reads literals token by token: of numbers, names and texts those of Go are near enough.
type python struct {
	scanner.Scanner
	next rune // the token that is not taken yet, and its text
	text string
}

// escaped matches a character of a text that stands behind a backslash.
var escaped = regexp.MustCompile(`(?s)\\(.)`)

// parsePython reads a text that is one literal.
func parsePython(text string) (literal, bool) {
	p := &python{}
	p.Init(strings.NewReader(text))
	p.Mode = scanner.ScanIdents | scanner.ScanFloats | scanner.ScanStrings | scanner.ScanChars
	p.Error = func(*scanner.Scanner, string) {} // texts in single quotes are none of Go
	p.pass()
	l, ok := p.value(8)
	return l, ok && l.kind != 'w' && p.next == scanner.EOF
}

func (p *python) pass() { p.next, p.text = p.Scan(), p.TokenText() }

// take passes a token, where it is the next one.
func (p *python) take(token rune) bool {
	if p.next != token {
		return false
	}
	p.pass()
	return true
}

// value reads a value, or a word before a sign of equality, which is of kind w.
func (p *python) value(depth int) (l literal, ok bool) {
	token, text := p.next, p.text
	if p.pass(); depth == 0 {
		return l, false
	}
	switch token {
	case '[', '(':
		l.kind = '['
		ok = p.list(&l, map[rune]rune{'[': ']', '(': ')'}[token], depth)
	case scanner.String, scanner.Char:
		ok = len(text) > 1 && text[len(text)-1] == text[0]
		l = literal{kind: 's', text: escaped.ReplaceAllString(text[1:max(1, len(text)-1)], "$1")}
	case '+', '-', scanner.Int, scanner.Float:
		if token == '+' || token == '-' {
			text += p.text
			p.pass()
		}
		l = literal{kind: '0', text: strings.ReplaceAll(text, "_", "")}
		_, ok = l.number()
	case scanner.Ident:
		switch l.text = text; {
		case text == "True" || text == "False":
			l = literal{kind: 'b', text: strings.ToLower(text)}
			ok = true
		case text == "None":
			l.kind, ok = 'n', true
		case p.take('('):
			l.kind = 'f'
			ok = p.list(&l, ')', depth)
		default:
			l.kind, ok = 'w', p.next == '='
		}
	}
	return l, ok
}

// list reads items up to the end of a list or call.
func (p *python) list(l *literal, end rune, depth int) bool {
	for !p.take(end) {
		name := ""
		item, ok := p.value(depth - 1)
		if ok && item.kind == 'w' && l.kind == 'f' && p.take('=') {
			name = item.text
			item, ok = p.value(depth - 1)
		}
		if !ok || item.kind == 'w' {
			return false
		}
		l.items, l.names = append(l.items, item), append(l.names, name)
		if !p.take(',') {
			return p.take(end)
		}
	}
	return true
}

// dimensionWant says what ranges look like.
const dimensionWant = "Real(low, high), Integer(low, high), Categorical([...]), a tuple or a list"

// arguments returns those of a call by their names, in whose order they stand where they have
// none; false where there are others.
func (l *literal) arguments(names ...string) (map[string]literal, bool) {
	out := map[string]literal{}
	for i, item := range l.items {
		name := l.names[i]
		if name == "" {
			if i >= len(names) {
				return nil, false
			}
			name = names[i]
		}
		if _, twice := out[name]; twice || !slices.Contains(names, name) {
			return nil, false
		}
		out[name] = item
	}
	return out, true
}

// readDimension reads a range. want says what was expected where it is none.
func readDimension(name, text string) (p param.Declared, want string) {
	p = param.Declared{Name: name}
	l, ok := parsePython(text)
	if !ok {
		return p, dimensionWant
	}
	kind := l.text
	var in map[string]literal
	switch {
	case l.kind == 'f' && (kind == "Real" || kind == "Integer"):
		in, ok = l.arguments("low", "high", "prior", "base", "transform", "name", "dtype")
	case l.kind == 'f' && kind == "Categorical":
		in, ok = l.arguments("categories", "prior", "transform", "name")
	case l.kind == '[': // as skopt.space.check_dimension takes it
		kind, in = "Categorical", map[string]literal{"categories": l}
		if n := len(l.items); n >= 2 && n <= 4 && l.items[0].kind == '0' && l.items[1].kind == '0' && (n == 2 || l.items[2].kind == 's') {
			l.kind, l.names = 'f', make([]string, n)
			if kind = "Real"; l.items[0].whole() && l.items[1].whole() {
				kind = "Integer"
			}
			in, ok = l.arguments("low", "high", "prior", "base")
		}
	default:
		ok = false
	}
	if !ok {
		return p, dimensionWant
	}
	if kind == "Categorical" {
		for _, c := range in["categories"].items {
			if c.kind != '0' && c.kind != 's' && c.kind != 'b' {
				return p, "numbers, texts and switches as categories"
			}
			p.Choices = append(p.Choices, c.text)
		}
		if len(p.Choices) == 0 {
			return p, dimensionWant
		}
		p.Kind, p.Default = "choice", param.Text(p.Choices[0])
		return p, ""
	}
	low, high := in["low"], in["high"]
	var ok2 bool
	p.Low, ok = low.number()
	p.High, ok2 = high.number()
	prior, has := in["prior"]
	if !ok || !ok2 || has && prior.text != "uniform" && prior.text != "log-uniform" {
		return p, dimensionWant
	}
	if p.Log = prior.text == "log-uniform"; p.Log && p.Low <= 0 {
		return p, "a logarithmic range above 0"
	}
	middle := (p.Low + p.High) / 2
	if p.Log {
		middle = math.Sqrt(p.Low * p.High)
	}
	p.Kind, p.Default = "float", param.Text(short(middle))
	if kind == "Integer" {
		p.Kind, p.Default = "int", param.Text(short(math.Floor(middle)))
	}
	return p, ""
}

// readClock reads a time control of cutechess as the limit of a game: SECONDS+SECONDS or
// MINUTES:SECONDS+SECONDS.
func readClock(text string) (string, bool) {
	base, more, has := strings.Cut(strings.TrimSpace(text), "+")
	if !has {
		more = "0"
	}
	minutes := 0.0
	if m, s, ok := strings.Cut(base, ":"); ok {
		x, err := strconv.ParseFloat(m, 64)
		if err != nil || x < 0 {
			return "", false
		}
		minutes, base = x, s
	}
	seconds, err := strconv.ParseFloat(base, 64)
	increment, err2 := strconv.ParseFloat(more, 64)
	seconds += 60 * minutes
	if err != nil || err2 != nil || !(seconds >= 0.001 && seconds <= 86400 && increment >= 0 && increment <= 3600) {
		return "", false
	}
	return fmt.Sprintf("clock:%s+%s", short(seconds), short(increment)), true
}
