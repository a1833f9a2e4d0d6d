package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/build"
	"sakusen/tuner/insight"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/web/api"
)

// call is a request to an operation while it is answered.
type call struct {
	context.Context
	w      http.ResponseWriter
	r      *http.Request
	status int
}

// created marks an answer as of something new, and gives its address.
func (c *call) created(at string) {
	c.status = http.StatusCreated
	c.w.Header().Set("Location", at)
}

// answered binds an operation to what answers it.
func answered[In, Out any](op api.Op[In, Out], do func(*call, *In) (*Out, error)) route {
	return streamed(op, func(w http.ResponseWriter, r *http.Request, in *In) error {
		c := &call{r.Context(), w, r, http.StatusOK}
		out, err := do(c, in)
		if err != nil {
			return err
		}
		write(w, c.status, out)
		return nil
	})
}

// streamed binds an operation to what writes its answer itself.
func streamed[In, Out any](op api.Op[In, Out], do func(http.ResponseWriter, *http.Request, *In) error) route {
	return route{method: op.Method, pattern: op.Path, role: op.Role, handle: func(w http.ResponseWriter, r *http.Request) error {
		in, err := op.Decode(r)
		if err != nil {
			return err
		}
		return do(w, r, in)
	}}
}

// nextOf returns the key of the page after one that has limit entries; nil where there is none.
func nextOf[T, K any](page []T, limit int, key func(*T) K) *K {
	if len(page) < limit || len(page) == 0 {
		return nil
	}
	next := key(&page[len(page)-1])
	return &next
}

// operations are what the server does beside studies, jobs and benchmarks.
type operations struct{ *Server }

func (s operations) routes() []route {
	v1 := api.V1
	return []route{
		answered(v1.GetServer, func(*call, *api.None) (*api.About, error) {
			return &api.About{Name: "sakusen", Version: build.Version, Commit: s.o.Commit, Running: s.o.Service.Queue().Running()}, nil
		}),
		streamed(v1.GetDescription, func(w http.ResponseWriter, _ *http.Request, _ *api.None) error {
			w.Header().Set("Content-Type", "application/json")
			w.Write(base(s.o.Base).description())
			return nil
		}),
		streamed(v1.WatchEvents, func(w http.ResponseWriter, r *http.Request, in *api.EventsSince) error {
			return s.Hub.serve(w, r, s.gate.asker(r), in)
		}),
		answered(v1.GetNow, func(c *call, in *api.NowSince) (*service.Now, error) {
			if in.Since.IsZero() {
				in.Since = time.Now().Add(-firstVisit)
			}
			return s.o.Service.Studies().Now(c, in.Since)
		}),
		answered(v1.GetWorkers, func(*call, *api.None) (*fleet.Fleet, error) {
			all := s.others()
			return &all, nil
		}),
		answered(v1.ListGames, func(*call, *api.None) (*api.GameList, error) {
			games, err := s.o.Service.Games()
			return &api.GameList{Games: games}, err
		}),
		answered(v1.ListStrategies, func(_ *call, in *api.OfGame) (*api.StrategyList, error) {
			strategies, err := s.o.Service.Strategies(in.Game)
			return &api.StrategyList{Strategies: strategies}, err
		}),
		answered(v1.Prune, func(c *call, in *api.Body[api.Pruning]) (*blocks.Pruned, error) {
			pruned, err := s.o.Service.Blocks().Prune(c, in.Body.Days, in.Body.Dry)
			return &pruned, err
		}),
		// Blocks of the phases of a study are refused: a study counts only what this server has played.
		answered(v1.PostBlocks, func(c *call, in *api.Body[service.PlayedBlocks]) (*api.BlocksKept, error) {
			return &api.BlocksKept{Blocks: in.Body.Blocks}, s.o.Service.Blocks().Save(c, in.Body)
		}),
	}
}

// studyAPI is the API of studies.
type studyAPI struct{ *Server }

