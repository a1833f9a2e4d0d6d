// Package disktest is a disk for tests of what a database survives. It stands between SQLite
// and its files, records every write and every sync, and fails those that it is told to fail.
// It computes what would be on a disk after a power cut at any moment of the past. It also
// kills a process at a named point ([KillAt]). Only tests import it: it is C, which a test file
// cannot hold.
//
//	disk, err := disktest.Watch(dir)      // before the first database there is opened
//	defer disk.Close()
//	...                                   // use a database in dir
//	at := disk.Now()                      // something was acknowledged here
//	...
//	err = disk.Image(elsewhere, at, disktest.Lost, rng)
//	...                                   // open the copy: what was acknowledged is there
//
// # The disk
//
// Only a sync that succeeded makes bytes of a file last, and only a sync of the folder its
// names; SQLite syncs the folder with the first sync of a journal that it has created. Until
// then a write may be there or not, sector by sector, in any order, and a sector may hold
// nonsense, unless it is written over with what it holds ([Disk.Rewritten]). After a sync that
// failed, what was written before it is still read, but a later sync does not bring it to the
// disk, as on Linux (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX
// ATC 2020). Bytes beside those that are written never change (SQLite's "powersafe overwrite").
package disktest
