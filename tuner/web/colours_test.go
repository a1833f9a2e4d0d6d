package web

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// Green, amber and red belong to what a test has decided, to mistakes and failures, and
// to buttons that delete: nothing else on a page may use them. Boards have colours of
// their own.
func TestColoursOfVerdicts(t *testing.T) {
	rule := regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	may := regexp.MustCompile(`good|bad|warn|error|invalid|refused|danger|failed|lost|gone|better|worse|agrees|apart|svg \.val|valline`)
	for _, file := range []string{"style.css", "watch.css", "boards.css"} {
		text, err := fs.ReadFile(static, "static/"+file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range rule.FindAllStringSubmatch(string(text), -1) {
			if uses := regexp.MustCompile(`var\(--(good|bad|warn)`).MatchString(m[2]); uses && !strings.Contains(m[1], ":root") {
				if n++; !may.MatchString(m[1]) || file != "style.css" {
					t.Errorf("%s: %s is in the colour of a verdict", file, strings.TrimSpace(m[1]))
				}
			}
		}
		if file == "style.css" && n < 20 {
			t.Errorf("%d rules were read", n)
		}
	}
}

// Whatever colour a report gives to words has one of the dark scheme, on screens alone, and so have its drawings.
func TestReportIsDark(t *testing.T) {
	text, err := templates.ReadFile("html/report.html")
	if err != nil {
		t.Fatal(err)
	}
	scheme, page, _ := strings.Cut(string(text), "</style>")
	if !strings.Contains(scheme, "@media screen and (prefers-color-scheme: dark) {") || !strings.Contains(scheme, "\nbody { background: #0f1215 !important;") {
		t.Errorf("no dark scheme: %s", scheme)
	}
	inks := []string{inkOf("good"), inkOf("bad"), inkOf("warn")}
	for _, m := range regexp.MustCompile(`[;"]color:(#[0-9a-f]{6})`).FindAllStringSubmatch(page, -1) {
		if m[1] != "#16191d" { // the body's
			inks = append(inks, m[1])
		}
	}
	if len(inks) < 6 {
		t.Errorf("%d colours were found", len(inks))
	}
	for _, ink := range inks {
		if !strings.Contains(scheme, `[style*="color:`+ink+`"] { color: #`) {
			t.Errorf("words in %s have no dark colour", ink)
		}
	}
	drawing := alone(`<svg class="x" viewBox="0 0 20 10"><line class="grid"/><text>a</text></svg>`)
	light, dark, ok := strings.Cut(drawing, "@media screen and (prefers-color-scheme:dark){.ground{fill:#181c20}")
	if !ok || !strings.Contains(light, "#16191d") || !strings.Contains(dark, "#e8eaed") || !strings.Contains(dark, `<rect class="ground" width="20" height="10" fill="#fff"/>`) || strings.Contains(drawing, "light-dark") || strings.Contains(drawing, "var(") {
		t.Errorf("%s", drawing)
	}
}
