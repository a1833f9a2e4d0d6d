package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/build"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// dumpFormat is the number of the form in which studies are dumped.
const dumpFormat = 1

// dumpPage is how many trials are held at a time.
const dumpPage = 500

// dumped is the beginning of a dumped study; its trials, its log and its result follow.
type dumped struct {
	Format    int                    `json:"format"`
	Program   string                 `json:"program"`         // that dumped it
	Database  int                    `json:"database_format"` // of the file that it was read from
	Study     string                 `json:"study"`
	Direction goptuna.StudyDirection `json:"direction"`
	Created   time.Time              `json:"created"`
	User      map[string]string      `json:"user_attrs"`
	System    map[string]string      `json:"system_attrs"`
	*dumpedRecord
}

// dumpedRecord is what a study of this program has beside what goptuna knows; a study that
// another program keeps through goptuna's storage has none of it, and no log.
type dumpedRecord struct {
	State      string          `json:"state"`
	Message    string          `json:"message"`
	Updated    time.Time       `json:"updated"`
	Priority   int             `json:"priority"`
	Game       string          `json:"game"`
	Strategy   string          `json:"strategy"`
	Baseline   string          `json:"baseline"`
	SourceName string          `json:"source_name"`
	Source     string          `json:"source"`
	Spec       json.RawMessage `json:"spec"`
	SpecHash   string          `json:"spec_sha256"`
	Signatures string          `json:"signatures"`
	Budget     entry.Spent     `json:"budget"`
	Games      int64           `json:"games"`
}

type dumpedTrial struct {
	Number    int                `json:"number"`
	State     string             `json:"state"`
	Value     *float64           `json:"value"`
	Started   *time.Time         `json:"started"`
	Completed *time.Time         `json:"completed"`
	Params    map[string]any     `json:"params"`
	Internal  map[string]float64 `json:"internal_params"`
	Steps     map[int]float64    `json:"intermediate_values"`
	User      map[string]string  `json:"user_attrs"`
	System    map[string]string  `json:"system_attrs"`
}

// dumpedEntry is the beginning of a dumped entry of a log; its payload follows.
type dumpedEntry struct {
	Seq     int       `json:"seq"`
	Kind    string    `json:"kind"`
	Created time.Time `json:"created"`
	Chain   string    `json:"chain"`
}

// Dump writes a study, or all studies where the name is empty, as JSON, one study a line,
// each as it is at one moment, while others may write. docs/dump.md says what each field
// is. Neither the log nor the trials are held in memory. It returns the number of studies
// written; an unknown name is [ErrStudyNotFound]. A study that cannot be read, or is not
// what was written, is left out whole, and damaged tells of each; where no study was
// written, it is err that does.
func (s *Store) Dump(ctx context.Context, w io.Writer, name string) (n int, damaged, err error) {
	all, err := sqlitedb.Rows(ctx, s.db.Reader(), func(scan func(...any) error) (d dump, err error) {
		d.s = s
		err = scan(&d.id, &d.name)
		return d, err
	}, "SELECT study_id, name FROM sakusen_studies WHERE ?1 = '' OR name = ?1 ORDER BY study_id", name)
	if err != nil {
		return 0, nil, fmt.Errorf("dump: %w", err)
	}
	if len(all) == 0 && name != "" {
		return 0, nil, fmt.Errorf("%q: %w", name, ErrStudyNotFound)
	}
	for _, d := range all {
		unread, err := d.write(ctx, w)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return n, damaged, fmt.Errorf("dump of study %q: %w", d.name, err)
		}
		if unread == nil {
			n++
			continue
		}
		damaged = errors.Join(damaged, fmt.Errorf("dump of study %q: %w", d.name, unread))
	}
	if n == 0 {
		return 0, nil, damaged
	}
	return n, damaged, nil
}

// dump is a study that is being dumped.
type dump struct {
	s    *Store
	tx   *sql.Tx
	w    *bufio.Writer
	id   int
	name string
}

// write writes the study if all of it can be read and is what was written; unread says why
// it cannot or is not. All is read in one transaction, by one connection.
func (d *dump) write(ctx context.Context, w io.Writer) (unread, err error) {
	err = d.s.db.Read(ctx, func(tx *sql.Tx) error {
		d.tx = tx
		head, result, err := d.head()
		unread = cmp.Or(studyRows.RefuseTx(tx, "study_id = ?", d.id), goptunadb.Refuse(tx, d.id), err)
		if unread == nil {
			// The first time only reads, so that nothing is written of a study that is damaged further on.
			unread = d.compose(io.Discard, head, result)
		}
		if unread != nil {
			return nil
		}
		return d.compose(w, head, result)
	})
	return unread, err
}

