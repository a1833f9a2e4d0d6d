package contest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// digest is the digest of games: of the lines "block,rotation,transcript digest" of a
// series, in order.
type digest struct {
	hash hash.Hash
	line []byte
}

func newDigest() *digest { return &digest{hash: sha256.New()} }

// add adds the games of a run.
func (d *digest) add(r *arena.Run) {
	for i, game := range r.Digests[:r.Blocks*r.Rotations] {
		d.line = strconv.AppendInt(d.line[:0], r.From+int64(i/r.Rotations), 10)
		d.line = append(d.line, ',')
		d.line = strconv.AppendInt(d.line, int64(i%r.Rotations), 10)
		d.line = append(d.line, ',')
		for shift := 60; shift >= 0; shift -= 4 {
			d.line = append(d.line, "0123456789abcdef"[game>>shift&15])
		}
		d.hash.Write(append(d.line, '\n'))
	}
}

// sum returns the digest of all games added so far, in hexadecimal.
func (d *digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// Match is a match that is to be played, or was.
type Match struct {
	Series arena.Series
	Test   *stats.Test // nil: a fixed number of blocks
	// AllPairs has the test judge all pairs of games, of a race between two; see
	// [stats.Place].
	AllPairs bool
	// Unrepeatable says that programs of other people take part, which need not play
	// the same twice.
	Unrepeatable bool
	// Progress, unless nil, is told after every run that the blocks before `to`
	// are played and how many games the run had; running says what is known so far.
	Progress func(to, games int64, running func() string)
	// Interrupted says that Play was ended before its time.
	Interrupted bool

	// Records, unless nil, returns what each worker has played of the series before its end. Where games
	// cannot be played again a verdict stands only if it does without the games of each worker whose own
	// lean towards it.
	Records func(ctx context.Context, s *arena.Series) (map[string]stats.Record, error)

	// StopAlike ends a test for its second hypothesis where the entrants have played
	// the same games in so many blocks that the first cannot be weaker.
	StopAlike bool

	Tally arena.Tally  // of what was played
	Look  stats.Result // the test's last look

	digest *digest
	seen   arena.Seen
	race   *entry.LengthCollector // of a game that is one
	differ bool                   // some block had different games in its rotations
	posted int64                  // blocks that other clients say they have played
	path   path                   // the test's looks
}

// Posted is the worker of blocks that a daemon holds because a client has posted
// them: no program of ours has seen them being played.
const Posted = "posted"

// NewMatch returns a match of so many blocks between entrants in the forms that people
// write. Where the rules leave the number of seats open, there are as many as
// entrants; entrants of the same name are numbered.
func NewMatch(game *arena.Game, rules param.Values, entrants []string, seed uint64, blocks int64) (*Match, error) {
	rs, err := game.OpenRules(WithSeats(game, rules, len(entrants)))
	if err != nil {
		return nil, err
	}
	m := &Match{Series: arena.Series{Ruleset: rs, Seed: seed, Phase: arena.Match, To: blocks}}
	for _, text := range entrants {
		e, err := rs.Entrant(text)
		if err != nil {
			return nil, err
		}
		m.Series.Entrants = append(m.Series.Entrants, e)
	}
	m.Series.Entrants = arena.Distinct(m.Series.Entrants)
	return m, nil
}

// WithSeats returns the rules with the number of seats taken from the number of entrants
// where the rules leave it open.
func WithSeats(game *arena.Game, rules param.Values, entrants int) param.Values {
	if game.SeatsOption == "" {
		return rules
	}
	if _, given := rules.Get(game.SeatsOption); given {
		return rules
	}
	return append(rules, param.Value{Name: game.SeatsOption, Text: strconv.Itoa(entrants)})
}

// CheckTest returns an error that says why a sequential test, where there is one, cannot
// decide this match.
func (m *Match) CheckTest() error {
	if m.Test == nil {
		return nil
	}
	if m.Series.Ruleset.Game.Unscored {
		return fmt.Errorf("expected a game with a winner, %s has only metrics", m.Series.Ruleset.Game.Name)
	}
	if m.AllPairs && entry.NewLengthCollector(m.Series.Ruleset) == nil {
		return fmt.Errorf("all pairs: expected a game of two who play alone and the faster wins, as Battleship, got %s", m.Series.Ruleset.Game.Name)
	}
	if m.candidate() != 0 && !m.Mirror() && m.Series.Ruleset.Seats != 2 {
		return errors.New("with more than two seats, expected the first entrant against others that are all the same")
	}
	return nil
}

// Mirror reports whether all entrants are the same, so that the seats decide.
func (m *Match) Mirror() bool {
	return len(m.Series.Entrants) > 1 && arena.AllEqual(m.Series.Entrants)
}

// candidate returns the index of the one entrant that meets equals, -1 if there is
// none. Of two entrants it is the first.
func (m *Match) candidate() int {
	count := map[string]int{}
	for _, e := range m.Series.Entrants {
		count[e.Canonical()]++
	}
	if len(count) != 2 {
		return -1
	}
	for i, e := range m.Series.Entrants {
		if count[e.Canonical()] == 1 {
			return i
		}
	}
	return -1
}

// add takes a run into the digest and the counts.
func (m *Match) add(r *arena.Run) {
	m.seen.Add(r)
	m.race.Add(r)
	if r.Worker == Posted {
		m.posted += int64(r.Blocks)
	}
	m.digest.add(r)
}

// Digest returns the digest of all games played so far.
func (m *Match) Digest() string { return m.digest.sum() }

const (
	// lookEvery is the number of blocks between two looks of a test: few enough
	// to stop in time, many enough that a look costs nothing.
	lookEvery = 8
	// firstStage is the number of blocks that are handed to the host at first; each later
	// stage is a quarter of what was played. So a test that ends has played few blocks too
	// many, and slow games are shown, stored and interrupted in small pieces.
	firstStage = 16
	// fewBlocks is a number of blocks that may all be the same game by chance.
	fewBlocks = 8
)

// errDecided stops a series when the test has ended.
var errDecided = errors.New("the test has ended")

// Play plays the match to its end. Interrupted, m.Tally covers what was played.
func (m *Match) Play(ctx context.Context, host arena.Host) error {
	rs := m.Series.Ruleset
	m.digest, m.seen, m.posted, m.differ, m.path = newDigest(), arena.Seen{}, 0, false, path{}
	if m.race = nil; m.Test == nil || m.AllPairs {
		m.race = entry.NewLengthCollector(rs)
	}
	m.Tally = arena.NewTally(rs.Seats, len(rs.Components))
	var strategies []string
	for _, e := range m.Series.Entrants {
		strategies = append(strategies, e.Strategy)
	}
	why, err := rs.Recorded(strategies...)
	if err != nil {
		return err
	}
	kept := why != "" // what is played too much is no loss, and slots that wait for a stage's last game are
	if !kept {
		m.Records = nil // games that are played again prove themselves
	}
	for from := int64(0); from < m.Series.To && (m.Test == nil || m.silent() == ""); {
		stage := m.Series
		stage.From = from
		if !kept {
			stage.To = min(m.Series.To, from+max(firstStage, from/4/lookEvery*lookEvery))
		}
		if err := m.playStage(ctx, host, stage); errors.Is(err, errDecided) {
			if why := entry.TimeDecides(rs, entry.NewEvidence(m.Series, m.Tally).Faults.OnTime(), m.Tally.Games); why != "" && m.Look.Verdict == stats.H1 {
				m.Look.Verdict, m.Look.Reason = stats.Inconclusive, why
			}
			return nil
		} else if err != nil {
			return err
		}
		from = stage.To
	}
	if silent := m.silent(); m.Test != nil && silent != "" { // and more blocks would say no more
		m.Look.Verdict, m.Look.Reason = stats.Inconclusive, "no information: "+silent
	}
	return nil
}

// playStage plays a part of the match.
func (m *Match) playStage(ctx context.Context, host arena.Host, stage arena.Series) error {
	if m.Test != nil {
		_, err := host.Play(ctx, stage, func(r *arena.Run) error { return m.judge(ctx, r) })
		return err
	}
	_, err := host.Play(ctx, stage, func(r *arena.Run) error {
		m.add(r)
		m.Tally.Add(r)
		m.tell(r.From+int64(r.Blocks), int64(r.Blocks*r.Rotations))
		return nil
	})
	return err
}

// silent returns the reason why the blocks played so far say nothing about strength, and
// why more of them would not either; "" if they do say something.
func (m *Match) silent() string {
	switch {
	case m.Tally.Blocks == 0:
		return ""
	case m.Mirror():
		return "all entrants are the same, so the rotations of a block are one game"
	case m.Tally.Blocks >= fewBlocks && m.seen.Blocks() == 1:
		return fmt.Sprintf("all %d blocks are the same games: nothing is left to chance", m.Tally.Blocks)
	}
	return ""
}

// judge adds a run, part by part up to the next look, and ends the series when the test
// ends. The looks do not depend on how the host divided the series into runs.
func (m *Match) judge(ctx context.Context, r *arena.Run) error {
	end := r.From + int64(r.Blocks)
	for from := r.From; from < end; {
		to := min(end, (from/lookEvery+1)*lookEvery)
		part := r.Slice(from, to)
		m.add(part)
		m.Tally.Add(part)
		from = to
		alike := m.playAlike(part)
		if to%lookEvery != 0 && to != m.Test.MaxBlocks {
			continue
		}
		var err error
		if m.Look, err = m.Test.Judge(m.judged()); err != nil {
			return err
		}
		m.path.add(m.Tally.Blocks, m.Tally.Games, m.Look.LLR)
		if m.Look.Done() && m.Records != nil {
			if err := m.doubt(ctx); err != nil {
				return err
			}
		}
		if alike && !m.Look.Done() {
			m.endAlike()
			return errDecided
		}
		if m.Look.Done() && m.silent() == "" {
			return errDecided
		}
	}
	m.tell(end, int64(r.Blocks*r.Rotations))
	return nil
}

// Doubted is who leans by falsified (by a tenth of his games) less certain errors of all games, or mostLean of his own.
const falsified, certain, mostLean = .05, 6, 3

// doubt takes a verdict back that hangs on the games of one worker, which lean towards it: the test goes
// on until it is clear without them, or until that worker is set aside.
func (m *Match) doubt(ctx context.Context) error {
	judged := m.Series // what lies behind is another look's
	judged.To = m.Tally.Blocks
	records, err := m.Records(ctx, &judged)
	if err != nil {
		return err
	}
	for name := range records {
		x := stats.StratumOf(2, records, name)
		// What the daemon has played may not be stored yet.
		x.Others.Counts = slices.Clone(m.blocks(0).Counts)
		for i, n := range x.Worker.Counts {
			x.Others.Counts[i] -= n
		}
		lean, own, all := x.Lean()
		lean *= map[stats.Verdict]float64{stats.H1: 1, stats.H0: -1}[m.Look.Verdict]
		if name == "" || own == 0 || lean < min(mostLean*own, falsified-certain*all) || len(x.Others.Counts) != 5 {
			continue
		}
		without, err := m.Test.Judge(x.Others)
		if err != nil {
			return err
		}
		if without.Verdict != m.Look.Verdict {
			m.Look.Verdict, m.Look.Reason = stats.Continue, ""
			if m.Tally.Blocks == m.Test.MaxBlocks {
				m.Look.Verdict, m.Look.Reason = stats.Inconclusive, "the verdict would depend on the games of worker "+name
			}
			return nil
		}
	}
	return nil
}

// blocks returns an entrant's histogram of block scores.
func (m *Match) blocks(entrant int) stats.Blocks {
	b := stats.Rotated(m.Tally.Seats, m.Tally.Entrants[entrant].Scores)
	b.Distinct = m.repeated()
	return b
}

// judged returns what the test judges: the first entrant's blocks or all pairs of their games.
func (m *Match) judged() stats.Blocks {
	b := m.blocks(0)
	if m.AllPairs && b.Distinct == 0 {
		b.Placed = stats.Place(m.race.Lengths())
	}
	return b
}

// distinct returns the number of different blocks so far.
func (m *Match) distinct() int64 {
	if m.Series.Ruleset.Game.FreshChance {
		return m.Tally.Blocks
	}
	return m.seen.Blocks()
}

// repeated returns the number of different blocks where some came again, else 0.
func (m *Match) repeated() int64 {
	if d := m.distinct(); d < m.Tally.Blocks {
		return d
	}
	return 0
}

// tell shows how far the match is.
func (m *Match) tell(to, games int64) {
	if m.Progress != nil {
		m.Progress(to, games, m.running)
	}
}

// running returns what the games so far say of the first entrant's strength: its score, Elo
// and, where a test decides, how far that is; empty where they say nothing yet.
func (m *Match) running() string {
	if m.Tally.Blocks == 0 || m.Series.Ruleset.Game.Unscored || m.silent() != "" {
		return ""
	}
	e := m.entrant(0)
	score, _ := e.CI95.Round(e.Score, 4)
	text := "score " + score
	if e.Elo.Defined && e.EloCI95.Defined() {
		value, margin := numeral.Pair(e.Elo.Value, e.EloCI95.Half())
		text += fmt.Sprintf(", Elo %s +- %s", value, margin)
	}
	if m.Test != nil {
		text += fmt.Sprintf(", LLR %.2f in (%.2f, %.2f)", m.Look.LLR, m.Look.Lower, m.Look.Upper)
	}
	return text
}

// Two builds of one program often play the same games, which say nothing to a
// sequential test however many there are. But they say that a block with other
// games is rare, and one block gains or loses at most half a point.

// alikeEnough returns how many blocks, all of them with the same game in every rotation, show that
// the first entrant is not weaker by as much as Elo0. If it were, so many such blocks in a row
// would have a chance of at most alpha. 0 where no number of them does.
//
// Source: a score that is d below one half needs at least 2d of the blocks to differ,
// and n blocks without any then have the chance (1-2d)^n.
func alikeEnough(t *stats.Test) int64 {
	if t.Model != stats.Logistic || t.Elo0 >= 0 {
		return 0
	}
	differ := 2 * (0.5 - 1/(1+math.Pow(10, -t.Elo0/400)))
	return int64(math.Ceil(math.Log(t.Alpha) / math.Log1p(-differ)))
}

// playAlike looks at the blocks of a run, and tells whether all
// blocks until now had one game in all rotations and there are enough of them.
func (m *Match) playAlike(r *arena.Run) bool {
	for b := range r.Blocks {
		games := r.Digests[b*r.Rotations : (b+1)*r.Rotations]
		for _, d := range games {
			if d != games[0] {
				m.differ = true
			}
		}
	}
	enough := alikeEnough(m.Test)
	return m.StopAlike && !m.differ && enough > 0 && m.Tally.Blocks >= enough
}

// endAlike sets the verdict on entrants that play alike.
func (m *Match) endAlike() {
	m.Look.Verdict = stats.H1
	m.Look.Reason = fmt.Sprintf("both played the same games in all %d blocks, which has a chance below %g if the first is weaker by %g Elo", m.Tally.Blocks, m.Test.Alpha, -m.Test.Elo0)
}
