package view

import (
	"bytes"
	"encoding/json"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

// Functions returns what templates of pages call besides [Partial], such as
//
//	{{template "section" (section .Sections "proof")}}   one section: a list of facts, or a table
func Functions() template.FuncMap {
	return template.FuncMap{
		"section": Find, "noted": PageNote, "typeset": Typeset, "shades": shades, "failed": Failed,
		"podium": func(t *service.PlayedTournament) string { return Podium(t.Report, t.Whole) },
	}
}

// Partial is the template "section" of pages.
const Partial = `{{define "section"}}{{if .Columns}}<div class="scroll" tabindex="0" role="region" aria-label="{{or .Title .Key}}, all columns"><table class="section {{.Key}}">
<thead><tr>{{range .Head}}<th scope="col">{{or . "#"}}</th>{{end}}</tr></thead>
<tbody>{{range .Rows}}<tr>{{range .}}{{if eq .Class "head"}}<th scope="row"{{with .Note}} title="{{.}}"{{end}}>{{.Value}}</th>{{else}}<td{{with .Class}} class="{{.}}"{{end}}{{with .Note}} title="{{.}}"{{end}}>{{if .Link}}<a href="{{.Link}}"{{if eq $.Key "crosstable"}} aria-label="{{.Value}}: watch the first game"{{else}} rel="noreferrer"{{end}}>{{.Value}}</a>{{else}}{{.Value}}{{end}}{{with .Interval}}<br><small>± {{.Half}}</small>{{end}}</td>{{end}}{{end}}</tr>
{{end}}</tbody></table></div>{{with .Below}}<p class="leg">{{typeset .}}</p>{{end}}
{{else}}<dl class="section {{.Key}}">{{range .Lines}}<dt>{{.Label}}</dt><dd>{{typeset .Text}}</dd>{{end}}</dl>{{end}}{{end}}`

// Rows returns a table's cells for pages, those of labels among them: numbers are typeset and
// have the class of numbers, and the cell that names its row has the class "head". A cell
// keeps its interval only where the half-width stands below the value.
func (s Section) Rows() [][]Cell {
	out := make([][]Cell, len(s.Lines))
	for i := range s.Lines {
		l := &s.Lines[i]
		out[i] = append(out[i], Cell{Value: l.Label, Note: l.Note})
		for k, c := range l.Cells {
			out[i] = append(out[i], shown(c, s.Columns[k+1].Shows)...)
		}
		for k := range out[i] {
			c := &out[i][k]
			if c.Class == word {
				continue
			}
			if numeric(c.Value) {
				c.Class = strings.TrimSpace("n " + c.Class)
			}
			if k == s.names {
				c.Class = "head"
			}
			c.Value, c.Note = Typeset(c.Value), Typeset(c.Note)
		}
	}
	return out
}

// word is the class of cells such as commits, which are no numbers whatever their digits.
const word = "word"

// numeric reports whether a value is a number or an interval.
func numeric(text string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(text, "["), " ")
	_, err := strconv.ParseFloat(strings.TrimRight(first, ",%"), 64)
	return err == nil || text == "-"
}

// Typeset returns a text with its numbers in the form of pages.
func Typeset(text string) string {
	tokens := strings.Split(strings.ReplaceAll(text, " +- ", " ± "), " ")
	for i, token := range tokens {
		core := strings.TrimLeft(token, "[(+")
		lead := token[:len(token)-len(core)]
		core = strings.TrimRight(core, "])%,.:;")
		if _, err := strconv.ParseFloat(core, 64); err == nil && core != "" && (core[0] == '-' || core[0] >= '0' && core[0] <= '9') {
			tokens[i] = lead + numeral.Page(core) + token[len(lead)+len(core):]
		}
	}
	return strings.Join(tokens, " ")
}

// With is a result whose JSON object has its sections in a field "sections".
type With struct {
	Result   any
	Sections []Section
}

// MarshalJSON writes the result with its sections.
func (w With) MarshalJSON() ([]byte, error) {
	var parts [2]bytes.Buffer
	for i, v := range []any{w.Result, w.Sections} {
		e := json.NewEncoder(&parts[i])
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			return nil, err
		}
	}
	object := bytes.TrimSuffix(bytes.TrimSpace(parts[0].Bytes()), []byte("}"))
	return slices.Concat(object, []byte(`,"sections":`), parts[1].Bytes(), []byte("}")), nil
}
