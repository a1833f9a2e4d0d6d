package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

// Screen is a study under way as the lines of a terminal: how far it is and how long it
// takes, and its race, with intervals on one axis. now is its progress, nil where nobody
// tells it.
func Screen(look *service.Look, now *tuner.Progress, width, height int) []string {
	d := look.Study
	out := []string{fmt.Sprintf("%s: %s of %s, %s", d.Study.Study, d.Strategy, d.Game, stateOf(d.Study))}
	games, share := d.Games, 0.0
	if now != nil {
		games = max(games, now.Games)
		if now.Expected > 0 {
			share = float64(games) / float64(now.Expected)
		}
		out[0] += ", " + phaseOf(now.Phase)
	}
	if share == 0 && d.MaxGames > 0 {
		share = float64(games) / float64(d.MaxGames)
	}
	bar := min(30, max(8, width/3))
	full := int(math.Round(min(1, share) * float64(bar)))
	line := fmt.Sprintf("[%s%s] %3.0f %%", strings.Repeat("#", full), strings.Repeat(".", bar-full), 100*min(1, share))
	if now != nil {
		if left := Left(*now); left != "" {
			line += "  verdict: " + left
		}
	}
	out = append(out, line)
	line = fmt.Sprintf("%s sets, %d of at most %d games", strings.Replace(trialsOf(d.Study), "/", " of at most ", 1), games, d.MaxGames)
	if now != nil && now.PerSecond > 0 {
		line += fmt.Sprintf(", %.0f games/s", now.PerSecond)
	}
	out = append(out, line, "")
	if now != nil && now.Incumbent >= 0 {
		out = append(out, fmt.Sprintf("Best so far: trial %d, %s", now.Incumbent, now.Params), "")
	}
	switch {
	case look.Duels > 0:
		out = append(out, fmt.Sprintf("%d pairs of candidates have met: no set has a value of its own,", look.Duels),
			"the sampler's model names the answer when the search ends.")
	case len(look.Finals) > 0 && height > len(out)+4:
		out = append(out, "Final, on new seeds:")
		out = append(out, race(look.Finals, width, height-len(out)-1)...)
	case len(look.Rows) > 0:
		out = append(out, race(look.Rows, width, height-len(out)-1)...)
	default:
		out = append(out, "No set has been judged yet.")
	}
	out = out[:min(len(out), max(1, height-1))]
	for i := range out {
		out[i] = cut(plain.Text(out[i]), width-1)
	}
	return out
}

// race are trials with their intervals on one axis, in at most so many lines.
func race(rows []service.LookRow, width, height int) []string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		for _, x := range []float64{r.Value, r.Low, r.High} {
			if numeral.IsFinite(x) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	const left = 40 // columns before the axis
	axis := min(40, (width-left)/2)
	out := []string{fmt.Sprintf("%6s %8s  %-22s", "trial", "blocks", "value, 95 %")}
	if axis >= 12 {
		from, to := numeral.Interval(low, high)
		out[0] += fmt.Sprintf(" %s%*s", from, max(1, axis-utf8.RuneCountInString(from)), to)
	}
	for _, r := range rows {
		if len(out) >= height {
			break
		}
		value := numeral.Text(r.Value)
		if half := (r.High - r.Low) / 2; half > 0 && numeral.IsFinite(half) {
			value = numeral.PlusMinus(r.Value, half)
		}
		mark := map[entry.End]string{entry.Playing: ">", entry.Whole: " "}[r.End]
		if mark == "" {
			mark = "x"
		}
		blocks := ""
		if r.Blocks > 0 {
			blocks = fmt.Sprint(r.Blocks)
		}
		text := fmt.Sprintf("%s%5d %8s  %-22s", mark, r.Trial, blocks, value)
		if axis >= 12 {
			text += " " + whisker(r, low, high, axis)
		}
		var params []string
		for _, name := range slices.Sorted(maps.Keys(r.Params)) {
			params = append(params, name+"="+r.Params[name])
		}
		out = append(out, text+"  "+strings.Join(params, ","))
	}
	if len(out) < height && rows[0].Blocks > 0 {
		out = append(out, "> plays now, x was stopped")
	}
	return out
}

// whisker draws an interval between the ends of an axis.
func whisker(r service.LookRow, low, high float64, columns int) string {
	at := func(x float64) int {
		if !(high > low) || !numeral.IsFinite(x) {
			return columns / 2
		}
		return min(columns-1, max(0, int(math.Round((x-low)/(high-low)*float64(columns-1)))))
	}
	cells := []byte(strings.Repeat(" ", columns))
	if numeral.IsFinite(r.Low) && numeral.IsFinite(r.High) {
		for i := at(r.Low); i <= at(r.High); i++ {
			cells[i] = '-'
		}
	}
	cells[at(r.Value)] = 'o'
	return string(cells)
}
