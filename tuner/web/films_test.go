package web_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/suite"
	"sakusen/tuner/service"
	"sakusen/tuner/web"
	"sakusen/tuner/web/films"
)

// studio is a studio of one game. Its films have as many frames as the block
// says; one of block 1000 or more goes on until it is ended.
type studio struct {
	playing, most, ended, plays atomic.Int32
	reading                     atomic.Bool // the log is not read yet
	err                         error
}

const endless = 1000

func (h *studio) GameForms(_ context.Context, _ string, rules map[string]films.Text) ([]films.GameForm, error) {
	if rules["faces"] == "0" {
		return nil, service.New(service.Invalid, "bad rules", "faces: expected 2..20, got 0")
	}
	return []films.GameForm{{Game: "dice", Doc: "Dice.", Entrants: []string{"loaded", "fair"}, Known: []string{"fair", "loaded"},
		Rules: []films.GameFormRule{{Name: "faces", Value: "6", Default: "6"}, {Name: "kind", Value: "a", Choices: []string{"a", "b"}}}}}, h.err
}

func (h *studio) Games(_ context.Context, q films.GamesQuery) (*films.TrialGames, error) {
	if q.Study != "first" || q.Trial > 7 {
		return nil, service.New(service.NotFound, "no such trial")
	}
	if q.Wait > 0 && h.reading.Load() {
		return &films.TrialGames{Reading: true}, nil
	}
	next := int64(25)
	return &films.TrialGames{Study: q.Study, Trial: q.Trial, Meetings: []films.TrialMeeting{{Phase: "tune", Entrants: []string{"trial <7>", "baseline"}, From: 0, To: 50, Rotations: 2, Seed: "3"}},
		Games: []films.TrialGame{{Block: 3, Rotation: 1, Recorded: true}, {Block: 4}}, Next: &next}, h.err
}

func (h *studio) Open(_ context.Context, t films.Ticket) (*films.Showing, error) {
	if h.err != nil {
		return nil, h.err
	}
	if t.Study == "" && (t.Game != "dice" || len(t.Entrants) != 2) {
		return nil, service.New(service.Invalid, "the game cannot be shown", fmt.Sprintf("no game %.20q for %d", t.Game, len(t.Entrants)))
	}
	film := films.FilmHeader{Game: "dice", Rules: map[string]string{}, Notes: []string{"a <b> note"}}
	for _, e := range t.Entrants {
		film.Seats = append(film.Seats, films.FilmSeat{Name: e, Entrant: e})
	}
	return &films.Showing{Film: film, Key: fmt.Sprint(t), Play: func(ctx context.Context, each func(films.FilmFrame) error) (films.FilmEnd, error) {
		h.plays.Add(1)
		if t.Seed == "666" {
			panic("a drawer at fault")
		}
		now := h.playing.Add(1)
		h.most.Store(max(h.most.Load(), now))
		defer h.playing.Add(-1)
		for i := 0; int64(i) < t.Block || t.Block >= endless; i++ {
			if err := each(films.FilmFrame{Step: i, Text: fmt.Sprintf("step <%d>", i), SVG: `<svg class="board"><rect class="secret"/></svg>`}); err != nil {
				return films.FilmEnd{}, err
			}
			if t.Block >= endless {
				select {
				case <-ctx.Done():
					h.ended.Add(1)
					return films.FilmEnd{}, ctx.Err()
				case <-time.After(5 * time.Millisecond):
				}
			}
		}
		return films.FilmEnd{Digest: "00ff", Check: "different", Note: "Warning: not as recorded."}, nil
	}}, nil
}