func (s studyAPI) routes() []route {
	v1, studies := api.V1, s.o.Service.Studies()
	return []route{
		answered(v1.ListStudies, func(c *call, in *api.StudiesPage) (*api.StudyList, error) {
			list, err := studies.List(c, in.Filter("oldest", in.After, in.Limit))
			return &api.StudyList{Studies: list, Next: nextOf(list, in.Limit, func(s *service.Study) int { return s.ID })}, err
		}),
		answered(v1.SubmitStudy, s.submit),
		answered(v1.ForecastStudy, func(c *call, in *api.Body[service.Submission]) (*insight.Forecast, error) {
			return studies.Files.Forecast(c, in.Body)
		}),
		answered(v1.GetStudy, func(c *call, in *api.OfStudy) (*service.StudyDetail, error) { return studies.Show(c, in.Study) }),
		answered(v1.DeleteStudy, func(c *call, in *api.OfStudy) (*api.Deleted, error) {
			return &api.Deleted{Deleted: in.Study}, s.o.Service.Queue().Delete(c, daemon.StudyKey(in.Study))
		}),
		answered(v1.ListTrials, s.trials),
		answered(v1.ListEntries, func(c *call, in *api.LogPage) (*api.EntryList, error) {
			list, err := studies.Logs.Log(c, in.Study, in.After, in.Limit)
			return &api.EntryList{Entries: list, Next: nextOf(list, in.Limit, func(e *service.LogEntry) int { return e.Seq })}, err
		}),
		streamed(v1.ExportStudy, s.export),
		streamed(v1.ReportStudy, s.report),
		answered(v1.PauseStudy, s.act(service.Queue.Pause)),
		answered(v1.ResumeStudy, s.act(service.Queue.Resume)),
		answered(v1.StopStudy, s.act(service.Queue.Stop)),
		answered(v1.PrioritiseStudy, func(c *call, in *api.PrioritisedStudy) (*api.StudyState, error) {
			if err := s.o.Service.Queue().Prioritise(c, daemon.StudyKey(in.Study), *in.Body.Priority); err != nil {
				return nil, err
			}
			return s.state(c, in.Study, "")
		}),
		answered(v1.ProveStudy, func(c *call, in *api.Proving) (*service.FurtherProof, error) {
			p, err := studies.Files.Prove(c, in.Study, in.Body.Blocks, in.Body.Check)
			if err == nil && !in.Body.Check {
				c.created("/api/v1/studies/" + p.Study)
			}
			return p, err
		}),
		answered(v1.TryPoint, s.try),
		answered(v1.PutNote, func(c *call, in *api.Noting) (*api.Named, error) {
			return &api.Named{Study: in.Study}, studies.SetNote(c, in.Study, in.Body.Note)
		}),
		answered(v1.ListAsks, func(c *call, in *api.OfStudy) (*service.Asked, error) {
			return studies.ExternalGames().ListOpenAsks(c, in.Study)
		}),
		answered(v1.Ask, func(c *call, in *api.Asking) (*service.Asked, error) {
			return studies.ExternalGames().Ask(c, in.Study, in.Body)
		}),
		answered(v1.Tell, func(c *call, in *api.Telling) (*service.Accepted, error) {
			return studies.ExternalGames().Tell(c, in.Study, in.Body)
		}),
		answered(v1.ListBlocks, func(c *call, in *api.BlocksPage) (*api.BlockList, error) {
			list, err := s.o.Service.Blocks().Page(c, in.Study, in.After, *in.Limit, in.Detail)
			return &api.BlockList{Blocks: list, Next: nextOf(list, *in.Limit, func(b *service.BlockRun) int64 { return b.ID })}, err
		}),
		answered(v1.DropWorker, func(c *call, in *api.Dropping) (*service.Dropped, error) {
			dropped, err := studies.Drop(c, in.Study, in.Body.Worker)
			return &dropped, err
		}),
	}
}

// submit queues a study, or only checks it.
func (s studyAPI) submit(c *call, in *api.Body[service.Submission]) (*api.Named, error) {
	n, err := s.o.Service.Studies().Files.Submit(c, in.Body)
	if err == nil && !in.Body.Check {
		c.created("/api/v1/studies/" + n)
	}
	return &api.Named{Study: n}, err
}

// trials lists trials by number, or in another order.
func (s studyAPI) trials(c *call, in *api.TrialsPage) (*api.TrialList, error) {
	if c.r.URL.Query().Has("order") {
		return s.ordered(c, in)
	}
	list, err := s.o.Service.Studies().Logs.Trials(c, in.Study, in.From, in.Limit)
	return &api.TrialList{Trials: list, Next: nextOf(list, in.Limit, func(t *service.Trial) int { return t.Number + 1 })}, err
}

