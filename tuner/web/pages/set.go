package pages

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"

	"sakusen/tuner/view"
)

//go:embed html/*.html
var templates embed.FS

//go:embed static
var static embed.FS

// names are the pages; each has a template of its name.
var names = []string{"now", "workers", "prove", "compare", "trial", "studies", "study", "foreign", "new", "newfile", "bench", "series", "watch", "film", "games", "error",
	"login", "tournaments", "tournament", "newtournament", "experiments", "run"}

// Set is the parsed pages by name.
type Set map[string]*template.Template

// Parse reads every page with the layout around it.
func Parse() (Set, error) {
	out := Set{}
	for _, name := range names {
		t, err := template.New("section").Funcs(view.Functions()).Funcs(studyFunctions).Funcs(jobFunctions).Parse(view.Partial)
		if err == nil {
			t, err = t.New("layout.html").ParseFS(templates, "html/layout.html", "html/check.html", "html/job.html", "html/"+name+".html")
		}
		if err != nil {
			return nil, err
		}
		out[name] = t
	}
	return out, nil
}

// Page is a page as HTML, whole or not at all.
func (s Set) Page(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := s[name].Execute(&b, data)
	return b.Bytes(), err
}

// Part is one of the templates that a page defines, for scripts that put it in
// place of an earlier one.
func (s Set) Part(page, part string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := s[page].ExecuteTemplate(&b, part, data)
	return b.Bytes(), err
}

// Static are the scripts and styles.
func Static() fs.FS {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic("pages: the embedded folder is there: " + err.Error())
	}
	return files
}

// Frame is what every page has around its own.
type Frame struct {
	Title, At, Commit string // At is the entry of the menu
	Locked            bool   // there is a login to end
	Outside           bool   // nobody has come in yet
}
