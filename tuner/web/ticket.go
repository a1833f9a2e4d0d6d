package web

import (
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/web/films"
)

// queryTicket reads a ticket from an address: game, entrant (repeated),
// rule.NAME and seed, or study, trial, phase and opponent; block and rotation; or
// game, rule.NAME and record, the key of a replay file.
func queryTicket(q url.Values) (ticket, error) {
	t := ticket{Ticket: films.Ticket{Game: q.Get("game"), Seed: films.Text(strings.TrimSpace(q.Get("seed"))), Study: q.Get("study"), Phase: q.Get("phase")}}
	for _, text := range q["entrant"] {
		if strings.TrimSpace(text) != "" {
			t.Entrants = append(t.Entrants, text)
		}
	}
	t.Rules = queryRules(q)
	t.replayKey = q.Get("record")
	t.Baseline = q.Get("instead") == "baseline"
	var bad []string
	whole := func(name string, most int64) int64 {
		text := q.Get(name)
		if text == "" {
			return 0
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 || n > most {
			bad = append(bad, fmt.Sprintf("%s: expected an integer from 0 to %d, got %.40q", name, most, text))
		}
		return n
	}
	t.Trial = int(whole("trial", mostKey))
	t.Opponent = int(whole("opponent", 1<<20))
	t.Block = whole("block", mostBlock)
	t.Rotation = int(whole("rotation", mostEntrants))
	if len(bad) > 0 {
		return t, service.New(service.Invalid, "the game cannot be shown", bad...)
	}
	return t, t.check()
}

// queryRules are the options of the rules in an address.
func queryRules(q url.Values) map[string]films.Text {
	rules := map[string]films.Text{}
	for name := range q {
		if option, ok := strings.CutPrefix(name, "rule."); ok && q.Get(name) != "" {
			rules[option] = films.Text(q.Get(name))
		}
	}
	return rules
}

// check holds a ticket to its bounds.
func (t *ticket) check() error {
	var bad []string
	fail := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if len(t.Entrants) > mostEntrants {
		fail("entrants: expected at most %d, got %d", mostEntrants, len(t.Entrants))
	}
	for i, text := range t.Entrants {
		if len(text) > longEntrant {
			fail("entrants[%d]: expected at most %d bytes, got %d", i, longEntrant, len(text))
		}
	}
	if len(t.Rules) > mostRules {
		fail("rules: expected at most %d, got %d", mostRules, len(t.Rules))
	}
	for name, value := range t.Rules {
		if len(name) > longEntrant || len(value) > longRule {
			fail("rules: %.40q: expected at most %d bytes, got %d", name, longRule, len(name)+len(value))
		}
	}
	if t.Seed != "" {
		if _, err := param.ParseSeed(string(t.Seed)); err != nil {
			fail("seed: %v", err)
		}
	}
	if t.Block < 0 || t.Block > mostBlock {
		fail("block: expected an integer from 0 to %d, got %d", int64(mostBlock), t.Block)
	}
	if t.Rotation < 0 || t.Rotation > mostEntrants || t.Opponent < 0 || t.Trial < 0 {
		fail("rotation, opponent, trial: expected no negative number and a rotation of at most %d", mostEntrants)
	}
	switch {
	case t.Record != "" || t.replayKey != "":
		t.checkRecord(fail)
	case t.Study == "" && t.Game == "":
		fail("expected a game with its entrants, or a study and a trial")
	case t.Study != "" && (t.Game != "" || len(t.Entrants) > 0 || len(t.Rules) > 0 || t.Seed != ""):
		fail("study: game, entrants, rules and seed cannot be given with it: the study has them")
	case t.Study != "" && !studyName.MatchString(t.Study):
		fail("study: expected the name of a study, got %.40q", t.Study)
	}
	if t.Baseline && t.Study == "" {
		fail("instead: expected a study and a trial with it, whose place the baseline takes")
	}
	if len(bad) > 0 {
		return service.New(service.Invalid, "the game cannot be shown", bad...)
	}
	return nil
}

// query is the ticket as an address has it, in a fixed order.
func (t *ticket) query() url.Values {
	q := url.Values{}
	set := func(name, text string) {
		if text != "" && text != "0" {
			q.Set(name, text)
		}
	}
	set("game", t.Game)
	for _, e := range t.Entrants {
		q.Add("entrant", e)
	}
	for name, value := range t.Rules {
		q.Set("rule."+name, string(value))
	}
	if t.Seed != "" {
		q.Set("seed", string(t.Seed))
	}
	if t.Study != "" {
		q.Set("study", t.Study)
		q.Set("trial", strconv.Itoa(t.Trial))
	}
	set("phase", t.Phase)
	set("record", t.replayKey)
	if t.Baseline {
		set("instead", "baseline")
	}
	set("opponent", strconv.Itoa(t.Opponent))
	set("block", strconv.FormatInt(t.Block, 10))
	set("rotation", strconv.Itoa(t.Rotation))
	return q
}

// pairs are an address's names and values, sorted, for hidden fields.
func pairs(q url.Values) [][2]string {
	var out [][2]string
	for name, all := range q {
		for _, value := range all {
			out = append(out, [2]string{name, value})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i][0] < out[j][0] })
	return out
}

// checkRecord checks the size of a replay file, or the form of its key.
func (t *ticket) checkRecord(fail func(format string, args ...any)) {
	if len(t.Record) > longRecord {
		fail("record: expected at most %d bytes, got %d", longRecord, len(t.Record))
	}
	if t.replayKey != "" && !recordKey.MatchString(t.replayKey) {
		fail("record: expected the key of a replay file, got %.40q", t.replayKey)
	}
	if t.Game == "" || len(t.Entrants) > 0 || t.Seed != "" || t.Study != "" || t.Phase != "" || t.Block != 0 || t.Rotation != 0 {
		fail("record: expected a game, and rules if need be; nothing else can be given with it")
	}
}
