package web

import (
	"io/fs"
	"net/http"
	"strings"

	"sakusen/tuner/web/pages"
)

// frame is what every page has.
func (s *Server) frame(title, at string) pages.Frame {
	return pages.Frame{Title: title, At: at, Version: s.o.Version, Locked: len(s.access.Load().Tokens) > 0}
}

// render answers with a page, whole or not at all.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	html, err := s.pages.Page(name, data)
	if err != nil {
		s.o.Log.Error("a page cannot be drawn", "page", name, "path", r.URL.Path, "error", err)
		http.Error(w, "the server failed; its log says why", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(html)
}

// part answers with a part of a page.
func (s *Server) part(w http.ResponseWriter, page, part string, data any) error {
	html, err := s.pages.Part(page, part, data)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.Write(html)
	return nil
}

// failPage answers with an error as a page.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	p := s.answerTo(r, err)
	title := http.StatusText(p.Status)
	s.render(w, r, p.Status, "error", struct {
		pages.Frame
		Text   string
		Errors []string
	}{s.frame(title, ""), p.Text, p.Errors})
}

// static serves the embedded scripts and styles.
func (s *Server) static() http.Handler {
	files := pages.Static()
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
