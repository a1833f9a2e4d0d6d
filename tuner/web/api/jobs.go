package api

import (
	"time"

	"sakusen/bench/ledger"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/web/films"
)

// jobLists are the operations on all tournaments, experiments and tests of patches.
type jobLists struct {
	ListTournaments     Op[JobsPage, TournamentList]         `GET:"/tournaments" help:"Lists tournaments, the newest first."`
	SubmitTournament    Op[Body[SubmittedTournament], JobID] `POST:"/tournaments" role:"submit" help:"Queues a tournament, or only checks its file." 201:"Queued." 200:"The request was checked and has no mistake (id is null), or an identical job has not ended yet (id is that job's)."`
	ListExperiments     Op[None, ExperimentList]             `GET:"/experiments" help:"Lists the experiments that can be run, each with its last run."`
	ListExperimentRuns  Op[JobsPage, RunList]                `GET:"/experiments/runs" help:"Lists runs of experiments, the newest first."`
	SubmitExperimentRun Op[Body[SubmittedExperiment], JobID] `POST:"/experiments/runs" role:"submit" help:"Queues an embedded experiment, or only checks the request." 201:"Queued." 200:"The request was checked and has no mistake (id is null), or an identical job has not ended yet (id is that job's)."`
	ListTests           Op[JobsPage, TestList]               `GET:"/tests" help:"Lists tests of patches, the newest first."`
	SubmitTest          Op[Body[SubmittedTest], JobID]       `POST:"/tests" role:"submit" help:"Queues a test of a patch, or only checks its file." 201:"Queued." 200:"The request was checked and has no mistake (id is null), or an identical job has not ended yet (id is that job's)."`
}

// Jobs are the operations on one tournament, one run of an experiment or one test. In their
// texts NOUN stands for one of these words.
type Jobs struct {
	Get        Op[OfJob, service.JobDetail] `GET:"/{id}" help:"Returns one NOUN, with its result."`
	Delete     Op[OfJob, DeletedJob]        `DELETE:"/{id}" help:"Deletes a NOUN that is not running; its games stay in the cache."`
	Pause      Op[ActOnJob, JobState]       `POST:"/{id}/pause" help:"Pauses a NOUN, and answers when it no longer runs."`
	Resume     Op[ActOnJob, JobState]       `POST:"/{id}/resume" help:"Puts a paused, stopped or failed NOUN back into the queue."`
	Stop       Op[ActOnJob, JobState]       `POST:"/{id}/stop" help:"Stops a NOUN, and answers when it no longer runs."`
	PutNote    Op[NotedJob, JobState]       `PUT:"/{id}/note" help:"Replaces a user's note on a NOUN; an empty text deletes the note. A note with the word #archived archives the NOUN."`
	Prioritise Op[PrioritisedJob, JobState] `POST:"/{id}/priority" help:"Changes the priority of a NOUN: each step upwards doubles its share of the workers."`
}

// JobsPage asks for a page of tournaments, runs or tests.
type JobsPage struct {
	Before int `query:"before" help:"The page has ids below this one; if absent, it begins with the newest."`
	Page
	Wanted
}

// Wanted says which entries of a list are wanted.
type Wanted struct {
	Q        string `query:"q" bytes:"200" help:"Words that must occur in the name, the file or the note."`
	State    string `query:"state" enum:"running,waiting,paused,failed,done,passed,in doubt,not passed,undecided,not tested,no answer,foreign" help:"The state or result. Studies and jobs: running, waiting, paused or failed. Jobs only: done. Studies and tests of patches: passed, not passed or undecided. Studies only: in doubt (passed, and what counts is not confirmed), not tested, no answer or foreign."`
	Archived string `query:"archived" enum:"yes,no" help:"yes: only archived entries; no: only the others; absent: all."`
}

// Filter returns the filter of the page that begins after an id, in an order.
func (w *Wanted) Filter(sort string, beyond, limit int) store.Filter {
	return store.Filter{Text: w.Q, Outcome: w.State, Archived: w.Archived == "yes", Both: w.Archived == "", Sort: sort, Beyond: beyond, Limit: limit}
}

