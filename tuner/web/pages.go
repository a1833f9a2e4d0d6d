package web

import (
	"bytes"
	"io/fs"
	"net/http"
	"strings"
)

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
