package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
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
	st, err := store.New(ctx, db)
	if err != nil {
		fmt.Println(err)
		return
	}
	log, created, err := st.Studies.Resume(ctx, store.Header{
		Name: "threshold", Game: "battleship", Strategy: "mp", Spec: "{}", SpecHash: "00", Signatures: "mp:01", BudgetTrials: 40,
	}, store.Source{}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("created:", created)
	ask := entry.Entry{Kind: entry.KindAsk, Payload: json.RawMessage(`{"trials":[70,80]}`)}
	err = log.Append(ctx, ask, func(trials tuner.Trials) error {
		start := &tuner.Dimension{Param: param.Param{Name: "start_squares", Kind: param.Int, Domain: param.Range(10, 100)}}
		for number, squares := range []string{"70", "80"} {
			if err := errors.Join(trials.Create(number), trials.SetParam(number, start, squares)); err != nil {
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
	page, err := st.Study(log.ID()).TrialPage(ctx, 1, 10)
	fmt.Println(len(page), page[0].Params["start_squares"], err)
	// Output:
	// created: true
	// ask {"trials":[70,80]}
	// 1 80 <nil>
}