// ordered lists trials in another order than their numbers'.
func (s studyAPI) ordered(c *call, in *api.TrialsPage) (*api.TrialList, error) {
	o, err := orderOf(in)
	if err != nil {
		return nil, err
	}
	_, log, err := s.whole(c, in.Study)
	if err != nil {
		return nil, err
	}
	log.mu.Lock()
	if err := o.resolve(log.log.Spec.Tune.Params); err != nil {
		log.mu.Unlock()
		return nil, service.Wrap(service.Invalid, err)
	}
	numbers := o.numbers(log.log, in.Limit)
	log.mu.Unlock()
	trials, err := s.o.Service.Studies().Logs.TrialsAt(c, in.Study, numbers)
	slices.SortStableFunc(trials, func(a, b service.Trial) int { return slices.Index(numbers, a.Number) - slices.Index(numbers, b.Number) })
	return &api.TrialList{Trials: trials, Next: nextOf(numbers, in.Limit, func(n *int) int { return *n })}, err
}

// act runs an action on a study. It answers with the state that was set: when the answer is
// written, the daemon may have taken the study up.
func (s studyAPI) act(do hold) func(*call, *api.ActOnStudy) (*api.StudyState, error) {
	return func(c *call, in *api.ActOnStudy) (*api.StudyState, error) {
		state, err := do(s.o.Service.Queue(), c, daemon.StudyKey(in.Study))
		if err != nil {
			return nil, err
		}
		return s.state(c, in.Study, state)
	}
}

// hold pauses, resumes or stops a study or a job.
type hold = func(service.Queue, context.Context, daemon.Key) (tuner.State, error)

// state returns a study after a change, in the state that was set, or as it is where none was.
func (s studyAPI) state(c *call, study string, state tuner.State) (*api.StudyState, error) {
	d, err := s.o.Service.Studies().Show(c, study)
	if err != nil {
		return nil, err
	}
	return &api.StudyState{Study: study, State: cmp.Or(string(state), string(d.State)), Priority: d.Priority}, nil
}

// try adds a point to a study's next batch.
func (s studyAPI) try(c *call, in *api.Trying) (*service.TryPoint, error) {
	var point param.Values
	for _, key := range slices.Sorted(maps.Keys(in.Body.Point)) {
		switch value := in.Body.Point[key].(type) {
		case float64:
			point = append(point, param.Value{Name: key, Text: strconv.FormatFloat(value, 'f', -1, 64)})
		case string, bool:
			point = append(point, param.Value{Name: key, Text: fmt.Sprint(value)})
		default:
			return nil, service.New(service.Invalid, fmt.Sprintf("point.%.80s: expected a number, a text, true or false", key))
		}
	}
	c.status = http.StatusCreated
	return s.o.Service.Studies().Try(c, in.Study, point)
}

// export hands out the best parameters as a file.
func (s studyAPI) export(w http.ResponseWriter, r *http.Request, in *api.Exporting) error {
	format := cmp.Or(in.Format, "yaml")
	if in.Front {
		format = "front." + cmp.Or(strings.TrimPrefix(in.Format, "front."), "json")
	}
	d, err := s.o.Service.Studies().Files.Export(r.Context(), in.Study, format, in.Force)
	if e, ok := errors.AsType[*service.Error](err); ok && e.Reason == service.Unproven {
		err = service.Wrap(service.Refused, fmt.Errorf("%w (force=true exports it anyway)", e))
	}
	if err != nil {
		return err
	}
	attach(w, d)
	return nil
}

// report hands out a report as a file.
func (s studyAPI) report(w http.ResponseWriter, r *http.Request, in *api.Reporting) error {
	d, err := ReportOf(r.Context(), s.o.Service, append([]string{in.Study}, in.Beside...), cmp.Or(in.Format, "html"))
	if err == nil {
		attach(w, d)
	}
	return err
}

// attach answers with a file to be kept.
func attach(w http.ResponseWriter, d service.Document) {
	h := w.Header()
	h.Set("Content-Type", d.Type)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.Name}))
	h.Set("Cache-Control", "no-store")
	w.Write(d.Body)
}
