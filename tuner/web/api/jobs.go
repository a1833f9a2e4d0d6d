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
	ListTournaments     Op[JobsPage, TournamentList]         `GET:"/tournaments" help:"Tournaments, the newest first."`
	SubmitTournament    Op[Body[SubmittedTournament], JobID] `POST:"/tournaments" role:"submit" help:"Queues a tournament, or only checks its file." 201:"Queued." 200:"Checked, and nothing is wrong (id is null); or one that was asked for the same has not ended, and this is its id."`
	ListExperiments     Op[None, ExperimentList]             `GET:"/experiments" help:"The experiments that can be run, each with its last run."`
	ListExperimentRuns  Op[JobsPage, RunList]                `GET:"/experiments/runs" help:"Runs of experiments, the newest first."`
	SubmitExperimentRun Op[Body[SubmittedExperiment], JobID] `POST:"/experiments/runs" role:"submit" help:"Queues an embedded experiment, or only checks what is asked for." 201:"Queued." 200:"Checked, and nothing is wrong (id is null); or one that was asked for the same has not ended, and this is its id."`
	ListTests           Op[JobsPage, TestList]               `GET:"/tests" help:"Tests of patches, the newest first."`
	SubmitTest          Op[Body[SubmittedTest], JobID]       `POST:"/tests" role:"submit" help:"Queues a test of a patch, or only checks its file." 201:"Queued." 200:"Checked, and nothing is wrong (id is null); or one that was asked for the same has not ended, and this is its id."`
}

// Jobs are the operations on one tournament, one run of an experiment or one test. NOUN is what it is
// called.
type Jobs struct {
	Get        Op[OfJob, service.JobDetail] `GET:"/{id}" help:"One NOUN, with its result."`
	Delete     Op[OfJob, DeletedJob]        `DELETE:"/{id}" help:"Forgets a NOUN that does not run; its games stay in the cache."`
	Pause      Op[ActOnJob, JobState]       `POST:"/{id}/pause" help:"Pauses a NOUN; answers when it no longer runs."`
	Resume     Op[ActOnJob, JobState]       `POST:"/{id}/resume" help:"Puts a paused, stopped or failed NOUN back into the queue."`
	Stop       Op[ActOnJob, JobState]       `POST:"/{id}/stop" help:"Stops a NOUN; answers when it no longer runs."`
	PutNote    Op[NotedJob, JobState]       `PUT:"/{id}/note" help:"Keeps what somebody has written about a NOUN, in place of what was there; an empty text takes that away. The word #archived puts it away."`
	Prioritise Op[PrioritisedJob, JobState] `POST:"/{id}/priority" help:"Changes how urgent a NOUN is: each step doubles its share of the workers."`
}

// JobsPage asks for a page of tournaments, runs or tests.
type JobsPage struct {
	Before int `query:"before" help:"The id before which the page begins; absent it begins with the newest."`
	Page
	Wanted
}

// Wanted says which entries of a list are wanted.
type Wanted struct {
	Q        string `query:"q" bytes:"200" help:"Words that its name, its file or its note has."`
	State    string `query:"state" enum:"running,waiting,paused,failed,done,proved,worse,undecided,foreign" help:"What became of it, as lists of the pages have it: running, waiting, paused or failed; of jobs done; of studies proved, worse, undecided or foreign."`
	Archived string `query:"archived" enum:"yes,no" help:"Only what was put away, or only the rest; all if absent."`
}

// Filter is the page that begins behind an id, in an order.
func (w *Wanted) Filter(sort string, beyond, limit int) store.Filter {
	return store.Filter{Text: w.Q, Outcome: w.State, Archived: w.Archived == "yes", Both: w.Archived == "", Sort: sort, Beyond: beyond, Limit: limit}
}

// NotedJob is what somebody has written about a tournament, a run or a test.
type NotedJob struct {
	OfJob
	Body struct {
		Note string `json:"note,omitempty" most:"10000"`
	} `body:"json"`
}

// TournamentList is a page of tournaments.
type TournamentList struct {
	Tournaments []service.Job `json:"tournaments"`
	Next        *int          `json:"next" help:"The next page's before; null on the last page."`
}

// TestList is a page of tests of patches.
type TestList struct {
	Tests []service.Job `json:"tests"`
	Next  *int          `json:"next" help:"The next page's before; null on the last page."`
}

// RunList is a page of runs of experiments.
type RunList struct {
	Runs []service.Job `json:"runs"`
	Next *int          `json:"next" help:"The next page's before; null on the last page."`
}

