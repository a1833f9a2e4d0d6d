package daemon

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
)

// Tickets that no game could take are refused with 4xx and a message of bearable
// length, by the games themselves; the daemon goes on, and places are free again.
func TestWatchHostile(t *testing.T) {
	s := clitest.Serve(t, t.TempDir())
	long := strings.Repeat("x", 500_000)
	deep := strings.Repeat("(", 1500)
	two := []string{"R", "R"}
	ticket := func(game string, entrants []string, more string) string {
		text, err := json.Marshal(entrants)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"game":%q,"entrants":%s%s}`, game, text, more)
	}
	for name, body := range map[string]string{
		"long entrant":      ticket("battleship", []string{"R", "R" + long}, ""),
		"longer entrant":    ticket("battleship", []string{long, long}, ""),
		"deep entrant":      ticket("battleship", []string{"R", "mp(start_squares=" + deep}, ""),
		"many entrants":     ticket("battleship", make([]string, 5000), ""),
		"no entrants":       ticket("battleship", nil, ""),
		"huge board":        ticket("battleship", two, `,"rules":{"width":1000000,"height":1000000}`),
		"negative board":    ticket("battleship", two, `,"rules":{"width":-1}`),
		"fractional board":  ticket("battleship", two, `,"rules":{"width":1e999}`),
		"crowded board":     ticket("battleship", two, `,"rules":{"width":2,"height":2}`),
		"too many players":  ticket("daifugo", []string{"random"}, `,"rules":{"players":1000000000}`),
		"too many cards":    ticket("daifugo", []string{"random"}, `,"rules":{"cards":"99999999999999999999"}`),
		"unknown rule":      ticket("battleship", two, `,"rules":{"../../etc/passwd":"1"}`),
		"a path as a map":   ticket("tubstap", []string{"single", "single"}, `,"rules":{"map":"/etc/passwd"}`),
		"a map that is not": ticket("tubstap", []string{"single", "single"}, `,"rules":{"map":"SIZEX[99999999];SIZEY[99999999];"}`),
		"a huge map":        ticket("tubstap", []string{"single", "single"}, `,"rules":{"map":"generate(1,100000,100000)"}`),
		"simulations":       ticket("tubstap", []string{"muct(simulations=1e18)", "single"}, ""),
		"seed too large":    ticket("battleship", two, `,"seed":"18446744073709551616"`),
		"seed below zero":   ticket("battleship", two, `,"seed":-1`),
		"seed no number":    ticket("battleship", two, `,"seed":"1 OR 1=1"`),
		"block too large":   ticket("battleship", two, `,"block":9007199254740993`),
		"rotation":          ticket("battleship", two, `,"rotation":2`),
		"unknown game":      ticket("<script>", two, ""),
		"study and game":    ticket("battleship", two, `,"study":"x"`),
		"injection":         `{"study":"x' OR '1'='1","trial":0}`,
		"nothing":           `{}`,
		"null":              `null`,
		"a list":            `[]`,
		"not JSON":          `game=battleship`,
	} {
		began := time.Now()
		a, err := http.Post(s.URL+"/api/v1/films", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(a.Body)
		a.Body.Close()
		if err != nil || a.StatusCode < 400 || a.StatusCode >= 500 || len(text) > 10_000 || !strings.Contains(string(text), `"error"`) {
			t.Errorf("%s: %d after %v, %v, %.300s", name, a.StatusCode, time.Since(began), err, text)
		}
	}
	for range 20 { // askers that leave at once, and slow games that no client waits for
		a, err := http.Post(s.URL+"/api/v1/films", "application/json", strings.NewReader(ticket("tubstap", []string{"muct(simulations=20000)", "single"}, `,"seed":3`)))
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
	}
	if frames, _, _ := clitest.Film(s, "/watch/film?game=battleship&entrant=R&entrant=CB"); frames < 30 {
		t.Errorf("after all that a film has %d frames", frames)
	}
}