func (d *dump) compose(w io.Writer, head *dumped, result string) error {
	d.w = bufio.NewWriterSize(w, 1<<16) // it keeps its error until Flush
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	d.w.Write(bytes.TrimSuffix(text, []byte("}")))
	if err := d.trials(); err != nil {
		return err
	}
	if head.dumpedRecord != nil {
		if err := d.log(head); err != nil {
			return err
		}
		fmt.Fprintf(d.w, `,"result":%s`, result)
	}
	d.w.WriteString("}\n")
	return d.w.Flush()
}

// head reads the beginning, and the result, null where there is none.
func (d *dump) head() (*dumped, string, error) {
	h := &dumped{Format: dumpFormat, Program: "sakusen " + build.Version, Database: build.Format}
	known, err := goptunadb.Summary(d.tx, d.id)
	if err != nil {
		return nil, "", err
	}
	h.Study, h.Direction, h.User, h.System = known.Name, known.Direction, known.UserAttrs, known.SystemAttrs
	var created int64
	if err := d.tx.QueryRow("SELECT created FROM sakusen_studies WHERE study_id = ?", d.id).Scan(&created); err != nil {
		return nil, "", err
	}
	h.Created = time.Unix(0, created).UTC()
	var r dumpedRecord
	var updated int64
	var spec string
	result := "null"
	err = sqlitedb.EachRow(d.tx, `SELECT state, message, updated, priority, game, strategy, baseline, source_name, source, spec, spec_sha256, signatures,
		budget_trials, budget_games, games, coalesce(result, 'null') FROM study_records WHERE study_id = ?`, []any{d.id}, func(rows *sql.Rows) error {
		h.dumpedRecord = &r
		return rows.Scan(&r.State, &r.Message, &updated, &r.Priority, &r.Game, &r.Strategy, &r.Baseline, &r.SourceName, &r.Source, &spec, &r.SpecHash,
			&r.Signatures, &r.Budget.Trials, &r.Budget.Games, &r.Games, &result)
	})
	r.Updated, r.Spec = time.Unix(0, updated).UTC(), json.RawMessage(spec)
	return h, result, err
}

// trials writes the trials and the distributions of their parameters.
func (d *dump) trials() error {
	fmt.Fprint(d.w, `,"trials":[`)
	distributions := map[string][]json.RawMessage{}
	seen := map[string]bool{}
	for from := 0; ; {
		page, err := goptunadb.Trials(d.tx, d.id, from, dumpPage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		untold := map[int]bool{}
		err = sqlitedb.EachRow(d.tx, "SELECT number FROM sakusen_trials WHERE study_id = ? AND number BETWEEN ? AND ? AND value IS NULL", []any{d.id, from, page[len(page)-1].Number},
			func(rows *sql.Rows) error {
				var n int
				err := rows.Scan(&n)
				untold[n] = true
				return err
			})
		if err != nil {
			return err
		}
		for i := range page {
			t := &page[i]
			out := dumpedTrial{
				Number: t.Number, State: strings.ToLower(t.State.String()), Params: t.Params, Internal: t.InternalParams, Steps: t.IntermediateValues,
				User: t.UserAttrs, System: t.SystemAttrs, Started: moment(t.DatetimeStart), Completed: moment(t.DatetimeComplete),
			}
			if !untold[t.Number] {
				out.Value = &t.Value
			}
			for name, x := range t.Distributions {
				text, err := goptuna.DistributionToJSON(x)
				if err != nil {
					return err
				}
				if key := name + "\n" + string(text); !seen[key] {
					seen[key] = true
					distributions[name] = append(distributions[name], json.RawMessage(text))
				}
			}
			text, err := json.Marshal(&out)
			if err != nil {
				return err
			}
			if t.Number > 0 {
				d.w.WriteByte(',')
			}
			d.w.Write(text)
		}
		from = page[len(page)-1].Number + 1
	}
	text, err := json.Marshal(distributions)
	fmt.Fprintf(d.w, `],"distributions":%s`, text)
	return err
}

// moment returns a time, nil for none.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// log writes the log and its digest, and checks its links on the way.
func (d *dump) log(head *dumped) error {
	fmt.Fprint(d.w, `,"log":[`)
	var digest entry.Digester
	_, err := d.s.Study(d.id).eachChained(d.tx, head.SpecHash, head.Signatures, func(e chained) error {
		digest.Add(e.Entry)
		text, err := json.Marshal(dumpedEntry{Seq: e.seq, Kind: string(e.Kind), Created: time.Unix(0, e.created).UTC(), Chain: hex.EncodeToString(e.hash)})
		if err != nil {
			return err
		}
		if e.seq > 1 {
			d.w.WriteByte(',')
		}
		d.w.Write(bytes.TrimSuffix(text, []byte("}")))
		_, err = fmt.Fprintf(d.w, `,"payload":%s}`, e.Payload) // byte by byte, for the digest is over it
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(d.w, `],"digest":"%s"`, digest.Sum())
	return err
}
