package tuner

import (
	"context"
	"math"

	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// endCheap writes that the cheap part ends, where it does: when the next batch would cost too
// much, or when the pairs that played at both settings show that it misleads.
func endCheap(ctx context.Context, st *Study) error {
	if !cheap(st) || len(st.flying) > 0 {
		return nil
	}
	if j := st.journal; j.replaying() {
		if j.peek() != entry.KindFidelity {
			return nil
		}
	} else if reason := endsCheap(st); reason == "" {
		return nil
	}
	got, err := step(ctx, st.journal, entry.KindFidelity, func() (entry.Fidelity, error) { return concludeCheap(st) }, nil)
	if err != nil {
		return err
	}
	if batch := st.Setup.Sampler.Batch; st.drawn%batch != 0 {
		st.drawn += batch - st.drawn%batch
	}
	f := &st.fidelity
	f.ended, f.trials, f.batches, f.drawn, f.duels, f.spent = &got, len(st.trials), st.batches, st.drawn, len(st.duels), st.searchGames()
	if p, ok := st.proposer.(Forgetful); ok {
		p.Forget()
	}
	return nil
}

// endsCheap is the reason for which the cheap part ends now, empty where it goes on.
func endsCheap(st *Study) string {
	l := rating.Link(st.fidelity.pairs)
	switch {
	case l.Pairs >= fewLinked && l.SlopeCI[1] < leastSlope && !math.IsNaN(l.Slope):
		return entry.FidelityMisleads
	case st.room() == 0:
		return entry.FidelitySpent
	}
	return ""
}

// concludeCheap is what the cheap part has shown.
func concludeCheap(st *Study) (entry.Fidelity, error) {
	f := &st.fidelity
	l := rating.Link(f.pairs)
	out := entry.Fidelity{
		Reason: endsCheap(st), CheapGames: f.cheapGames, DearGames: f.dearGames, Pairs: l.Pairs, Slope: numeral.Finite(l.Slope),
	}
	if l.Pairs > 0 {
		out.CheapLead, out.CheapLeadError = numeral.Finite(l.Cheap), numeral.Finite(l.CheapError)
		out.DearLead, out.DearLeadError = numeral.Finite(l.Dear), numeral.Finite(l.DearError)
	}
	if out.Slope != nil {
		out.SlopeCI = &l.SlopeCI
	}
	if out.Reason == entry.FidelityMisleads || !(l.Slope > 0) {
		out.Reason = entry.FidelityMisleads // or nothing shows that it does not
		return out, nil
	}
	out.Kept, out.Used = true, math.Max(leastSlope/2, l.Shrunk())
	out.Weight, out.Worth = cheapWeight(st, &l, out.Used)
	a, ok := st.proposer.(Answerer)
	if !ok {
		return out, nil
	}
	view, err := st.view()
	if err != nil {
		return out, err
	}
	best, ok, err := a.Answer(view)
	if ok && err == nil {
		out.At = st.Setup.Tune.Params.Ordered(st.Setup.Tune.Fix, best.Values)
	}
	return out, err
}

// cheapWeight is what a cheap block counts, and how many dear games all of them are worth.
// What the two settings differ by is the same in all cheap games, so that ever more of them
// say no more: it is taken to be a fifth of the lead, and for each thing to be learnt (a
// slope and a bend of each parameter) the cheap games are worth at most as many dear pairs
// as have that much noise.
func cheapWeight(st *Study, l *rating.Linked, slope float64) (weight float64, worth int64) {
	blocks := int64(0)
	for _, d := range st.duels {
		if d.Cheap {
			blocks += d.Blocks
		}
	}
	s := st.Setup
	apart := unlike * math.Max(float64(slope*l.Cheap), l.DearError)
	most := 2 * float64(len(s.Tune.Params)) * l.DearNoise / float64(apart*apart) * float64(s.Race.Rungs[0])
	share := math.Min(1, most/math.Max(1, float64(blocks)))
	return share / float64(slope*slope), int64(share/float64(slope*slope)*float64(blocks)) * int64(s.Ruleset.Seats)
}
