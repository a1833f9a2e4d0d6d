package insight

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Often is the chance with which a gain counts as provable.
const Often = 0.8

// Forecast says how long a study will take, and what it can prove.
type Forecast struct {
	Study string `json:"study"`
	Games Games  `json:"games" help:"The least and the largest number of games that each part of the study plays. search_ended_by says which bound ends the search: trials, games or space."`
	Known Known  `json:"known" help:"What a few games showed. 0 means not known."`
	// Seconds are how long it takes at least and at most, at the rate that is known;
	// nil where none is.
	Seconds *[2]float64 `json:"seconds" help:"The least and the largest time in seconds, at the measured rate of games; null if the rate is not known."`
	Proof   proof       `json:"proof" help:"What the validation can prove. gain: the gain, in the given unit, that is proved in 8 of 10 cases; null if not known. asked: the gain that the study file asks for. chance: the probability that such a gain is proved. needs_blocks: the blocks needed to prove the asked gain in 8 of 10 cases; absent if the study has enough."`
	// Reach tells what searches of as many parameters found with as many games, where that was little.
	Reach string `json:"reach,omitempty" help:"What searches of as many parameters found with as many games on measured ground; absent where they found nearly all."`

	trials int
	test   *stats.GroupTest
}

// hills are what the default search found in the mean of the 60 Elo of planted hills, by the number
// of parameters, with 2 000, 5 000 and 20 000 games; docs/research/searches.md has the errors.
var hills = []struct {
	parameters int
	elo        [3]float64
}{{4, [3]float64{54, 58, 59}}, {8, [3]float64{42, 48, 56}}, {12, [3]float64{35, 50, 54}}, {24, [3]float64{24, 32, 43}}}

// hillGames are the games of the columns of hills, hillGain what there was to find.
var hillGames = [3]int64{2000, 5000, 20000}

const hillGain = 60

// reach returns what was found with so many parameters and games, empty where that was nearly all.
func reach(parameters int, games int64) string {
	column, row := 0, 0
	for column+1 < len(hillGames) && hillGames[column+1] <= games {
		column++
	}
	for row+1 < len(hills) && hills[row].parameters < parameters {
		row++
	}
	elo := hills[row].elo[column]
	if elo >= hillGain*5/6 || parameters < 2 {
		return ""
	}
	return fmt.Sprintf("a search of %d parameters with %s games may find little: on planted hills of %d Elo, searches of %d parameters with %s games found %.0f. More games or fewer parameters find more.",
		parameters, numeral.Count(games), hillGain, hills[row].parameters, numeral.Count(hillGames[column]), elo)
}

// PassAt returns how often the validation passes if the true gain is so many Elo; NaN where
// it does not prove Elo.
func (f *Forecast) PassAt(elo float64) float64 {
	if f.test == nil {
		return math.NaN()
	}
	c, err := f.test.Plan(min(max(elo, -mostElo), mostElo), f.Proof.SD)
	if err != nil {
		return math.NaN()
	}
	return c.Pass
}

// proof is what the validation can do.
type proof struct {
	Unit    string  `json:"unit"`    // Elo, or the name of a metric
	Attempt int     `json:"attempt"` // at its question, from 1
	Alpha   float64 `json:"alpha"`   // chance of a false pass of this attempt
	Blocks  int64   `json:"blocks"`  // at most
	// SD is the standard deviation of a block that was supposed; Supposed tells that
	// no games were there to know it by.
	SD       float64 `json:"block_sd"`
	Supposed bool    `json:"sd_supposed"`
	// Gain is what is proved in 8 of 10 cases, in the unit; nil where it is not known.
	Gain *float64 `json:"gain"`
	// Asked is the gain that the file asks for, the bound at which a validation rarely
	// fails; Chance is how often such a gain is proved, after Typical blocks in the
	// middle case. nil and 0 for metrics.
	Asked   *float64 `json:"asked,omitempty"`
	Chance  *float64 `json:"chance,omitempty"`
	Typical int64    `json:"typical_blocks,omitempty"`
	// Curve is what the test does at some true gains, ascending.
	Curve []Point `json:"curve,omitempty"`
	// Needs is how many blocks would prove Asked in 8 of 10 cases, 0 where those that
	// there are do.
	Needs int64 `json:"needs_blocks,omitempty"`
}

// Point is what a test does at one true gain: chances of its verdicts.
type Point struct {
	Elo    float64 `json:"elo"`
	Pass   float64 `json:"pass"`
	Fail   float64 `json:"fail"`
	Blocks float64 `json:"blocks"` // expected
}

