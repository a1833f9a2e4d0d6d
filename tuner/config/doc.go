// Package config reads the program's settings: defaults, then config.yaml, then
// the environment (SAKUSEN_*), then flags; the later wins, and each effective
// value knows where it came from.
//
//	c, err := config.Load(config.Source{File: "config.yaml", Env: os.LookupEnv, Flags: flags})
//	c.String("database")
//
// It is the only importer of viper, which serves files of settings and the
// environment; study files keep the case of their keys and are read elsewhere.
//
// Reading order: settings.go (which settings there are, and how they are read), engines.go (the
// registered engines).
package config
