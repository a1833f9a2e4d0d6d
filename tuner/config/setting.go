package config

// Kind is the type of a setting.
type Kind int

// The kinds of settings.
const (
	Text Kind = iota
	Integer
	Switch
)

// Setting is one documented setting.
type Setting struct {
	Key     string // dotted
	Kind    Kind
	Default any
	Doc     string
}

// Settings are all settings in the order of the shipped config.yaml.
func Settings() []Setting {
	return []Setting{
		{"database", Text, "sakusen.db", "the SQLite file of studies, blocks and baselines"},
		{"workers", Integer, 0, "games played at a time; 0 is the number of processors"},
		{"engine_memory", Integer, 0, "MB that the processes of all chess engines may hold together; 0 sets no bound"},
		{"studies_dir", Text, "studies", "where study files are looked for by name, before the embedded ones"},
		{"log.level", Text, "info", "debug, info, warn or error"},
		{"log.format", Text, "text", "text or json"},
		{"listen", Text, "127.0.0.1:7171", "address of the daemon's pages and API"},
		{"token_file", Text, "", "file of the daemon's tokens and their roles; see docs/daemon.md"},
		{"client_token_file", Text, "", "file of the token that commands send to the daemon; empty sends that of token_file"},
		{"tls_cert", Text, "", "file of the daemon's TLS certificate; empty serves without TLS"},
		{"tls_key", Text, "", "file of its key"},
		{"webhook_url", Text, "", "address that is told by POST when a study, tournament or run ends: https, or http on the loopback interface; empty for none"},
		{"webhook_secret_file", Text, "", "file of the secret that signs those messages; empty signs none"},
		{"pprof_listen", Text, "", "address for Go's profiles of the daemon, on the loopback interface; empty for none"},
		{"workers_listen", Text, "", "address at which workers on other machines connect; empty takes none. See docs/workers.md"},
		{"nats_url", Text, "", "NATS server through which they connect instead; empty for none"},
		{"hosts", Text, "", "further names of the daemon, with commas"},
		{"studies_at_once", Integer, 8, "studies and other jobs that the daemon runs side by side"},
		{"behind_proxy", Switch, false, "a proxy in front of the daemon ends TLS"},
		{"proxies", Text, "127.0.0.0/8, ::1", "addresses or networks of the proxies whose X-Forwarded-For counts, with commas"},
		{"retention.blocks_days", Integer, 0, "days for which raw blocks are kept; 0 keeps them"},
		{"bench.machine_class", Text, "", "name under which this machine's times are compared; empty derives one"},
		{"bench.baseline_branch", Text, "main", "branch whose history change points are looked for in"},
	}
}

// environment is the variable of a setting: log.level is SAKUSEN_LOG_LEVEL.
func (s Setting) environment() string {
	b := []byte(prefix + s.Key)
	for i, c := range b {
		switch {
		case c == '.':
			b[i] = '_'
		case c >= 'a' && c <= 'z':
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