// NotedJob is a user's note on a tournament, a run or a test.
type NotedJob struct {
	OfJob
	Body struct {
		Note string `json:"note,omitempty" most:"10000"`
	} `body:"json"`
}

// TournamentList is a page of tournaments.
type TournamentList struct {
	Tournaments []service.Job `json:"tournaments"`
	Next        *int          `json:"next" help:"The value of before for the next page; null on the last page."`
}

// TestList is a page of tests of patches.
type TestList struct {
	Tests []service.Job `json:"tests"`
	Next  *int          `json:"next" help:"The value of before for the next page; null on the last page."`
}

// RunList is a page of runs of experiments.
type RunList struct {
	Runs []service.Job `json:"runs"`
	Next *int          `json:"next" help:"The value of before for the next page; null on the last page."`
}

// ExperimentList are all experiments.
type ExperimentList struct {
	Experiments []service.ExperimentLine `json:"experiments"`
}

// Submitted are the fields that every submission has beside those of its kind.
type Submitted struct {
	Priority int  `json:"priority,omitempty" min:"-10" max:"10"`
	Check    bool `json:"check,omitempty" help:"Only check the request and report its mistakes; queue nothing."`
}

// SubmittedTournament is a tournament that is submitted.
type SubmittedTournament struct {
	service.TournamentRequest
	Submitted
}

// SubmittedExperiment is a run of an experiment that is submitted.
type SubmittedExperiment struct {
	service.ExperimentRequest
	Submitted
}

// SubmittedTest is a test of a patch that is submitted.
type SubmittedTest struct {
	service.PatchRequest
	Submitted
}

// JobID is the number of what was submitted; null where it was only checked.
type JobID struct {
	ID *int `json:"id"`
}

// OfJob names a tournament, a run or a test.
type OfJob struct {
	ID int `path:"id" min:"1"`
}

// ActOnJob names a tournament, a run or a test with which something is done.
type ActOnJob struct {
	OfJob
	Body struct{} `body:"json"`
}

// PrioritisedJob says how urgent a tournament, a run or a test is to be.
type PrioritisedJob struct {
	OfJob
	Body priority `body:"json"`
}

// DeletedJob names a tournament, a run or a test that is gone.
type DeletedJob struct {
	Deleted int `json:"deleted"`
}

// JobState is a tournament, a run or a test after a change.
type JobState struct {
	ID       int    `json:"id"`
	State    string `json:"state" schema:"State"`
	Priority int    `json:"priority"`
}

// benchmarks are the operations on benchmarks.
type benchmarks struct {
	ListSeries     Op[SeriesPage, SeriesList]                           `GET:"/bench/series" help:"Lists recorded series of benchmarks, sorted by package, name and unit."`
	GetSeries      Op[OfSeriesRuns, SeriesFound]                        `GET:"/bench/series/{series...}" help:"Returns a series' history with its change points."`
	RecordRun      Op[Body[Recording], Recorded]                        `POST:"/bench/runs" role:"submit" limit:"16777216" help:"Records benchmark runs: the text of go test -bench, plain or -json. The same text of the same commit is kept once. At most 16 MiB."`
	AcceptSeries   Op[Body[service.BenchAccept], service.BenchAccepted] `POST:"/bench/accept" help:"Accepts a change of level: the series begins anew with a recorded run."`
	PruneRuns      Op[Body[Pruning], RunsPruned]                        `POST:"/bench/prune" help:"Deletes recorded runs older than the given number of days. A run that a baseline names, or with which an accepted change begins, is kept."`
	PutBaseline    Op[Naming, service.BenchNamed]                       `PUT:"/bench/baselines/{name}" help:"Names a recorded run, as a baseline."`
	DeleteBaseline Op[OfBaseline, Deleted]                              `DELETE:"/bench/baselines/{name}" help:"Deletes a baseline's name; the run stays."`
}

// SeriesPage asks for a page of series.
type SeriesPage struct {
	Q     string `query:"q" help:"A part of the title; case does not matter."`
	After int    `query:"after" min:"0" max:"1073741824" help:"The number of series to skip."`
	Page
}

