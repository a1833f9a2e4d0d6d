package api

import "sakusen/tuner/service"

// benchmarks are the operations on benchmarks.
type benchmarks struct {
	ListSeries     Op[None, SeriesList]                                 `GET:"/bench/series" help:"The series of benchmarks that were recorded."`
	GetSeries      Op[OfSeries, SeriesFound]                            `GET:"/bench/series/{series...}" help:"A series' history with its change points."`
	RecordRun      Op[Body[Recording], Recorded]                        `POST:"/bench/runs" role:"submit" limit:"16777216" help:"Records benchmark runs: the text of go test -bench, plain or -json. The same text of the same commit is kept once. At most 16 MiB."`
	AcceptSeries   Op[Body[service.BenchAccept], service.BenchAccepted] `POST:"/bench/accept" help:"Stands by a change: the series begins anew with a recorded run."`
	PruneRuns      Op[Body[Pruning], RunsPruned]                        `POST:"/bench/prune" help:"Removes recorded runs older than so many days, but none that a baseline names or an accepted change begins with."`
	PutBaseline    Op[Naming, service.BenchNamed]                       `PUT:"/bench/baselines/{name}" help:"Gives a recorded run a name."`
	DeleteBaseline Op[OfBaseline, Deleted]                              `DELETE:"/bench/baselines/{name}" help:"Takes a name away; its run stays."`
}

// SeriesList are all series.
type SeriesList struct {
	Series []service.SeriesLine `json:"series"`
}

// OfSeries names a series.
type OfSeries struct {
	Series string `path:"series"`
}

// SeriesFound is the history of a series.
type SeriesFound struct {
	History *service.SeriesHistory `json:"history"`
}

// Recording are runs to be kept.
type Recording struct {
	Runs     []service.BenchRun `json:"runs" least:"1" most:"100"`
	Baseline string             `json:"baseline,omitempty" line:"0-200" help:"A name that the first run gets."`
}

// Recorded are the runs that were kept.
type Recorded struct {
	Runs []service.BenchRecorded `json:"runs"`
}

// RunsPruned counts runs that were removed, or would be.
type RunsPruned struct {
	Runs    int64 `json:"runs"`
	Removed bool  `json:"removed"`
}

// OfBaseline names a baseline.
type OfBaseline struct {
	Name string `path:"name" line:"1-200"`
}

// Naming gives a run a name.
type Naming struct {
	OfBaseline
	Body struct {
		Source string `json:"source" line:"1-400" help:"run:N, latest, baseline:NAME or commit:HASH."`
	} `body:"json"`
}
