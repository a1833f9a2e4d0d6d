package service_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"sakusen/strategies"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

// A study is submitted, and waits until the queue is served.
func Example() {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	db, err := sqlitedb.Open(ctx, filepath.Join(dir, "sakusen.db"), sqlitedb.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	s, err := service.Open(ctx, db, service.Options{Catalogue: strategies.Catalogue()})
	if err != nil {
		fmt.Println(err)
		return
	}
	name, err := s.Studies().Files.Submit(ctx, service.Submission{Spec: small})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := s.Studies().Show(ctx, name)
	fmt.Println(d.Study.Study, d.State, err)
	_, err = s.Studies().Show(ctx, "other")
	fmt.Println(service.CodeOf(err), err)
	// Output:
	// small queued <nil>
	// notfound no study named "other"
}
