package web

import (
	"compress/gzip"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"sakusen/tuner/web/api"
	"sakusen/tuner/web/pages"
)

// frame is what every page has.
func (s *Server) frame(title, at string) pages.Frame {
	return pages.Frame{Title: title, At: at, Commit: s.o.Commit, Locked: len(s.gate.access.Load().Tokens) > 0}
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
	compressed(w, r, status, html)
}

// compressed answers with a text, packed where the asker can unpack it. A text
// holds no secret that a page elsewhere could guess by its length: the API and its
// cookies are closed to other sites.
func compressed(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if len(text) < 1400 || r == nil || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.WriteHeader(status)
		w.Write(text)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	z := gzip.NewWriter(w)
	z.Write(text)
	z.Close() // a reader that is gone is no error of ours
}

// part answers with a part of a page.
func (s *Server) part(w http.ResponseWriter, r *http.Request, page, part string, data any) error {
	html, err := s.pages.Part(page, part, data)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	compressed(w, r, http.StatusOK, html)
	return nil
}

// failPage answers with an error as a page.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	p := s.answerTo(r, err)
	home, name := homeOf(r.URL.Path)
	title := errorTitle(p.Status)
	s.render(w, r, p.Status, "error", struct {
		pages.Frame
		Text           string
		Errors         []string
		Home, HomeName string
	}{s.frame(title, ""), p.Text, p.Errors, home, name})
}

// errorTitle is a status in words.
func errorTitle(status int) string {
	switch status {
	case http.StatusNotFound:
		return "There is no such page"
	case http.StatusBadRequest:
		return "That cannot be understood"
	case http.StatusConflict:
		return "That cannot be done now"
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return "Try again in a moment"
	}
	return http.StatusText(status)
}

// homeOf is the list to which a path belongs.
func homeOf(path string) (address, name string) {
	switch {
	case strings.HasPrefix(path, "/tournaments"):
		return "/tournaments", "All tournaments"
	case strings.HasPrefix(path, "/experiments"):
		return "/experiments", "All experiments"
	case strings.HasPrefix(path, "/bench"):
		return "/bench", "All benchmarks"
	case strings.HasPrefix(path, "/watch"):
		return "/watch", "Watch a game"
	}
	return "/studies", "All studies"
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
		if text, err := fs.ReadFile(files, name); err == nil && (strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".css")) && r.Method == http.MethodGet && r.Header.Get("Range") == "" {
			w.Header().Set("Content-Type", map[bool]string{true: "text/javascript; charset=utf-8", false: "text/css; charset=utf-8"}[strings.HasSuffix(name, ".js")])
			compressed(w, r, http.StatusOK, text)
			return
		}
		serve.ServeHTTP(w, r)
	})
}

// roleStyle hides from a page the forms that the token cannot use. It is for the eye
// alone: what is hidden is refused as well.
func (s *Server) roleStyle(w http.ResponseWriter, r *http.Request) error {
	var hidden []string
	have := s.gate.role(r)
	if have < api.Submit {
		hidden = append(hidden, `nav a[href="/new"]`, `a[href^="/new"]`, `form[method=post][action="/experiments"]`, `form[method=post][action^="/new"]`)
	}
	if have < api.Administer {
		for _, does := range []string{"pause", "resume", "stop", "priority", "delete", "note", "points", "accept"} {
			hidden = append(hidden, fmt.Sprintf(`form[method=post][action$="/%s"]`, does))
		}
	}
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	if len(hidden) > 0 {
		fmt.Fprintf(w, "%s { display: none; }\n", strings.Join(hidden, ",\n"))
	}
	return nil
}
