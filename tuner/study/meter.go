package study

import (
	"slices"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
)

// progressEvery bounds how often a listener is called.
const progressEvery = 100 * time.Millisecond

// phaseSeconds is how long a phase takes before its own speed is told.
const phaseSeconds = 1

// meter adds up the progress of a run and reports it.
type meter struct {
	mu     sync.Mutex
	tell   func(tuner.Progress)
	now    tuner.Progress
	pace   numeral.Pace
	played int64 // games of this run
	behind bool  // the log's games are not added up

	reserved, proof int64   // games behind the search; of the validation
	wholly          bool    // the search ends with its games, not with its trials
	share           float64 // of the expected games, the largest that was told: it never falls
	// closed is the number of trials before the last batch, and spent their games.
	closed int
	spent  int64
	since  int64 // games when the phase began
	after  int64 // games that are played after a pass, at most
	// began is when the phase did, and playedThen the games of this run by then.
	began      time.Time
	playedThen int64
}

func newMeter(s *tuner.Setup, answers bool, tell func(tuner.Progress)) *meter {
	back := int64(s.Validation.SetBack * float64(s.Budget.Games))
	reserved, wholly := s.Reserved(answers), answers && s.MostTrials(answers) < s.Budget.Trials
	if !wholly { // else the search leaves them no games
		reserved += back
	}
	return &meter{
		tell: tell, reserved: reserved, proof: s.ValidationGames(), after: s.Validation.Held()*s.ValidationBlockGames() + back,
		behind: true, wholly: wholly, pace: numeral.New(time.Now(), progressEvery),
		now: tuner.Progress{
			Phase: "tune", MaxTrials: s.MostTrials(answers), MaxGames: s.Budget.Games, Incumbent: -1, Seats: tuner.GainSeats(s),
		},
	}
}

// look shows what the validation saw.
func (m *meter) look(l tuner.ProofLook) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Looks = append(slices.Clip(m.now.Looks), l)
	m.send(true)
}

// add counts a run of blocks.
func (m *meter) add(r *arena.Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	games := int64(r.Blocks * r.Rotations)
	m.now.Blocks += int64(r.Blocks)
	m.now.Games += games
	m.played += games
	m.send(false)
}

// phase notes what the study does now, and the games before it, of which a study that goes on
// has not added up those of its log.
func (m *meter) phase(name string, before int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.now.Phase = name; name != "replay" { // which is a part of the validation
		m.since, m.now.Games = before, max(before, m.now.Games)
	}
	m.began, m.playedThen = time.Now(), m.played
	m.send(true)
}

// proves notes that a parameter set is proved now, unless that has been decided.
func (m *meter) proves(t *tuner.Trial, before int64, decided bool) {
	m.mu.Lock()
	m.now.Answer = t.Params.Values().Map()
	m.mu.Unlock()
	if !decided {
		m.phase("validation", before)
	}
}

// further notes a phase after a pass, and the number of its games and of those that follow it.
func (m *meter) further(name string, before, games int64) {
	m.mu.Lock()
	m.after = games
	m.mu.Unlock()
	m.phase(name, before)
}

// trials notes the number of trials. games adds up the games in the log; it is not called
// for every entry that is replayed, which would take longer than reading the log.
func (m *meter) trials(trials int, replaying bool, games func() int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tell == nil {
		return
	}
	before := m.now.Trials
	m.now.Trials = trials
	defer func() {
		if trials > before && m.now.Games > 0 {
			m.closed, m.spent = before, m.now.Games
		}
	}()
	switch {
	case replaying && m.pace.Due(time.Now()), !replaying && m.behind:
		m.now.Games, m.behind = max(m.now.Games, games()), false // games of a batch that is not told yet are not in the log
	case replaying:
		m.behind = true
	}
	m.send(false)
}

// incumbent shows the new incumbent.
func (m *meter) incumbent(t *tuner.Trial) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Incumbent, m.now.Params = t.Number, t.Params.Values().String()
	m.now.Value, m.now.Error = t.Estimate.Value, t.Estimate.Error
	m.send(true)
}

// send calls the listener, at most every progressEvery unless always is set.
func (m *meter) send(always bool) {
	if m.tell == nil {
		return
	}
	now := time.Now()
	if !always && !m.pace.Due(now) {
		return
	}
	m.pace.Shown(now)
	m.now.PerSecond = m.pace.PerSecond(now, m.played)
	if s := now.Sub(m.began).Seconds(); s > phaseSeconds && m.played > m.playedThen { // the phases are not equally fast
		m.now.PerSecond = float64(m.played-m.playedThen) / s
	}
	if m.now.Expected = m.expected(); m.now.Expected > 0 {
		m.share = max(m.share, float64(m.now.Games)/float64(m.now.Expected))
		m.now.Expected = min(m.now.Expected, max(m.now.Games, int64(float64(m.now.Games)/max(m.share, 1e-9))))
	}
	m.now.Proof = min(m.now.Expected, map[string]int64{"tune": m.reserved, "final": m.reserved, "validation": m.proof}[m.now.Phase])
	m.now.Left = numeral.Left(m.now.MaxGames-m.now.Games, m.now.PerSecond)
	m.tell(m.now)
}

// expected returns the number of games that the whole study will have taken.
func (m *meter) expected() int64 {
	games := int64(0)
	switch m.now.Phase {
	case "tune":
		if m.wholly {
			return m.now.MaxGames
		}
		if m.closed == 0 {
			return 0
		}
		games = int64(float64(m.spent)*float64(m.now.MaxTrials)/float64(m.closed)) + m.reserved
	case "final":
		games = m.since + m.reserved
	case "validation", "replay":
		games = m.since + m.proof + m.after
	case "estimate", "set back":
		games = m.since + m.after
	}
	return max(m.now.Games, min(games, m.now.MaxGames))
}

// total returns the number of games that were played or found.
func (m *meter) total() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now.Games
}
