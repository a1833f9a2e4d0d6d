package web

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"math"
	"net/http"
	"strings"
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
	"sakusen/tuner/service"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed static
var staticFiles embed.FS

// pages are the parsed templates by name.
type pages map[string]*template.Template

// parsePages reads every page with the layout around it.
func parsePages() (pages, error) {
	out := pages{}
	for _, name := range []string{"studies", "study", "new", "newfile", "bench", "series", "watch", "film", "games", "error",
		"tournaments", "tournament", "newtournament", "experiments", "run"} {
		t, err := template.New("layout.html").Funcs(pageFunctions).Funcs(jobFunctions).ParseFS(pageFiles, "pages/layout.html", "pages/check.html", "pages/job.html", "pages/"+name+".html")
		if err != nil {
			return nil, err
		}
		out[name] = t
	}
	return out, nil
}

// frame is what every page has.
type frame struct {
	Title, At, Version string
	Locked             bool // there is a login to end
}

func (s *Server) frame(title, at string) frame {
	return frame{title, at, s.o.Version, s.access.Load().Token != ""}
}

// render answers with a page, whole or not at all.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	var b bytes.Buffer
	if err := s.pages[name].Execute(&b, data); err != nil {
		s.o.Log.Error("page", "page", name, "path", r.URL.Path, "error", err)
		http.Error(w, "the server failed; its log says why", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

// failPage answers with an error as a page.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	p := s.answerTo(r, err)
	title := http.StatusText(p.Status)
	s.render(w, r, p.Status, "error", struct {
		frame
		Text   string
		Errors []string
	}{s.frame(title, ""), p.Text, p.Errors})
}

// static serves the embedded scripts and styles.
func (s *Server) static() http.Handler {
	files, err := fs.Sub(staticFiles, "static")
	if err != nil {
		return http.NotFoundHandler() // the embedded folder is there
	}
	serve := http.StripPrefix("/static/", http.FileServerFS(files))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/static/")
		if info, err := fs.Stat(files, name); err != nil || info.IsDir() { // also of names that are none
			s.fail(w, r, problem(http.StatusNotFound, "there is nothing at this path"))
			return
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		serve.ServeHTTP(w, r)
	})
}

var pageFunctions = template.FuncMap{
	"percent": func(s service.Study) int {
		if s.MaxGames == 0 || s.State == "done" {
			return 100
		}
		return int(min(100, 100*played(s)/s.MaxGames))
	},
	"playedGames": played,
	"left": func(s service.Study) string {
		if s.Progress == nil || s.Progress.Left <= 0 {
			return ""
		}
		return "at most " + time.Duration(s.Progress.Left*float64(time.Second)).Round(time.Second).String()
	},
	"best": service.Best,
	"optional": func(x *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Text(*x)
	},
	// estimate is a value with the half-width of its 95 % interval, from its
	// standard error; rounded is that value alone.
	"estimate": func(x, e *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Typeset(*x, rating.Deviate95*numeral.OrNaN(e))
	},
	"rounded": func(x, e *float64) string {
		if x == nil {
			return "-"
		}
		return numeral.Rounded(*x, rating.Deviate95*numeral.OrNaN(e))
	},
	// within is a value that an interval belongs to.
	"within": func(x *float64, ci *[2]float64) string {
		switch {
		case x == nil:
			return "-"
		case ci == nil:
			return numeral.Text(*x)
		}
		return numeral.Rounded(*x, (ci[1]-ci[0])/2)
	},
	"interval": func(ci *[2]float64) string {
		if ci == nil {
			return "-"
		}
		low, high := numeral.Interval(ci[0], ci[1])
		return low + " to " + high
	},
	"score": numeral.Text,
	"short": func(commit string) string {
		if len(commit) > 12 {
			return commit[:12]
		}
		return commit
	},
	// level is the confidence of a two-sided interval that an attempt's alpha gives.
	"level": func(alpha float64) string { return numeral.Text(math.Round(1000*(1-2*alpha))/10) + " %" },
}

// played is the number of games that a study has played.
func played(s service.Study) int64 {
	if s.Progress != nil {
		return s.Progress.Games
	}
	return s.Games
}