// ForecastOf returns the forecast of a study whose validation will be the given attempt.
// answers tells whether its sampler names the answer itself; see [tuner.Answerer].
func ForecastOf(s *tuner.Setup, answers bool, attempt int, known Known) (*Forecast, error) {
	f := &Forecast{Study: s.Name, Games: count(s, answers), Known: known, trials: min(s.Budget.Trials, s.MostTrials(answers))}
	if s.Sampler.Name == "surface" && s.Proved().Of == "score" {
		f.Reach = reach(len(s.Tune.Params), s.Budget.Games)
	}
	if known.PerSecond > 0 {
		f.Seconds = &[2]float64{withAgain(s, f.Games.Least) / known.PerSecond, withAgain(s, f.Games.Most) / known.PerSecond}
	}
	alpha, err := s.Validation.Level(attempt)
	if err != nil {
		return nil, err
	}
	f.Proof = proof{Unit: "Elo", Attempt: attempt, Alpha: alpha, Blocks: s.Validation.MaxBlocks}
	if goal := s.Proved(); goal.Of == "metric" {
		f.Proof.metric(goal, known)
		return f, nil
	}
	f.test, err = f.Proof.score(s, known)
	return f, err
}

// planOf returns the group-sequential test of a study, where it has one.
func planOf(s *tuner.Setup, alpha float64) (stats.Group, bool) {
	v := &s.Validation
	g := stats.Group{
		Elo0: v.Elo[0], Elo1: v.Elo[1], Seats: s.Ruleset.Seats, Alpha: alpha, Beta: v.Beta,
		MaxBlocks: v.MaxBlocks, Once: v.Plan == tuner.PlanFixed,
	}
	return g, s.Proved().Of == "score" && g.Validate() == nil
}

// score works out the proof of a gain in Elo.
func (p *proof) score(s *tuner.Setup, known Known) (*stats.GroupTest, error) {
	p.SD = known.SD
	if p.SD == 0 {
		p.SD, p.Supposed = stats.IndependentSD(s.Ruleset.Seats), true
	}
	g, ok := planOf(s, p.Alpha)
	if !ok {
		return nil, nil
	}
	test, err := g.Prepare()
	if err != nil {
		return nil, err
	}
	asked := g.Elo1
	p.Asked = &asked
	course, err := test.Plan(asked, p.SD)
	if err != nil {
		return nil, err
	}
	p.Chance, p.Typical = &course.Pass, course.Median
	if course.Pass < Often {
		gap := stats.Score(g.Elo1, g.Seats) - stats.Score(g.Elo0, g.Seats)
		z := (distuv.UnitNormal.Quantile(1-g.Alpha) + distuv.UnitNormal.Quantile(Often)) * p.SD / gap
		p.Needs = max(int64(math.Ceil(z*z)), g.MaxBlocks+1)
	}
	gain, err := provable(test, p.SD)
	if err != nil || math.IsNaN(gain) {
		return test, err
	}
	p.Gain = &gain
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2} {
		elo := min(g.Elo0+share*(gain-g.Elo0), mostElo)
		c, err := test.Plan(elo, p.SD)
		if err != nil {
			return nil, err
		}
		p.Curve = append(p.Curve, Point{Elo: elo, Pass: c.Pass, Fail: c.Fail, Blocks: c.Blocks})
	}
	return test, nil
}

// mostElo is the largest difference of which a forecast speaks.
const mostElo = 1000

// provable returns the gain, in Elo, that the test proves with the chance Often; NaN where
// no gain does.
func provable(test *stats.GroupTest, sd float64) (float64, error) {
	low, high := test.Elo0, test.Elo0+2*test.Provable(sd, Often)
	for range 20 {
		high = min(high, mostElo)
		c, err := test.Plan(high, sd)
		if err != nil {
			return 0, err
		}
		if c.Pass >= Often {
			break
		}
		if high == mostElo {
			return math.NaN(), nil
		}
		low, high = high, 2*high-test.Elo0+10
	}
	for high-low > 0.005*(high-test.Elo0) {
		mid := (low + high) / 2
		c, err := test.Plan(mid, sd)
		if err != nil {
			return 0, err
		}
		if c.Pass < Often {
			low = mid
		} else {
			high = mid
		}
	}
	return high, nil
}

// metric works out the proof of a gain in a metric: winner and baseline play all blocks, and
// the interval of the difference decides.
func (p *proof) metric(goal *tuner.Objective, known Known) {
	p.Unit = goal.Name()
	if known.MetricSD > 0 {
		p.SD = known.MetricSD
		z := distuv.UnitNormal.Quantile(1-p.Alpha) + distuv.UnitNormal.Quantile(Often)
		gain := z * math.Sqrt2 * known.MetricSD / math.Sqrt(float64(p.Blocks))
		p.Gain = &gain
	}
}

// Lines returns the sentences in ASCII, for terminals and files.
func (f *Forecast) Lines() []string {
	out := f.Sentences()
	for i := range out {
		out[i] = plain.Replace(out[i])
	}
	return out
}

