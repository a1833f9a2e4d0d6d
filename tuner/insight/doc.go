// Package insight says what a study's log tells people, and before anything is played what
// a study will take.
//
// Files in reading order: log.go (Log: what became of each trial), scale.go (how
// its values are shown). Then meetings.go (Meetings: which blocks each trial has played,
// against whom), model.go (Model: what the games of a log tell of each parameter). Then
// search.go and advice.go (Search: what the games of a finished search say about its answer),
// probe.go and forecast.go (Forecast: a study's time, and the gain that it can prove).
//
//	c := insight.NewLog(spec, rules)
//	for _, e := range log {
//		err := c.Add(e)
//	}
//	fmt.Println(c.Trials[0].Value, c.Trials[0].End)
//
// A Log is read entry by entry, so that looking again at a study that runs costs what
// was added since. It stands beside the loop in tuner/study and reads the same log with
// tuner/entry; unlike a study that is resumed it believes the log, whatever program wrote
// it. A Forecast is no promise: it knows the rate and the spread of a block from a few
// games, or supposes them and says so.
//
//	known := insight.Probe(ctx, setup, pool, insight.Patience)
//	f, err := insight.ForecastOf(setup, true, 1, known)
package insight