// SeriesList is a page of series.
type SeriesList struct {
	Series []SeriesLine `json:"series"`
	Total  int          `json:"total" help:"The number of series found."`
	Next   *int         `json:"next" help:"The value of after for the next page; null on the last page."`
}

// SeriesLine is a series in a list.
type SeriesLine struct {
	Title   string `json:"title"` // package.Name unit
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Runs    int    `json:"runs"`
	Changes int    `json:"changes"`
}

// OfSeriesRuns names a series, and how many of its last runs are wanted.
type OfSeriesRuns struct {
	Series string `path:"series"`
	Limit  int    `query:"limit" min:"1" max:"10000" default:"1000" help:"The largest number of points; the latest are returned. 1000 if absent."`
}

// SeriesFound is the history of a series.
type SeriesFound struct {
	History SeriesHistory `json:"history"`
}

// SeriesHistory is one series on the baseline branch.
type SeriesHistory struct {
	Title   string               `json:"title"`
	Unit    string               `json:"unit"`
	Runs    int                  `json:"runs" help:"The number of all runs; points has the latest of them."`
	Points  []ledger.Sample      `json:"points"`
	Changes []ledger.LevelChange `json:"changes"`
	// Causes are the functions in which the benchmark became slower or faster, in the last
	// profiled runs on any branch.
	Causes []ledger.RecordedCause `json:"causes"`
}

// Recording is a request to store runs.
type Recording struct {
	Runs     []service.BenchRun `json:"runs" least:"1" most:"100"`
	Baseline string             `json:"baseline,omitempty" line:"0-200" help:"A baseline's name, given to the first run."`
}

// Recorded are the runs that were stored.
type Recorded struct {
	Runs []service.BenchRecorded `json:"runs"`
}

// RunsPruned counts runs that were deleted, or would be.
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
		Source string `json:"source" line:"1-400" help:"The run: run:N, latest, baseline:NAME or commit:HASH."`
	} `body:"json"`
}

// games are the operations that show games.
type games struct {
	GetTrialGames Op[GamesPage, films.TrialGames] `GET:"/studies/{study}/trials/{number}/games" help:"Returns what a trial has played: all its meetings, and a page of the games of one meeting."`
	WatchFilm     Op[StoredFilm, filmLine]        `GET:"/films" type:"application/x-ndjson" refusal:"the game cannot be shown" help:"Shows a game of a study: the game is played again and compared with the record. With game, entrant (repeated), rule.NAME and seed it shows a new game." 200:"JSON lines, each a FilmLine: first {\"film\": FilmHeader}, then {\"frame\": FilmFrame} for each step when it is made, last {\"end\": FilmEnd} or {\"error\": text}."`
	MakeFilm      Op[FreshFilm, filmLine]         `POST:"/films" role:"read" type:"application/x-ndjson" help:"Plays and shows a new game, or shows one of a replay file. The game ends when the client disconnects. Two games are played at a time; a third request gets 429." 200:"JSON lines, each a FilmLine: first {\"film\": FilmHeader}, then {\"frame\": FilmFrame} for each step when it is made, last {\"end\": FilmEnd} or {\"error\": text}."`
}

// filmLine is a line of the answer of WatchFilm and MakeFilm: exactly one field is set.
type filmLine struct {
	Film  *films.FilmHeader `json:"film,omitempty"`
	Frame *films.FilmFrame  `json:"frame,omitempty"`
	End   *films.FilmEnd    `json:"end,omitempty"`
	Error string            `json:"error,omitempty"`
}

// OfTrial names a trial of a study.
type OfTrial struct {
	OfStudy
	Number int `path:"number" what:"trial"`
}

