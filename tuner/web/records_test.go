package web_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"sakusen/tuner/service"
	"sakusen/tuner/web"
	"sakusen/tuner/web/films"
)

// archive is a studio that shows replay files too: all that do not hold "bad".
type archive struct{ studio }

func (a *archive) Open(ctx context.Context, t films.Ticket) (*films.Showing, error) {
	if t.Record == "" {
		return a.studio.Open(ctx, t)
	}
	if strings.Contains(t.Record, "bad") || t.Game != "dice" {
		return nil, service.New(service.Invalid, "the game cannot be shown", "record: line 1: it is <b>bad</b>")
	}
	return &films.Showing{
		Film: films.FilmHeader{Game: t.Game, Record: true}, Key: "record " + t.Record,
		Play: func(_ context.Context, each func(films.FilmFrame) error) (films.FilmEnd, error) {
			return films.FilmEnd{Note: "The record ends."}, each(films.FilmFrame{Text: fmt.Sprintf("replayed %d bytes", len(t.Record))})
		},
	}, nil
}

func (a *archive) GameForms(ctx context.Context, game string, rules map[string]films.Text) ([]films.GameForm, error) {
	stages, err := a.studio.GameForms(ctx, game, rules)
	stages[0].Records = "A file of dice"
	return stages, err
}

func serveRecords(t testing.TB) *httptest.Server {
	t.Helper()
	s := newTestService(t)
	server, err := web.New(web.Options{Service: s.Service, Studio: &archive{}, Hosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(server)
	t.Cleanup(func() { server.Close(); at.Close() })
	return at
}

// bring sends a form with a file and follows no redirection.
func bring(t testing.TB, address, field, text string, headers ...string) (status int, page, location string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile(field, "game.sgf")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(file, text); err != nil {
		t.Fatal(err)
	}
	form.Close()
	r, err := http.NewRequest("POST", address, &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	all, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(all), a.Header.Get("Location")
}

// A replay file that is uploaded has an address of its own until sixteen others
// were uploaded after it.
func TestRecords(t *testing.T) {
	h := serveRecords(t)
	if status, page, _ := ask(t, "GET", h.URL+"/watch?game=dice", "", "Accept: text/html"); status != 200 || !strings.Contains(page, "A file of dice") {
		t.Errorf("the form: %d %s", status, page)
	}
	var films []string
	for i := range 17 {
		status, page, location := bring(t, h.URL+"/watch/record?game=dice", "record", strings.Repeat("x", i+1)+"\xff")
		if status != http.StatusSeeOther || !strings.HasPrefix(location, "/watch/film?") {
			t.Fatalf("%d: %d %s, %s", i, status, location, page)
		}
		films = append(films, location)
		if i == 8 {
			if status, _, _ := ask(t, "GET", h.URL+films[0], ""); status != 200 {
				t.Errorf("the first of nine: %d", status)
			}
		}
	}
	for i, film := range films {
		status, page, _ := ask(t, "GET", h.URL+film, "", "Accept: text/html")
		if want := 200; i != 1 && (status != want || !strings.Contains(page, fmt.Sprintf("replayed %d bytes", i+2)) || !strings.Contains(page, "A replay file")) {
			t.Errorf("film %d: %d %s", i, status, page)
		}
		if i == 1 && (status != http.StatusNotFound || !strings.Contains(page, "upload it again")) {
			t.Errorf("the longest unused: %d %s", status, page)
		}
	}
	query, err := url.Parse(films[16])
	if err != nil {
		t.Fatal(err)
	}
	if status, text, _ := ask(t, "GET", h.URL+"/api/v1/films?"+query.RawQuery, ""); status != 200 || !strings.Contains(text, "replayed 18 bytes") {
		t.Errorf("its film as lines: %d %s", status, text)
	}
	if status, text, _ := ask(t, "POST", h.URL+"/api/v1/films", `{"game":"dice","record":"abc","rules":{"faces":6}}`, asJSON); status != 200 || !strings.Contains(text, "replayed 3 bytes") {
		t.Errorf("a file in the body: %d %s", status, text)
	}
}

// Files that are none, or too long, and forms of other pages are refused.
func TestBadRecords(t *testing.T) {
	h := serveRecords(t)
	for _, c := range []struct {
		name, query, field, text string
		headers                  []string
		status                   int
		want                     string
	}{
		{"bad", "game=dice", "record", "bad", nil, 400, "it is &lt;b&gt;bad"},
		{"no such game", "game=%3Cb%3E", "record", "x", nil, 400, "&lt;b&gt;bad"},
		{"no game", "", "record", "x", nil, 400, "expected only a game"},
		{"empty", "game=dice", "record", "", nil, 400, "an empty one"},
		{"another field", "game=dice", "file", "x", nil, 400, "expected a replay file"},
		{"long", "game=dice", "record", strings.Repeat("x", 256<<10+1), nil, 400, "at most 262144 bytes, got 262145"},
		{"very long", "game=dice", "record", strings.Repeat("x", 1<<20), nil, 413, "at most 1048576 bytes"},
		{"no form", "game=dice", "record", "x", []string{"Content-Type: text/plain"}, 400, "multipart/form-data"},
		{"broken form", "game=dice", "record", "x", []string{"Content-Type: multipart/form-data; boundary=no"}, 400, "multipart/form-data"},
		{"another origin", "game=dice", "record", "x", []string{"Sec-Fetch-Site: cross-site"}, 403, "another origin"},
	} {
		status, page, _ := bring(t, h.URL+"/watch/record?"+c.query, c.field, c.text, append(c.headers, "Accept: text/html")...)
		if status != c.status || !strings.Contains(page, c.want) {
			t.Errorf("%s: %d %s; want %d and %q", c.name, status, page, c.status, c.want)
		}
	}
	key := strings.Repeat("0", 32)
	for _, c := range []struct {
		query  string
		status int
	}{
		{"game=dice&record=" + key, 404}, {"game=dice&record=../x", 400}, {"record=" + key, 400}, {"game=dice&record=" + key + "&entrant=a", 400},
		{"game=dice&record=" + key + "&seed=1", 400}, {"game=dice&record=" + key + "&block=1", 400}, {"study=first&record=" + key, 400},
	} {
		for _, path := range []string{"/watch/film?", "/api/v1/films?"} {
			if status, text, _ := ask(t, "GET", h.URL+path+c.query, ""); status != c.status {
				t.Errorf("%s%s: %d %s; want %d", path, c.query, status, text, c.status)
			}
		}
	}
	for _, body := range []string{`{"game":"dice","record":"` + strings.Repeat("x", 300_000) + `"}`, `{"record":"x"}`, `{"game":"dice","record":"x","entrants":["a","b"]}`, `{"game":"dice","record":7}`, `{"game":"dice","record":"bad"}`} {
		if status, text, _ := ask(t, "POST", h.URL+"/api/v1/films", body, asJSON); status != 400 {
			t.Errorf("%.60s: %d %s", body, status, text)
		}
	}
}
