package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
)

// A study is created, a batch of two trials is asked in one transaction with
// its entry in the log, and the log is read back.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := sqlitedb.Open(ctx, filepath.Join(dir, "sakusen.db"), sqlitedb.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	st, err := store.New(ctx, db, store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	log, created, err := st.ResumeStudy(ctx, store.Header{
		Name: "threshold", Game: "battleship", Strategy: "mp", Spec: "{}", SpecHash: "00", Signatures: "mp:01", BudgetTrials: 40,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("created:", created)
	ask := tuner.Entry{Kind: tuner.KindAsk, Payload: json.RawMessage(`{"trials":[70,80]}`)}
	err = log.Append(ctx, ask, func(s goptuna.Storage, study int) error {
		for _, squares := range []float64{70, 80} {
			id, err := s.CreateNewTrial(study)
			if err != nil {
				return err
			}
			if err := s.SetTrialParam(id, "start_squares", squares, goptuna.IntUniformDistribution{Low: 10, High: 100}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	entries, err := log.Entries(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range entries {
		fmt.Println(e.Kind, string(e.Payload))
	}
	page, err := st.TrialPage(ctx, log.ID(), 1, 10)
	fmt.Println(len(page), page[0].Params["start_squares"], err)
	// Output:
	// created: true
	// ask {"trials":[70,80]}
	// 1 80 <nil>
}
