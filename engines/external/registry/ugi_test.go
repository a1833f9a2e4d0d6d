//go:build unix

package registry

import (
	"strings"
	"testing"

	"sakusen/engines/param"
)

// stones is a program that speaks UGI in the language of the shell: of a pile, one or
// as many stones as its argument says are taken, and who takes the last one has won.
func pile(name, takes, result string) Entry {
	script := `while read -r a b c d; do case $a in
ugi) echo "id name Pile"; echo ugiok;;
isready) echo readyok;;
position) set -- $c $d; n=$1; first=true; shift; for m; do if [ $m != moves ]; then n=$((n-m)); if [ $first = true ]; then first=false; else first=true; fi; fi; done;;
go) echo bestmove $(( n < $TAKES ? n : $TAKES ));;
query) case $b in
 gameover) [ $n = 0 ] && echo response true || echo response false;;
 p1turn) echo response $first;;
 result) if [ $n != 0 ]; then echo response none; elif [ $RESULT = lies ]; then echo response draw; elif [ $first = true ]; then echo response p2win; else echo response p1win; fi;;
 esac;;
quit) exit;; esac; done`
	return Entry{Name: name, Protocol: "ugi", Command: []string{"/bin/sh", "-c", script}, Environment: []string{"TAKES=" + takes, "RESULT=" + result}}
}

// Two programs play a game that nobody here knows, and agree who has won; where they
// do not, the block is void.
func TestUGI(t *testing.T) {
	s := opened(t, pile("one", "1", "true"), pile("two", "2", "true"), pile("liar", "2", "lies"))
	rules := param.Values{{Name: "book", Text: "fen 3|fen 4|fen 5 moves 1"}, {Name: "limit", Text: "depth:1"}}
	rs, tally := consenting(t, s.UGI(), rules, "two", "one", 3)
	e := tally.Entrants[0]
	// From 3: 2 1, or 1 2: the second wins each time. From 4: 2 1 1 and 1 2 1: the first.
	// After 5 and 1 the second is to move: 2 1 1 and 1 2 1: it wins both times.
	if points(e) != 6 || e.Seats[0].Score != 2 || e.Sums[rs.Component("void")] != 0 || rs.Starts != 3 {
		t.Errorf("%+v", e)
	}
	if why, err := rs.Recorded("two"); err != nil || why != "" {
		t.Errorf("%s, %v", why, err)
	}
	rs, tally = consenting(t, s.UGI(), rules, "liar", "two", 2)
	if e := tally.Entrants[0]; points(e) != 4 || e.Sums[rs.Component("void")] != 4 || e.Sums[rs.Component("disputes")] != 4 {
		t.Errorf("%+v", e)
	}
	if _, err := s.UGI().OpenRules(param.Values{{Name: "book", Text: "fen 3|fen 3"}}); err == nil || !strings.Contains(err.Error(), "line 2 is line 1 again") {
		t.Error(err)
	}
}
