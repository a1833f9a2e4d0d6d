package view

import (
	"fmt"
	"io"
	"strings"

	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
)

// Check returns what a study would do, before anything of it is played: the study with
// every default filled in, the size of its space, how long it takes and what it can
// prove.
func Check(c *service.StudyCheck) Section {
	s := c.Spec
	out := Section{Key: "check"}
	say := out.add
	say("Study", fmt.Sprintf("%s: %s of %s. The file has no mistakes.", c.Study, s.Tune.Strategy, s.Game))
	if c.State != "" {
		then := "sakusen tune continues it."
		if c.Done {
			then = "sakusen tune prints its result again."
		}
		say("Stored", fmt.Sprintf("the database has a study of this name, which is %s; %s", c.State, then))
	}
	say("Rules", s.Rules.Short())
	say("Proved under", s.OtherRules().Short())
	say("Baseline", baseline(s))
	say("Pool", strings.Join(atMostOf(s.Pool, mostEquals), "; "))
	say("Fixed", s.Tune.Fix.Short())
	label := "Tuned"
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		text := d.Name + ": " + rangeOf(d)
		if d.IntScale != 0 {
			text += ", set as the integer nearest to " + numeral.Text(d.IntScale) + " times it"
		}
		for _, condition := range d.When {
			text += ", only with " + condition.String()
		}
		say(label, text)
		label = ""
	}
	space := "too many parameter sets to be counted"
	if c.Space != nil {
		space = numeral.Text(float64(*c.Space)) + " parameter sets"
	}
	say("Space", fmt.Sprintf("%s; the search can reach %d.", space, c.Reachable))
	say("Objective", objectiveOf(&s.Objective))
	text := fmt.Sprintf("sampler %s, seed %d, batches of %d", s.Sampler.Name, s.Sampler.Seed, s.Sampler.Batch)
	for _, v := range s.Sampler.Options {
		text += fmt.Sprintf(", %s %s", v.Name, v.Text)
	}
	switch {
	case s.Duels:
		text += "; candidates play each other in pairs"
	case s.Evaluate != nil:
		text += "; a generation plays itself"
	}
	say("Search", text)
	if n := len(s.Begin); n > 0 {
		say("Begin", fmt.Sprintf("%d points of the file are tried first", n))
	}
	if b := c.Begun; b != nil {
		text := fmt.Sprintf("%s games of study %s, at %d points", grouped(b.Games), b.Study, b.Points)
		if b.Dropped > 0 {
			text += fmt.Sprintf("; %d points lie outside the ranges and are left out", b.Dropped)
		}
		say("Begin", "with "+text)
	}
	if s.Evaluate == nil {
		say("Race", s.Race.String())
	}
	if s.Final.Top > 1 {
		what := "the best %d"
		if len(s.Objective.Limits) > 0 {
			what += " or, where a model's answer exceeds a limit, those inside that lie nearest to it,"
		}
		say("Final", fmt.Sprintf(what+" on %d blocks of new seeds", s.Final.Top, s.Final.Blocks))
	}
	say("Budget", fmt.Sprintf("%d games at most", s.Budget.Games))
	for _, line := range c.Forecast.Lines() {
		label, text, ok := strings.Cut(line, ": ")
		if !ok || strings.Contains(label, " ") {
			label, text = "", line
		}
		say(label, text)
	}
	for _, warning := range c.Warnings {
		say("Warning", warning)
	}
	return out
}

// rangeOf returns the values of a dimension for people.
func rangeOf(d *tuner.Dimension) string {
	switch d.Kind {
	case param.Bool:
		return "true, false"
	case param.Choice:
		return strings.Join(d.Choices, ", ")
	}
	text := numeral.Text(d.Domain.Low) + " to " + numeral.Text(d.Domain.High)
	if d.Domain.Step > 0 {
		text += " in steps of " + numeral.Text(d.Domain.Step)
	}
	if d.Domain.Log {
		text += ", logarithmic"
	}
	return text
}

// objectiveOf returns what is searched for.
func objectiveOf(o *tuner.Objective) string {
	var goals []string
	all := o.Goals()
	for i := range all {
		goal := &all[i]
		text := "the highest "
		if !goal.Maximize() {
			text = "the lowest "
		}
		goals = append(goals, text+goal.Name())
	}
	text := strings.Join(goals, " and ")
	for i := range o.Limits {
		word := ", with "
		if i > 0 {
			word = " and "
		}
		text += word + o.Limits[i].String()
	}
	return text
}

// Embedded lists the study files that come with the program.
func Embedded(w io.Writer, list []studyfile.Brief) error {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s (%s %s)\n  %s\n", s.Name, s.Game, s.Strategy, plain.Wrap(s.Doc, "  ", plain.Width))
	}
	b.WriteString("\n\"sakusen tune NAME\" runs one; \"sakusen study embedded NAME\" prints its file, to begin from.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
