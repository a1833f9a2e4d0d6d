package web

import (
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strconv"
	"strings"
)

// picture is a drawing as an image, for a large screen and for a phone.
type picture struct {
	Key, Title   string // Key is the chapter that it belongs to
	Wide, Narrow string // SVG; Narrow is empty where one size serves both
}

// pictures returns a drawing as it stands by itself, nothing of an empty one.
func pictures(key, title string, drawing template.HTML) []picture {
	sizes := strings.SplitAfter(string(drawing), "</svg>")
	if len(sizes) < 2 || drawing == "" {
		return nil
	}
	p := picture{Key: key, Title: title, Wide: sizes[0]}
	if len(sizes) > 2 {
		p.Narrow = sizes[1]
	}
	return []picture{p}
}

// The size of a drawing, and what it says that it shows.
var (
	viewBox = regexp.MustCompile(`^<svg class="[^"]*" viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
	label   = regexp.MustCompile(`^<svg [^>]*aria-label="([^"]*)"`)
)

// sizeOf returns the width and the height of a drawing.
func sizeOf(svg string) (width, height float64) {
	m := viewBox.FindStringSubmatch(svg)
	if m == nil {
		return 0, 0
	}
	width, _ = strconv.ParseFloat(m[1], 64)
	height, _ = strconv.ParseFloat(m[2], 64)
	return width, height
}

// alone returns a drawing as a file of its own: with its size, its style and a ground, white or, for
// readers who want it on a screen, dark.
func alone(svg string) string {
	width, height := sizeOf(svg)
	end := strings.Index(svg, ">") + 1
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g"%s<style>%s@media screen and (prefers-color-scheme:dark){.ground{fill:#181c20}%s}</style><rect class="ground" width="%g" height="%g" fill="#fff"/>%s`,
		width, height, strings.TrimPrefix(svg[:end], "<svg"), styleOf(svg, false), styleOf(svg, true), width, height, svg[end:])
}

// Source returns the drawing as an address that holds it.
func (p picture) Source() template.URL { return data(p.Wide) }

// Small returns the drawing for a phone as a set of sources.
func (p picture) Small() template.Srcset { return template.Srcset(data(p.Narrow)) }

// Alt returns a description of the drawing for readers who cannot see it.
func (p picture) Alt() string {
	if m := label.FindStringSubmatch(p.Wide); m != nil {
		return html.UnescapeString(m[1])
	}
	return p.Title
}

// Width returns the width of the drawing.
func (p picture) Width() float64 {
	width, _ := sizeOf(p.Wide)
	return width
}

func data(svg string) template.URL {
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(alone(svg))))
}

var (
	cssComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssMedia    = regexp.MustCompile(`@[a-z-]+[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}`)
	cssRule     = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	cssClass    = regexp.MustCompile(`\.([a-z][a-z0-9]*)`)
	cssVariable = regexp.MustCompile(`(--[a-z0-9]+): ([^;]+);`)
	cssUse      = regexp.MustCompile(`var\((--[a-z0-9]+)\)`)
	cssSchemes  = regexp.MustCompile(`light-dark\(([^,]+), ([^)]*)\)`)
)

// styleOf returns the rules of the pages' style sheet that a drawing needs, in the colours of
// paper: programs that show pictures know no variables. Of the dark scheme it returns those
// that have a colour.
func styleOf(svg string, dark bool) string {
	scheme := "$1"
	if dark {
		scheme = "$2"
	}
	sheet, err := static.ReadFile("static/style.css")
	if err != nil {
		panic("report: the embedded style sheet is there: " + err.Error())
	}
	text := cssMedia.ReplaceAllString(cssComment.ReplaceAllString(string(sheet), ""), "")
	colours := map[string]string{}
	for _, m := range cssVariable.FindAllStringSubmatch(text, -1) {
		colours[m[1]] = cssSchemes.ReplaceAllString(m[2], scheme)
	}
	colour := func(use string) string { return colours[cssUse.FindStringSubmatch(use)[1]] }
	var b strings.Builder
	for _, m := range cssRule.FindAllStringSubmatch(text, -1) {
		var needed []string
		for selector := range strings.SplitSeq(m[1], ",") {
			selector = strings.TrimSpace(selector)
			if !strings.HasPrefix(selector, "svg") && !strings.HasPrefix(selector, ".cell") || strings.HasPrefix(selector, "svg.wide") || strings.HasPrefix(selector, "svg.narrow") {
				continue
			}
			used := true
			for _, c := range cssClass.FindAllStringSubmatch(selector, -1) {
				used = used && strings.Contains(svg, c[1])
			}
			if used {
				needed = append(needed, selector)
			}
		}
		if rule := m[2]; needed != nil && (!dark || cssUse.MatchString(rule)) {
			for cssUse.MatchString(rule) {
				rule = cssUse.ReplaceAllStringFunc(rule, colour)
			}
			fmt.Fprintf(&b, "%s{%s}", strings.Join(needed, ","), strings.TrimSpace(rule))
		}
	}
	return b.String()
}
