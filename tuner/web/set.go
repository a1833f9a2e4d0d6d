package web

import (
	"bytes"
	"embed"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sakusen/bench"
	"sakusen/tuner/build"
	"sakusen/tuner/numeral"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
)

//go:embed html/*.html
var templates embed.FS

//go:embed static
var static embed.FS

// menu has the entry of the menu under which each page stands. A page has a template of its
// name, which defines its title and its content.
var menu = map[string]string{"now": "now", "workers": "now", "studies": "studies", "study": "studies", "foreign": "studies", "compare": "studies", "prove": "studies",
	"trial": "studies", "games": "studies", "new": "new", "newfile": "new", "bench": "bench", "series": "bench", "watch": "watch", "film": "watch", "error": "", "login": "",
	"tournaments": "tournaments", "tournament": "tournaments", "newtournament": "tournaments", "experiments": "experiments", "run": "experiments",
	"tests": "tests", "test": "tests", "newtest": "tests"}

// pageSet is the pages as each role sees them, and the path before their addresses.
type pageSet struct {
	may    func(api.Role, string) (bool, error) // reports whether a role may send a form to a path
	theirs *sync.Map                            // of role and name to *template.Template
	base   base
}

// parsed returns every page by name with the layout around it. A process parses them once,
// and executes only clones of them. In templates, (may "/path") reports whether who sees the
// page may send a form to a path, so that no page has one that would be refused.
var parsed = sync.OnceValue(func() map[string]*template.Template {
	functions := template.FuncMap{"may": func(string) bool { return false }}
	out := map[string]*template.Template{}
	for name := range menu {
		t := template.Must(template.New("section").Funcs(view.Functions()).Funcs(studyFunctions).Funcs(jobFunctions).Funcs(functions).Parse(view.Partial))
		out[name] = template.Must(t.New("layout.html").ParseFS(templates, "html/layout.html", "html/check.html", "html/job.html", "html/list.html", "html/"+name+".html"))
	}
	return out
})

// part returns one of the templates that a page defines as HTML, whole or not at all, as a
// role sees it.
func (s pageSet) part(role api.Role, page, part string, data any) ([]byte, error) {
	key := struct {
		api.Role
		string
	}{role, page}
	t, ok := s.theirs.Load(key)
	if !ok {
		its := template.Must(parsed()[page].Clone())
		t, _ = s.theirs.LoadOrStore(key, its.Funcs(template.FuncMap{"may": func(path string) (bool, error) { return s.may(role, path) }}))
	}
	var b bytes.Buffer
	err := t.(*template.Template).ExecuteTemplate(&b, part, data)
	return s.base.page(build.Named(b.Bytes())), err
}

// staticFiles returns the scripts and styles.
func staticFiles() fs.FS {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic("pages: the embedded folder is there: " + err.Error())
	}
	return files
}

// frame is a page with what every page has around its own.
type frame struct {
	Content    any
	At, Commit string // At is the entry of the menu
	Locked     bool   // there is a login to end
	Outside    bool   // there is no login yet
}

// studyFunctions are what the templates of studies call.
var studyFunctions = template.FuncMap{
	"answer":  view.AnswerOf,
	"far":     func(s service.Study) string { return view.Far(&s) },
	"share":   func(s service.Study) int { return view.Share(&s) },
	"left":    func(s service.Study) string { return view.Left(&s) },
	"steps":   view.Steps,
	"place":   chart.Place,
	"test":    view.Test,
	"jobPath": jobPath,
	"count":   numeral.Count,
	"counted": func(n any, thing string) (string, error) {
		x, err := strconv.ParseInt(fmt.Sprint(n), 10, 64)
		return numeral.Counted(x, thing), err
	},
	"whole":     func(n int) string { return numeral.Count(int64(n)) },
	"persecond": fleet.PerSecond, "percent": fleet.Percent,
	"when":  when,
	"path":  url.PathEscape,
	"term":  term,
	"known": known,
	// phase is a phase of a study as pages call it.
	"phase": func(name string) string {
		return map[string]string{"tune": "search"}[name] + strings.TrimPrefix(name, "tune")
	},
	// estimate is a value with the half-width of its 95 % interval, from its
	// standard error.
	"estimate": func(x, e *float64) string {
		if x == nil {
			return "-"
		}
		return view.Typeset(numeral.PlusMinus(*x, stats.Deviate95*numeral.OrNaN(e)))
	},
	// brief is a value of a parameter with the digits that one reads.
	"brief": func(text string) string {
		if x, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, ".") {
			return numeral.Page(numeral.Text(x))
		}
		return text
	},
	"score":    numeral.Text,
	"numberOf": numberText,
	"version":  func() string { return build.Version },
	"short":    func(commit string) string { return commit[:min(12, len(commit))] },
}