var plain = strings.NewReplacer(numeral.Thin, "", "\u2212", "-")

// Sentences returns the forecast for pages: how long, how many games, and which gain it
// can prove.
func (f *Forecast) Sentences() []string {
	g := f.Games
	out := []string{takes(f.seconds(), f.Known.PerSecond)}
	text := fmt.Sprintf("Games: %s for the search", span(g.SearchLeast, g.Search))
	switch g.EndedBy {
	case "games":
		text += ", ended by the number of games and not of trials"
	case "space":
		text += ", after which every set of parameters has been tried"
	default:
		text += fmt.Sprintf(" of %s trials", numeral.Count(int64(f.trials)))
		if f.trials == 1 {
			text = strings.TrimSuffix(text, "s")
		}
	}
	if g.Final > 0 {
		text += fmt.Sprintf(", %s for the final", numeral.Count(g.Final))
	}
	text += fmt.Sprintf(", %s for the proof", span(g.ValidationLeast, g.Validation))
	if g.Estimate > 0 {
		text += fmt.Sprintf("; after a pass %s and those left over measure the gain and what each parameter is worth", numeral.Count(g.Estimate))
	}
	out = append(out, text+".")
	if f.Reach != "" {
		out = append(out, "To find: "+f.Reach)
	}
	return append(out, f.Proof.sentences()...)
}

// Takes returns how long so many games take at least and at most, at a speed in games a second; 0 where
// it is not known.
func Takes(least, most int64, perSecond float64) string {
	return takes([2]float64{float64(least) / perSecond, float64(most) / perSecond}, perSecond)
}

// takes returns the same of seconds.
func takes(seconds [2]float64, perSecond float64) string {
	if perSecond == 0 {
		return "Time: not known, as no game ended while their speed was measured."
	}
	low, high := duration(seconds[0]), duration(seconds[1])
	text := "Time: about " + high
	if low != high {
		text = "Time: about " + low + " to " + high
	}
	return fmt.Sprintf("%s, at %s games a second, the speed measured now.", text, numeral.Page(numeral.Text(round(perSecond))))
}

// seconds returns how long it takes, 0 where that is not known.
func (f *Forecast) seconds() [2]float64 {
	if f.Seconds == nil {
		return [2]float64{}
	}
	return *f.Seconds
}

// sentences returns what can be proved, in words.
func (p *proof) sentences() []string {
	var out []string
	switch {
	case p.Gain == nil && p.Unit == "Elo":
		out = append(out, fmt.Sprintf("Proof: with at most %s blocks no gain is proved in 8 of 10 cases.", numeral.Count(p.Blocks)))
	case p.Gain == nil:
		out = append(out, fmt.Sprintf("Proof: a gain in %s that %s blocks can show; its size depends on how much the metric varies.", p.Unit, numeral.Count(p.Blocks)))
	default:
		out = append(out, fmt.Sprintf("Proof: a true gain of %s %s is proved in 8 of 10 cases, with at most %s blocks.",
			numeral.Signed(*p.Gain, 0.1**p.Gain), p.Unit, numeral.Count(p.Blocks)))
	}
	if p.Asked != nil && p.Chance != nil {
		text := fmt.Sprintf("The gain that is asked for, %s Elo, is proved in %s of 100 cases", numeral.Signed(*p.Asked, math.NaN()), numeral.Text(math.Round(100**p.Chance)))
		if p.Needs > 0 {
			text += fmt.Sprintf("; for 80 it takes about %s blocks", numeral.Count(int64(numeral.Rough(float64(p.Needs)))))
		} else if p.Typical > 0 {
			text += fmt.Sprintf(", after %s blocks in the median case", numeral.Count(p.Typical))
		}
		out = append(out, text+".")
	}
	if p.Attempt > 1 {
		out = append(out, fmt.Sprintf("It is attempt %d at this question, so its test is stricter: the chance of a false pass is %s.", p.Attempt, numeral.Page(fmt.Sprintf("%.2g", p.Alpha))))
	}
	if p.Supposed {
		out = append(out, "How much the results of blocks vary is not known: the forecast assumes independent games without draws, which is rarely too optimistic.")
	}
	return out
}

// span returns a number of games, or two where they differ.
func span(low, high int64) string {
	if low == high {
		return numeral.Count(high)
	}
	return numeral.Count(low) + " to " + numeral.Count(high)
}

// duration returns a guessed time for people.
func duration(seconds float64) string {
	if seconds < 1 {
		return "a second"
	}
	return strings.TrimPrefix(numeral.About(time.Duration(math.Min(seconds, 9e9)*float64(time.Second))), "about ")
}

// round keeps two digits, which is all that a probe knows.
func round(x float64) float64 {
	if !(x > 0) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}
