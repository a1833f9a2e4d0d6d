package api

import "sakusen/tuner/service"

// jobLists are the operations on all tournaments and experiments.
type jobLists struct {
	ListTournaments     Op[JobsPage, TournamentList]         `GET:"/tournaments" help:"Tournaments, the newest first."`
	SubmitTournament    Op[Body[SubmittedTournament], JobID] `POST:"/tournaments" role:"submit" help:"Queues a tournament, or only checks its file." 201:"Queued." 200:"Checked, and nothing is wrong (id is null); or one that was asked for the same has not ended, and this is its id."`
	ListExperiments     Op[None, ExperimentList]             `GET:"/experiments" help:"The experiments that can be run, each with its last run."`
	ListExperimentRuns  Op[JobsPage, RunList]                `GET:"/experiments/runs" help:"Runs of experiments, the newest first."`
	SubmitExperimentRun Op[Body[SubmittedExperiment], JobID] `POST:"/experiments/runs" role:"submit" help:"Queues an embedded experiment, or only checks what is asked for." 201:"Queued." 200:"Checked, and nothing is wrong (id is null); or one that was asked for the same has not ended, and this is its id."`
}

// Jobs are the operations on one tournament, or on one run of an experiment. NOUN is what it is
// called.
type Jobs struct {
	Get        Op[OfJob, service.JobDetail] `GET:"/{id}" help:"One NOUN, with its result."`
	Delete     Op[OfJob, DeletedJob]        `DELETE:"/{id}" help:"Forgets a NOUN that does not run; its games stay in the cache."`
	Pause      Op[ActOnJob, JobState]       `POST:"/{id}/pause" help:"Pauses a NOUN; answers when it no longer runs."`
	Resume     Op[ActOnJob, JobState]       `POST:"/{id}/resume" help:"Puts a paused, stopped or failed NOUN back into the queue."`
	Stop       Op[ActOnJob, JobState]       `POST:"/{id}/stop" help:"Stops a NOUN; answers when it no longer runs."`
	Prioritise Op[PrioritisedJob, JobState] `POST:"/{id}/priority" help:"Changes how urgent a NOUN is: each step doubles its share of the workers."`
}

// JobsPage asks for a page of tournaments or runs.
type JobsPage struct {
	Before int `query:"before" help:"The id before which the page begins; absent it begins with the newest."`
	Page
}

// TournamentList is a page of tournaments.
type TournamentList struct {
	Tournaments []service.Job `json:"tournaments"`
	Next        *int          `json:"next" help:"The next page's before; null on the last page."`
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

// JobID is the number of what was submitted; null where it was only checked.
type JobID struct {
	ID *int `json:"id"`
}

// OfJob names a tournament or a run.
type OfJob struct {
	ID int `path:"id" min:"1"`
}

// ActOnJob names a tournament or a run with which something is done.
type ActOnJob struct {
	OfJob
	Body struct{} `body:"json"`
}

// PrioritisedJob says how urgent a tournament or a run is to be.
type PrioritisedJob struct {
	OfJob
	Body Priority `body:"json"`
}

// DeletedJob names a tournament or a run that is gone.
type DeletedJob struct {
	Deleted int `json:"deleted"`
}

// JobState is a tournament or a run after a change.
type JobState struct {
	ID       int    `json:"id"`
	State    string `json:"state" schema:"State"`
	Priority int    `json:"priority"`
}
