package clitest

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"

	"sakusen/tuner/web/films"
)

// Film watches the film at a page's address to its end.
func Film(s *Daemon, page string) (frames int, film films.FilmHeader, end films.FilmEnd) {
	s.T.Helper()
	a, err := http.Get(s.URL + strings.Replace(page, "/watch/film", "/api/v1/films", 1))
	if err != nil {
		s.T.Fatal(err)
	}
	defer a.Body.Close()
	in := bufio.NewScanner(a.Body)
	in.Buffer(nil, 1<<22)
	for in.Scan() {
		var line struct {
			Film  *films.FilmHeader
			Frame *films.FilmFrame
			End   *films.FilmEnd
			Error string
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil || line.Error != "" {
			s.T.Fatalf("%s: %v %.300s", page, err, in.Bytes())
		}
		switch {
		case line.Film != nil:
			film = *line.Film
		case line.Frame != nil:
			frames++
		case line.End != nil:
			end = *line.End
		}
	}
	return frames, film, end
}