// GamesPage asks for games of a trial.
type GamesPage struct {
	OfTrial
	Meeting *int   `query:"meeting" help:"The meeting whose games are listed; the first if absent."`
	Phase   string `query:"phase" schema:"Phase" help:"If meeting is absent: list the first meeting of this phase, if there is one."`
	From    *int64 `query:"from" help:"The first block; the meeting's first if absent."`
	Result  string `query:"result" enum:"won,lost,drawn,fault" open:"true" help:"Only games that the trial won, lost or drew, or in which a player made an illegal move (fault). At most 5000 blocks are read."`
	Order   string `query:"order" most:"60" help:"Sort by this metric, ascending; descending with a hyphen before the name. If absent: by blocks."`
	Limit   int    `query:"limit" min:"1" max:"1000" default:"25" help:"Blocks in a page (with result or order: games); 25 if absent."`
}

// Frames says which frames of a film are wanted.
type Frames struct {
	From  int `query:"from" help:"The first frame."`
	Limit int `query:"limit" min:"1" max:"1073741824" default:"1073741824" help:"The largest number of frames; all if absent."`
}

// StoredFilm names a game by the query of an address.
type StoredFilm struct {
	films.Ticket
	Frames
}

// FreshFilm asks for a game that is played in order to be shown.
type FreshFilm struct {
	Frames
	Body films.Ticket `body:"json"`
}

// daemon are the operations on the daemon itself and its work.
type daemon struct {
	GetServer      Op[None, About]                            `GET:"" help:"Returns the server's name, version and load."`
	GetDescription Op[None, any]                              `GET:"/openapi.json" help:"Returns this description."`
	WatchEvents    Op[EventsSince, stream]                    `GET:"/events" type:"text/event-stream" help:"Sends server-sent events. state, progress and deleted name a study (study: its name) or a job (job: tournament/12, experiment/12 or test/12). recorded follows each change of the recorded benchmarks. reset says that missed events are no longer stored." 200:"A stream of events."`
	GetNow         Op[NowSince, service.Now]                  `GET:"/now" help:"Returns the studies and jobs that run, that wait, that ended since a given time, and that need a decision of the user; at most 12 of each."`
	GetWorkers     Op[None, fleet.Fleet]                      `GET:"/workers" help:"Returns the workers on other machines, and how many of their games were played again as a check. The list is empty if the daemon takes no workers."`
	ListGames      Op[None, GameList]                         `GET:"/games" help:"Lists the games with their rules and metrics."`
	ListStrategies Op[OfGame, StrategyList]                   `GET:"/games/{game}/strategies" help:"Lists the strategies of a game with their parameters."`
	Prune          Op[Body[Pruning], blocks.Pruned]           `POST:"/prune" help:"Deletes cached blocks of series to which none was added for the given number of days. Blocks that are needed again are played again." 200:"Deleted, or with dry_run only counted."`
	PostBlocks     Op[Body[service.PlayedBlocks], BlocksKept] `POST:"/blocks" role:"submit" limit:"16777216" help:"Stores blocks of a match that was played elsewhere. Blocks of studies are refused. At most 16 MiB."`
}

// About is what the daemon says of itself.
type About struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Running int    `json:"running" help:"The number of studies and other jobs that run."`
}

// EventsSince says which events a client has seen.
type EventsSince struct {
	Header string `header:"Last-Event-ID" schema:"EventID" help:"The id of the last event that the client has; the stream begins with the events after it."`
	Query  string `query:"last" schema:"EventID" help:"The same as the header Last-Event-ID, for clients that cannot set headers."`
}

// stream is an answer without an end.
type stream struct{}

// NowSince says from which time on ended studies are listed.
type NowSince struct {
	Since time.Time `query:"since" help:"List studies that ended after this time; if absent, in the last 24 hours."`
}

// GameList are all games.
type GameList struct {
	Games []service.GameInfo `json:"games"`
}

// OfGame names a game.
type OfGame struct {
	Game string `path:"game"`
}

// StrategyList are the strategies of a game.
type StrategyList struct {
	Strategies []service.StrategyInfo `json:"strategies"`
}

// Pruning says which age in days is deleted.
type Pruning struct {
	Days int  `json:"days" min:"1" max:"36500"`
	Dry  bool `json:"dry_run,omitempty" help:"Only count; delete nothing."`
}

// BlocksKept counts the blocks that were stored.
type BlocksKept struct {
	Blocks int `json:"blocks"`
}