// when returns a time for people, which scripts put into words and into local time.
func when(at any) template.HTML {
	t, ok := at.(time.Time)
	if !ok {
		text := fmt.Sprint(at)
		var err error
		if t, err = time.Parse(time.RFC3339, text); err != nil {
			return template.HTML(template.HTMLEscapeString(text))
		}
	}
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` + t.Format("2 Jan 2006, 15:04") + ` UTC</time>`)
}

// clock returns a time of day in the near future, which scripts put into local time.
func clock(t time.Time) template.HTML {
	t = t.UTC()
	return template.HTML(`<time class="clock" datetime="` + t.Format(time.RFC3339) + `" title="` + t.Format("2 Jan 2006, 15:04 UTC") + `">` + t.Format("15:04") + ` UTC</time>`)
}

// jobFunctions are what the templates of jobs call.
var jobFunctions = template.FuncMap{
	"jobPercent": view.JobShare, "jobFar": view.JobFar, "jobLeft": view.JobLeft, "jobTook": view.JobTook,
	"underWay": func(j service.Job) bool { return j.State == "running" || j.State == "queued" },
	"resting":  func(j service.Job) bool { return j.State == "paused" || j.State == "stopped" || j.State == "failed" },
	"day":      when,
	"measure":  bench.Measure,
	"next":     func(i int) int { return i + 1 },
	// seriesAt is the address of a benchmark's series.
	"seriesAt": func(title, machine, against string) template.URL {
		q := url.Values{}
		for name, value := range map[string]string{"machine": machine, "against": against} {
			if value != "" {
				q.Set(name, value)
			}
		}
		u := url.URL{Path: "/bench/" + title, RawQuery: q.Encode()}
		return template.URL(u.String()) // escaped part by part
	},
	// onPage is a text in which flags of the command line are the fields of a form.
	"onPage": strings.NewReplacer("--games", "games", "--simulations", "simulations", "--seed", "seed", "--rules", "rules").Replace,
	"class":  func(verdict string) string { return strings.ReplaceAll(verdict, " ", "-") },
}

// words is the glossary, a word and its meaning a line, in alphabetical order; commas stand
// between words that one meaning explains. docs/glossary.md is written from it.
//
//go:embed words.txt
var words string

// meaning returns what a word means.
func meaning(name string) (string, bool) {
	for line := range strings.Lines(words) {
		if names, text, _ := strings.Cut(line, ": "); slices.Contains(strings.Split(names, ", "), name) {
			return strings.TrimSpace(text), true
		}
	}
	return "", false
}

// known returns those of some words, in the order given and once each, that the glossary
// has, with their definitions.
func known(names []string) template.HTML {
	var out template.HTML
	for i, name := range names {
		if _, ok := meaning(name); ok && !slices.Contains(names[:i], name) {
			out += term(name) + " "
		}
	}
	return out
}

// term returns a word with its definition, from the glossary, shown as it is or otherwise.
func term(name string, shown ...string) template.HTML {
	word := template.HTMLEscapeString(append(shown, name)[0])
	text, ok := meaning(name)
	if !ok {
		return template.HTML(word)
	}
	return template.HTML(`<span class="term" tabindex="0" role="note">` + word + `<span class="tip">` + template.HTMLEscapeString(text) + `</span></span>`)
}

// base is the path of a proxy below which browsers see the server, such as /sakusen; empty
// for none. Handlers, routes and templates know nothing of it: it is taken off what comes in
// and put before what goes out, which is pages, redirects, cookies and the API's description.
type base string

// addresses matches the attributes in which pages name paths of the server.
var addresses = regexp.MustCompile(`( (?:href|src|action|formaction|hx-(?:get|post)|data-(?:address|beside|events|film|page|src|trial))=")(/(?:[^/]|$))`)

// page returns HTML of templates with the path before its addresses. Text of others cannot
// look like an attribute there, since its quotes are escaped.
func (b base) page(html []byte) []byte {
	if b == "" {
		return html
	}
	return addresses.ReplaceAll(html, []byte("${1}"+string(b)+"${2}"))
}

// description returns the API's description with the path as its server.
func (b base) description() []byte {
	return bytes.Replace(api.Description, []byte(`"url": "/"`), fmt.Appendf(nil, `"url": "%s/"`, b), 1)
}

// cookiePath returns the path of the server's cookies.
func (b base) cookiePath() string { return string(b) + "/" }

// handler takes the path off requests, of which a proxy may have taken it already, and puts
// it before the addresses to which they are redirected.
func (b base) handler(next http.Handler) http.Handler {
	if b == "" {
		return next
	}
	stripped := http.StripPrefix(string(b), next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = &based{w, b}
		switch {
		case r.URL.Path == string(b):
			http.Redirect(w, r, "/", http.StatusMovedPermanently)
		case strings.HasPrefix(r.URL.Path, string(b)+"/"):
			stripped.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// check refuses a path that begins as one of the server's own: a request behind a proxy that
// takes the path off would mean two things.
func (b base) check(routes []route) error {
	first, _, _ := strings.Cut(strings.TrimPrefix(string(b), "/"), "/")
	for _, r := range append(routes, route{pattern: "/static/"}) {
		if own, _, _ := strings.Cut(strings.TrimPrefix(r.pattern, "/"), "/"); b != "" && own == first {
			return service.New(service.Invalid, fmt.Sprintf("base_path: expected a path that does not begin with one of the server's own such as /%s, got %s", own, b))
		}
	}
	return nil
}

// based is an answer whose redirects lead below a path.
type based struct {
	http.ResponseWriter
	base base
}

// WriteHeader implements http.ResponseWriter.
func (w *based) WriteHeader(status int) {
	if to := w.Header().Get("Location"); strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
		w.Header().Set("Location", string(w.base)+to)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the writer below, for [http.ResponseController].
func (w *based) Unwrap() http.ResponseWriter { return w.ResponseWriter }