// ExperimentList are all experiments.
type ExperimentList struct {
	Experiments []service.ExperimentLine `json:"experiments"`
}

// Submitted is what a submission adds to what is asked for.
type Submitted struct {
	Priority int  `json:"priority,omitempty" min:"-10" max:"10"`
	Check    bool `json:"check,omitempty" help:"Only read it, and say what is wrong."`
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
	ListSeries     Op[SeriesPage, SeriesList]                           `GET:"/bench/series" help:"A page of the series of benchmarks that were recorded, by package, name and unit."`
	GetSeries      Op[OfSeriesRuns, SeriesFound]                        `GET:"/bench/series/{series...}" help:"A series' history with its change points."`
	RecordRun      Op[Body[Recording], Recorded]                        `POST:"/bench/runs" role:"submit" limit:"16777216" help:"Records benchmark runs: the text of go test -bench, plain or -json. The same text of the same commit is kept once. At most 16 MiB."`
	AcceptSeries   Op[Body[service.BenchAccept], service.BenchAccepted] `POST:"/bench/accept" help:"Stands by a change: the series begins anew with a recorded run."`
	PruneRuns      Op[Body[Pruning], RunsPruned]                        `POST:"/bench/prune" help:"Removes recorded runs older than so many days, but none that a baseline names or an accepted change begins with."`
	PutBaseline    Op[Naming, service.BenchNamed]                       `PUT:"/bench/baselines/{name}" help:"Gives a recorded run a name."`
	DeleteBaseline Op[OfBaseline, Deleted]                              `DELETE:"/bench/baselines/{name}" help:"Takes a name away; its run stays."`
}

// SeriesPage asks for a page of series.
type SeriesPage struct {
	Q     string `query:"q" help:"A part of the title; upper and lower case are the same."`
	After int    `query:"after" min:"0" max:"1073741824" help:"The number of series before the page."`
	Page
}

// SeriesList is a page of series.
type SeriesList struct {
	Series []SeriesLine `json:"series"`
	Total  int          `json:"total" help:"Series that were found."`
	Next   *int         `json:"next" help:"The next page's after; null on the last page."`
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
	Limit  int    `query:"limit" min:"1" max:"10000" default:"1000" help:"Points at most, the last ones; 1000 if absent."`
}

// SeriesFound is the history of a series.
type SeriesFound struct {
	History SeriesHistory `json:"history"`
}

// SeriesHistory is one series on the baseline branch.
type SeriesHistory struct {
	Title   string               `json:"title"`
	Unit    string               `json:"unit"`
	Runs    int                  `json:"runs" help:"Of which points are the last."`
	Points  []ledger.Sample      `json:"points"`
	Changes []ledger.LevelChange `json:"changes"`
	// Causes say in which functions the benchmark lost or gained, of the last runs that
	// were profiled, on any branch.
	Causes []ledger.RecordedCause `json:"causes"`
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

// games are the operations that show games.
type games struct {
	GetTrialGames Op[GamesPage, films.TrialGames] `GET:"/studies/{study}/trials/{number}/games" help:"What a trial has played: all its meetings, and the games of one of them, a page of blocks at a time."`
	WatchFilm     Op[StoredFilm, filmLine]        `GET:"/films" type:"application/x-ndjson" refusal:"the game cannot be shown" help:"Shows a game that a study has played: it is played again and compared with the record. A fresh game can be asked for in the same way, with game, entrant (repeated), rule.NAME and seed." 200:"Lines of JSON, each a FilmLine: {\"film\": FilmHeader}, {\"frame\": FilmFrame} for each step as it is made, and {\"end\": FilmEnd} or {\"error\": text}."`
	MakeFilm      Op[FreshFilm, filmLine]         `POST:"/films" role:"read" type:"application/x-ndjson" help:"Shows a fresh game, or one that a replay file holds. It ends when the asker leaves; two are played at once, and one asker more gets 429." 200:"Lines of JSON, each a FilmLine: {\"film\": FilmHeader}, {\"frame\": FilmFrame} for each step as it is made, and {\"end\": FilmEnd} or {\"error\": text}."`
}

// filmLine is a line of the answer to who watches a game: one of these.
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
	Meeting *int   `query:"meeting" help:"The meeting whose games are listed, the first if absent."`
	Phase   string `query:"phase" schema:"Phase" help:"The first meeting of this phase, if there is one, where no meeting is named."`
	From    *int64 `query:"from" help:"The first block, the meeting's first if absent."`
	Result  string `query:"result" enum:"won,lost,drawn,fault" open:"true" help:"Only games that the trial won, lost or drew, or in which somebody made an illegal move; of at most 5 000 blocks from the first on."`
	Order   string `query:"order" most:"60" help:"A metric, the least first; with a hyphen before it, the most first. Absent, by blocks."`
	Limit   int    `query:"limit" min:"1" max:"1000" default:"25" help:"Blocks of a page, 25 if absent; games, with result or order."`
}

