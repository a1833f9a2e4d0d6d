// Package enginestore keeps programs of other people that a daemon hands out to its workers, by
// hash: each has a manifest, which names its files for every system, and files, which have the
// hashes that the manifest says.
//
//	s := enginestore.Open("sakusen.db.engines", 2000<<20)
//	m, err := s.Add(&enginestore.Manifest{Name: "dev"}, []string{"dev-linux-amd64", "net.bin"})
//	entries, err := s.Entries()
//
// A worker has a store of its own, into which it fetches what its jobs need. Nothing in a store
// is run before its hash was worked out here, and programs run with bounds.
//
// Files in reading order: manifest.go, header.go (for which system a program is), store.go,
// place.go (files as they are run), fetch.go (files that come from elsewhere), build.go (programs made from a
// repository).
package enginestore
