// Package blocks is the cache of played blocks in SQLite: pure results of their
// key, so that nothing is played or counted twice, and nothing but time is lost
// with them. It also knows who played a block, where that was a worker with a
// name, and can compare and drop a worker's blocks.
//
// Flow: a host asks [Cache.Load] for a series, plays what is missing, and gives
// it to [Cache.Save]. Runs of one series that follow each other are joined into
// rows of up to 4 096 blocks, packed column by column.
//
//	cache := blocks.New(db) // the tables are the store's
//	for run, err := range cache.Load(ctx, key, 0, 128) {
//	...
//	err = cache.Save(ctx, key, run)
//
// Two results for one key are an [ImpureError]: play depended on something that
// the key does not hold.
//
// Reading order: series.go (keys and scopes, the bytes of a row), merge.go (what is
// added to a series, and by whom), cache.go (load, save, list, prune, check), games.go (texts of
// games), workers.go (a worker's blocks, compared and dropped).
//
// Source: J. Goldstein, R. Ramakrishnan and U. Shaft, "Compressing relations and indexes"
// (1998), for the columns.
package blocks