func serveFilms(t testing.TB, h *studio) (*web.Server, *httptest.Server) {
	t.Helper()
	s := newTestService(t)
	server, err := web.New(web.Options{Service: s.Service, Studio: h, Hosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(server)
	t.Cleanup(func() { server.Close(); at.Close() })
	return server, at
}

const fresh = "game=dice&entrant=loaded&entrant=fair"

// Films and lists of games are there as pages and as lines of JSON; what is wrong
// is told with 4xx.
func TestFilms(t *testing.T) {
	films := &studio{}
	_, h := serveFilms(t, films)
	long := strings.Repeat("e", 1_000_000)
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/watch", "", 200, `value="loaded"`},
		{"GET", "/watch?game=dice&entrant=%22%3E%3Cb%3E&seed=7", "", 200, `value="&#34;&gt;&lt;b&gt;"`},
		{"GET", "/watch?game=dice&rule.faces=0", "", 400, "expected 2..20"},
		{"GET", "/watch/film?" + fresh + "&block=3&step=1", "", 200, "step &lt;1&gt;"},
		{"GET", "/watch/film?" + fresh + "&block=3&step=-1", "", 200, `>0 of 2<`},
		{"GET", "/watch/film?" + fresh + "&block=3&step=77&view=all", "", 200, `class="film everything"`},
		{"GET", "/watch/film?study=first&trial=7&block=3", "", 200, "Warning: not as recorded."},
		{"GET", "/watch/film?" + fresh + "&block=3&step=1", "", 200, `id="end" hidden`},
		{"GET", "/watch/film?" + fresh + "&block=3&step=1", "", 200, `>The end</a>`},
		{"GET", "/watch/film?" + fresh + "&block=3&step=2", "", 200, `id="end">`},
		{"GET", "/watch/film?" + fresh + "&block=3&step=1&result=shown", "", 200, `id="end">`},
		{"GET", "/watch/film?" + fresh + "&block=3&beside=swap", "", 200, "The same seed, seats changed"},
		{"GET", "/watch/film?" + fresh + "&block=3&beside=loaded", "", 200, "The same seed, another player"},
		{"GET", "/watch/film?" + fresh + "&instead=baseline", "", 400, "expected also a study and a trial"},
		{"GET", "/watch/film?study=first&trial=7&block=3&beside=baseline", "", 200, "the baseline in the trial's place"},
		{"GET", "/watch/film?study=first&trial=7&block=3&beside=other", "", 400, "expected swap or baseline"},
		{"GET", "/watch/film?game=dice&entrant=loaded", "", 400, "no game"},
		{"GET", "/watch/film?game=dice&seed=18446744073709551616", "", 400, "seed: expected"},
		{"GET", "/watch/film?study=first&trial=x", "", 400, "trial: expected"},
		{"GET", "/watch/film?study=..%2fx&trial=1", "", 400, "the name of a study"},
		{"GET", "/watch/film", "", 400, "expected a game"},
		{"GET", "/watch/film?study=first&seed=3", "", 400, "which the study has"},
		{"GET", "/studies/first/trials/7/games", "", 200, "trial &lt;7&gt;"},
		{"GET", "/studies/first/trials/7/games", "", 200, "/watch/film?block=3&amp;phase=tune&amp;rotation=1&amp;study=first&amp;trial=7"},
		{"GET", "/studies/first?tab=games", "", 200, "/studies/first?result=lost&amp;tab=games#tabs"},
		{"GET", "/studies/first/trials/8/games", "", 404, "no such trial"},
		{"GET", "/studies/first/trials/-8/games", "", 404, "no trial"},
		{"GET", "/studies/first/trials/9999999999999999999/games", "", 404, "no trial"},
		{"GET", "/api/v1/studies/first/trials/7/games?limit=2", "", 200, `"film":"/watch/film?block=3`},
		{"GET", "/api/v1/studies/first/trials/7/games?limit=0", "", 400, "limit"},
		{"GET", "/api/v1/studies/first/trials/7/games?meeting=-1", "", 400, "meeting"},
		{"GET", "/api/v1/films?" + fresh + "&block=3", "", 200, `{"frame":{"step":2,"seat":0,"text":"step <2>","svg":"<svg`},
		{"GET", "/api/v1/films?" + fresh + "&block=3&from=1&limit=1", "", 200, `"step":1`},
		{"GET", "/api/v1/films?" + fresh + "&block=3&from=-1", "", 400, "from"},
		{"GET", "/api/v1/films?" + fresh + "&seed=666", "", 200, `{"error":"the game could not be finished; the server's log says why"}`},
		{"GET", "/api/v1/films?" + fresh + "&block=-3", "", 400, "block"},
		{"GET", "/api/v1/films?" + fresh + "&block=1e3", "", 400, "block"},
		{"POST", "/api/v1/films", `{"game":"dice","entrants":["a","b"],"seed":7,"block":2,"rules":{"faces":6,"kind":"a","odd":true}}`, 200, `{"end":{"digest":"00ff"`},
		{"POST", "/api/v1/films", `{"game":"dice","entrants":["a"]}`, 400, "for 1"},
		{"POST", "/api/v1/films", `{"game":"dice","entrants":["a","` + long + `"]}`, 400, "entrants[1]: expected at most 2000 bytes, got 1000000"},
		{"POST", "/api/v1/films", `{"game":"dice","entrants":["a","` + long + long + `"]}`, 413, "at most"},
		{"POST", "/api/v1/films", `{"game":"dice","rules":{"faces":"` + long + `"}}`, 400, "rules"},
		{"POST", "/api/v1/films", `{"game":"dice","rules":{"faces":{"a":1}}}`, 400, "expected a string"},
		{"POST", "/api/v1/films", `{"game":"dice","entrants":[` + strings.Repeat(`"a",`, 1000) + `"a"]}`, 400, "at most 64, got 1001"},
		{"POST", "/api/v1/films", `{"game":"dice","seed":-1}`, 400, "seed"},
		{"POST", "/api/v1/films", `{"game":"dice","seed":1e30}`, 400, "seed"},
		{"POST", "/api/v1/films", `{"game":"dice","block":9223372036854775807}`, 400, "block"},
		{"POST", "/api/v1/films", `{"game":"dice","command":"rm"}`, 400, "unknown field"},
		{"POST", "/api/v1/films", `{"game":"dice","rotation":-1}`, 400, "rotation"},
		{"POST", "/api/v1/films", strings.Repeat("[", 100000), 400, "body"},
	} {
		status, text, header := ask(t, c.method, h.URL+c.path, c.body, asJSON, "Accept: text/html")
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s %.60s: %d, %.400s; want %d and %q", c.method, c.path, c.body, status, text, c.status, c.want)
		}
		if len(text) > 100_000 {
			t.Errorf("%s %s: %d bytes of answer", c.method, c.path, len(text))
		}
		if strings.Contains(text, " style=") || strings.Contains(text, " onclick=") || header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s holds what its policy forbids", c.path)
		}
	}
	for _, reading := range []bool{true, false} { // a log that is long to read is not waited for
		films.reading.Store(reading)
		for _, path := range []string{"/studies/first?tab=games", "/studies/first?tab=games&part=watching"} {
			status, text, _ := ask(t, "GET", h.URL+path, "", "Accept: text/html")
			if again := strings.Contains(text, `data-src="/studies/first?part=watching&amp;tab=games" data-again="1000"`); status != 200 || again != reading || strings.Contains(text, "result=lost") == reading {
				t.Errorf("%s, reading %v: %d, %s", path, reading, status, text)
			}
		}
	}
	for _, site := range []struct {
		headers []string
		status  int
	}{
		{[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"}, 403},
		{[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, 403},
		{[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 200},
		{[]string{"Sec-Fetch-Site: same-origin"}, 200},
	} {
		if status, _, _ := ask(t, "GET", h.URL+"/watch/film?"+fresh+"&block=2", "", site.headers...); status != site.status {
			t.Errorf("%v: %d, want %d", site.headers, status, site.status)
		}
	}
}

// Without a studio nothing is to be seen, and a fault of it is no fault of the
// asker's.
func TestNoTheatre(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	for _, path := range []string{"/watch", "/watch/film?" + fresh, "/api/v1/films?" + fresh, "/studies/first/trials/1/games"} {
		if status, text, _ := ask(t, "GET", h.URL+path, ""); status != 404 || !strings.Contains(text, "has no games to show") {
			t.Errorf("%s: %d %.200s", path, status, text)
		}
	}
	_, broken := serveFilms(t, &studio{err: errors.New("the secret path is broken")})
	for _, path := range []string{"/watch", "/watch/film?" + fresh, "/api/v1/films?" + fresh, "/studies/first/trials/1/games"} {
		if status, text, _ := ask(t, "GET", broken.URL+path, ""); status != 500 || strings.Contains(text, "secret") {
			t.Errorf("%s: %d %.200s", path, status, text)
		}
	}
}

// follow reads a stream of frames until n have come.
func follow(t testing.TB, ctx context.Context, at, query string, n int) (int, error) {
	r, err := http.NewRequestWithContext(ctx, "GET", at+"/api/v1/films?"+query, nil)
	if err != nil {
		return 0, err
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer a.Body.Close()
	in := bufio.NewScanner(a.Body)
	for i := 0; i < n; {
		if !in.Scan() {
			return a.StatusCode, in.Err()
		}
		var line map[string]json.RawMessage
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return a.StatusCode, err
		}
		if line["frame"] != nil {
			i++
		}
	}
	return a.StatusCode, nil
}

// A film is played once for all its watchers, two are played at once, one asker
// more is told to come again, and a film that everybody has left makes room.
func TestFilmsAtOnce(t *testing.T) {
	suite.All(t)
	h := &studio{}
	_, at := serveFilms(t, h)
	query := func(block int) string { return fresh + "&block=" + fmt.Sprint(block) }
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{}, 4)
	for _, block := range []int{endless, endless, endless + 1, endless + 1} {
		go func() {
			follow(t, ctx, at.URL, query(block), 1<<30)
			gone <- struct{}{}
		}()
	}
	for h.playing.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	if status, text, header := ask(t, "GET", at.URL+"/api/v1/films?"+query(endless+2), ""); status != 429 || header.Get("Retry-After") == "" {
		t.Errorf("a third film: %d %s", status, text)
	}
	if status, err := follow(t, t.Context(), at.URL, query(endless), 5); status != 200 || err != nil {
		t.Errorf("a watcher of a film that is being played: %d %v", status, err)
	}
	leave()
	for range 4 {
		<-gone
	}
	if status, err := follow(t, t.Context(), at.URL, query(endless+3), 3); status != 200 || err != nil {
		t.Errorf("after the others have left: %d %v", status, err)
	}
	if h.most.Load() != 2 || h.plays.Load() != 3 || h.ended.Load() == 0 {
		t.Errorf("%d films at once, %d played, %d ended", h.most.Load(), h.plays.Load(), h.ended.Load())
	}
	for range 3 {
		if status, _, _ := ask(t, "GET", at.URL+"/watch/film?"+query(4)+"&step=2", ""); status != 200 {
			t.Errorf("a step: %d", status)
		}
	}
	if n := h.plays.Load(); n != 4 {
		t.Errorf("three steps of one film were played %d times", n-3)
	}
}

// FuzzTicket: whatever an address or a body asks for, the answer is no fault of
// the server, and nothing that was typed becomes markup.
func FuzzTicket(f *testing.F) {
	for _, q := range []string{fresh, "study=first&trial=1", "game=dice&rule.<b>=<i>&entrant=<u>&entrant=<s>&block=2", "seed=%00&game=%ff", "study=first&phase=<b>&opponent=9", "game=<b>&step=<i>"} {
		f.Add(q, `{"game":"dice","entrants":["a","b"]}`)
	}
	f.Add("view=all", `{"rules":{"a":1e999},"seed":""}`)
	server, err := web.New(web.Options{Service: newTestService(f).Service, Studio: &studio{}, Hosts: []string{"example.com"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, query, body string) {
		if values, err := url.ParseQuery(query); err != nil || len(values.Get("block")) > 2 || strings.Contains(body, "block") {
			return // a film that goes on as long as it is watched
		}
		for i, target := range []string{"/watch/film?", "/watch?", "/api/v1/films?", "/api/v1/films"} {
			method, sent := "GET", ""
			if target == "/api/v1/films" {
				method, sent = "POST", body
			} else {
				target += query
			}
			r, err := http.NewRequest(method, "http://example.com"+target, strings.NewReader(sent))
			if err != nil {
				return
			}
			r.Header.Set("Content-Type", "application/json")
			r.RemoteAddr = fmt.Sprintf("10.0.%d.%d:1", i, len(body)%250)
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Errorf("%s %q: %d %s", method, target, w.Code, w.Body)
			}
			for _, tag := range []string{"<b>", "<i>", "<u>", "<s>"} {
				if i < 2 && slices.Contains([]int{200, 400}, w.Code) && strings.Contains(w.Body.String(), tag) {
					t.Errorf("%s: %s stands in the page", target, tag)
				}
			}
		}
	})
}

// A film is packed on the wire for who can unpack it, and every frame of it comes.
func TestFilmIsPacked(t *testing.T) {
	server, err := web.New(web.Options{Service: newTestService(t).Service, Studio: &studio{}, Hosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server)
	t.Cleanup(func() { server.Hub.Close(); h.Close() })
	path := h.URL + "/api/v1/films?game=dice&entrant=loaded&entrant=fair&block=900"
	_, plain, _ := ask(t, "GET", path, "")
	r, err := http.NewRequest("GET", path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	packed, err := io.ReadAll(answer.Body)
	if err != nil || answer.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%d %v: %v", answer.StatusCode, answer.Header, err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil || string(text) != plain || 3*len(packed) > len(plain) {
		t.Errorf("%d bytes for %d, of which %d came: %v", len(packed), len(plain), len(text), err)
	}
}
