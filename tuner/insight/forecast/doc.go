// Package forecast says before anything is played how long a study will take and
// which gain it can prove: the games of its search, its final and its validation,
// how fast such games are played, and what the validation's test does at a supposed
// gain. A forecast is no promise: it knows the rate and the spread of a block from
// a few games, or supposes them and says so.
//
//	known := forecast.Probe(ctx, setup, pool, forecast.Patience)
//	f, err := forecast.Of(setup, tuner.Attempts{Number: 1}, known)
//	for _, line := range f.Sentences() {
//		fmt.Println(line)
//	}
package forecast
