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