// Frames are those of a film that are wanted.
type Frames struct {
	From  int `query:"from" help:"The first frame."`
	Limit int `query:"limit" min:"1" max:"1073741824" default:"1073741824" help:"Frames at most, all if absent."`
}

// StoredFilm names a game as an address has it.
type StoredFilm struct {
	Study    string                `query:"study" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[0-9]{1,9})?$"`
	Trial    int                   `query:"trial" help:"The trial's number."`
	Phase    string                `query:"phase" schema:"Phase" help:"Tune if absent."`
	Opponent int                   `query:"opponent" max:"1048576" help:"Of several that were met on the same blocks, as the list of games says."`
	Instead  string                `query:"instead" enum:"baseline" open:"true" help:"baseline: the study's baseline sits in the trial's place, so that both games of one chance can be compared."`
	Block    int64                 `query:"block" help:"The block."`
	Rotation int                   `query:"rotation" max:"64" help:"The rotation in it."`
	Game     string                `query:"game"`
	Entrants []string              `query:"entrant" most:"64" bytes:"2000" help:"An entrant a seat."`
	Rules    map[string]films.Text `query:"rule."`
	Seed     string                `query:"seed" schema:"Decimal"`
	Record   string                `query:"record" pattern:"^[0-9a-f]{32}$" help:"The key of a replay file that was brought to the page /watch, beside game."`
	Frames
}

// FreshFilm is a game that is played to be watched.
type FreshFilm struct {
	Frames
	Body films.Ticket `body:"json"`
}

// daemon are the operations on what serves, and on what goes on in it.
type daemon struct {
	GetServer      Op[None, About]                            `GET:"" help:"What serves."`
	GetDescription Op[None, any]                              `GET:"/openapi.json" help:"This description."`
	WatchEvents    Op[EventsSince, stream]                    `GET:"/events" type:"text/event-stream" help:"Server-sent events: state, progress, deleted, each of a study (study: its name) or a job (job: tournament/12, experiment/12, test/12), recorded where benchmarks were recorded, named, accepted or removed, and reset where events were missed that are no longer remembered." 200:"A stream."`
	GetNow         Op[NowSince, service.Now]                  `GET:"/now" help:"What goes on: what runs and waits, what ended since a time, and what needs somebody. Each list has the first 12."`
	GetWorkers     Op[None, fleet.Fleet]                      `GET:"/workers" help:"The workers on other machines, and what was played again of their games. Nobody is listed where the daemon takes no workers."`
	ListGames      Op[None, GameList]                         `GET:"/games" help:"The games with their rules and metrics."`
	ListStrategies Op[OfGame, StrategyList]                   `GET:"/games/{game}/strategies" help:"The strategies of a game with their parameters."`
	Prune          Op[Body[Pruning], blocks.Pruned]           `POST:"/prune" help:"Deletes blocks of series that nobody has added to for so many days: a cache, played again where it is needed." 200:"Done, or counted."`
	PostBlocks     Op[Body[service.PlayedBlocks], BlocksKept] `POST:"/blocks" role:"submit" limit:"16777216" help:"Keeps blocks of a match that were played elsewhere. Those of studies are not taken. At most 16 MiB."`
}

// About says what serves.
type About struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Running int    `json:"running" help:"Studies and other jobs that run now."`
}

// EventsSince says which events a client has seen.
type EventsSince struct {
	Header string `header:"Last-Event-ID" schema:"EventID" help:"The last event that was seen; those after it are told first."`
	Query  string `query:"last" schema:"EventID" help:"The same, for clients that cannot set headers."`
}

// stream is an answer that goes on.
type stream struct{}

// NowSince says how far back somebody wants to see.
type NowSince struct {
	Since time.Time `query:"since" help:"Since when ended studies are listed; a day ago if absent."`
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

// Pruning says what is to be deleted: what is older than so many days.
type Pruning struct {
	Days int  `json:"days" min:"1" max:"36500"`
	Dry  bool `json:"dry_run,omitempty" help:"Only count."`
}

// BlocksKept counts the blocks that were kept.
type BlocksKept struct {
	Blocks int `json:"blocks"`
}
