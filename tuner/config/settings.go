package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// Kind is the type of a setting.
type Kind int

// The kinds of settings.
const (
	Text Kind = iota
	integer
	Switch
)

// Setting is one documented setting.
type Setting struct {
	Key     string // dotted
	Kind    Kind
	Default any
	Doc     string
}

// settings returns all settings in the order of the shipped config.yaml.
func settings() []Setting {
	return []Setting{
		{"database", Text, "sakusen.db", "the SQLite file of studies, blocks and baselines"},
		{"workers", integer, 0, "games played at a time; 0 is the number of processors"},
		{"engine_memory", integer, 0, "MB of memory that the processes of all chess engines may use together; 0 sets no bound"},
		{"engine_store_mb", integer, 2000, "MB that the engines of engine add and engine build may take beside the database; see docs/fleet.md"},
		{"studies_dir", Text, "studies", "where study files are looked for by name, before the embedded ones"},
		{"log.level", Text, "info", "debug, info, warn or error"},
		{"log.format", Text, "text", "text or json"},
		{"listen", Text, "127.0.0.1:7171", "address of the daemon's pages and API"},
		{"token_file", Text, "", "file of the daemon's tokens and their roles; see docs/daemon.md"},
		{"client_token_file", Text, "", "file of the token that commands send to the daemon; empty sends that of token_file"},
		{"tls_cert", Text, "", "file of the daemon's TLS certificate; empty serves without TLS"},
		{"tls_key", Text, "", "file of its key"},
		{"webhook_url", Text, "", "address to which the end of a study, tournament or run is sent by POST: https, or http on the loopback interface; empty for none"},
		{"webhook_secret_file", Text, "", "file of the secret that signs the webhook's messages; empty signs none"},
		{"pprof_listen", Text, "", "address for Go's profiles of the daemon, on the loopback interface; empty for none"},
		{"workers_listen", Text, "", "address at which workers on other machines connect; empty takes none. See docs/workers.md"},
		{"nats_url", Text, "", "NATS server through which workers connect instead; empty for none"},
		{"hosts", Text, "", "further names of the daemon, with commas"},
		{"studies_at_once", integer, 8, "studies and other jobs that the daemon runs side by side"},
		{"behind_proxy", Switch, false, "a proxy in front of the daemon handles TLS"},
		{"proxies", Text, "127.0.0.0/8, ::1", "addresses or networks of the proxies whose X-Forwarded-For counts, with commas"},
		{"base_path", Text, "", "path of a proxy below which browsers see the daemon, such as /sakusen; empty for none"},
		{"retention.blocks_days", integer, 0, "days for which stored blocks are kept; 0 keeps them without limit"},
		{"bench.machine_class", Text, "", "name under which this machine's times are compared; empty derives one"},
		{"bench.baseline_branch", Text, "", "branch in whose history change points are searched; empty for git's default branch, or else main"},
		{"bench.prepare", Text, "", "shell command that makes, in the worktrees of bench run, files that git does not have; empty for none"},
	}
}

// environment returns the variable of a setting: log.level is SAKUSEN_LOG_LEVEL.
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

// defaultFile is read if it exists and no other file is named.
const defaultFile = "config.yaml"

// Source is where settings come from.
type Source struct {
	File string // a file that must exist; empty tries config.yaml
	Env  func(name string) (string, bool)
	// Environ are all variables, name=value, for warnings of names that are near to a
	// setting's; nil warns of none.
	Environ []string
	Flags   map[string]string // by key: those given on the command line
}

// Value is an effective setting.
type Value struct {
	Setting
	Value  any
	Origin string // default, the file's name, the variable's name, flag
}

// Config is the effective settings.
type Config struct {
	values map[string]Value
	// Engines are the programs of other people that may be run, by name in order.
	Engines []Engine
	// Warnings are about what was given and has no effect, one line each.
	Warnings []string
}

// Load reads the settings. Every mistake is in the error: unknown keys, values
// of the wrong type.
func Load(src Source) (*Config, error) {
	v := viper.New()
	file := src.File
	var text []byte
	var err error
	if file == "" {
		if _, err = os.Stat(defaultFile); err == nil {
			file = defaultFile
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("config: %w", err)
		}
	}
	if file != "" {
		v.SetConfigType("yaml")
		if text, err = plain.ReadFile(file, 128<<10); err != nil {
			return nil, fmt.Errorf("config: %w", err)
		}
		if err = v.ReadConfig(bytes.NewReader(text)); err != nil {
			return nil, fmt.Errorf("config: %s: %w", file, err)
		}
	}
	c := &Config{values: map[string]Value{}}
	var errs []error
	known := map[string]Setting{}
	lines := readKeyLines(file, text)
	for _, s := range settings() {
		known[s.Key] = s
		value := Value{s, s.Default, "default"}
		set := func(raw any, origin string) {
			parsed, err := s.parse(raw)
			if err != nil {
				at := origin
				if origin == file && file != "" {
					at = lines.place(s.Key)
				}
				errs = append(errs, fmt.Errorf("config: %s: %s: %w", at, s.Key, err))
				return
			}
			value.Value, value.Origin = parsed, origin
		}
		if v.InConfig(s.Key) || v.IsSet(s.Key) {
			set(v.Get(s.Key), file)
		}
		if text, ok := src.Env(s.environment()); ok && text != "" { // an empty one is unset
			set(text, s.environment())
		}
		if text, ok := src.Flags[s.Key]; ok {
			set(text, "flag")
		}
		c.values[s.Key] = value
	}
	errs = append(errs, unknown(v, lines, known)...)
	c.Warnings = misspelt(src.Environ)
	c.Engines, err = EnginesOf("config: "+file, text)
	return c, errors.Join(append(errs, err)...)
}

// unknown reports keys of the file that are no settings.
func unknown(v *viper.Viper, lines keyLines, known map[string]Setting) []error {
	keys := v.AllKeys()
	sort.Strings(keys)
	names := make([]string, 0, len(known))
	for k := range known {
		names = append(names, k)
	}
	slices.Sort(names)
	var errs []error
	for _, k := range keys {
		if _, ok := known[k]; ok || ofEngines(k) {
			continue
		}
		want := "one of " + strings.Join(names, ", ")
		if near, ok := param.Nearest(k, names); ok {
			want = near + "?"
		}
		errs = append(errs, fmt.Errorf("config: %s: unknown setting %s (expected %s)", lines.place(k), k, want))
	}
	return errs
}

// parse reads a value of the file, the environment or a flag.
func (s Setting) parse(raw any) (any, error) {
	text := fmt.Sprint(raw)
	if !scalar(raw) {
		return nil, fmt.Errorf("expected one value, got %q", text)
	}
	switch s.Kind {
	case integer:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("expected an integer from 0, got %q", text)
		}
		if n == 0 && s.Key == "studies_at_once" {
			return nil, errors.New("expected at least 1, got 0")
		}
		return n, nil
	case Switch:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("expected true or false, got %q", text)
		}
		return b, nil
	}
	switch s.Key {
	case "database":
		if text == "" {
			return nil, errors.New("expected a path, got nothing")
		}
		if text == ":memory:" || strings.HasPrefix(text, "file:") {
			return nil, fmt.Errorf("expected the path of a file, got %q: a database in memory is lost when the command ends, and an address may name another file", text)
		}
	case "listen", "pprof_listen", "workers_listen":
		if text == "" && s.Key != "listen" {
			break
		}
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			_, err = net.LookupPort("tcp", port)
		}
		if err != nil {
			return nil, fmt.Errorf("expected host:port, such as 127.0.0.1:7171, got %q", text)
		}
	case "base_path":
		if text != "" && (!strings.HasPrefix(text, "/") || path.Clean(text) != text || text == "/" || strings.Trim(text, "/-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "") {
			return nil, fmt.Errorf("expected a path such as /sakusen, of letters, digits and -._~, without a / at its end, got %q", text)
		}
	case "log.level":
		if !slices.Contains([]string{"debug", "info", "warn", "error"}, text) {
			return nil, fmt.Errorf("expected debug, info, warn or error, got %q", text)
		}
	case "log.format":
		if text != "text" && text != "json" {
			return nil, fmt.Errorf("expected text or json, got %q", text)
		}
	}
	return text, nil
}

// scalar reports whether a value of the file is neither a list nor a mapping.
func scalar(raw any) bool {
	switch raw.(type) {
	case []any, map[string]any, map[any]any:
		return false
	}
	return true
}

// Text returns a text setting.
func (c *Config) Text(key string) string { return c.values[key].Value.(string) }

// Integer returns an integer setting.
func (c *Config) Integer(key string) int { return c.values[key].Value.(int) }

// Switch returns a switch.
func (c *Config) Switch(key string) bool { return c.values[key].Value.(bool) }

// All returns every effective value in the order of the shipped config.yaml.
func (c *Config) All() []Value {
	var out []Value
	for _, s := range settings() {
		out = append(out, c.values[s.Key])
	}
	return out
}

// keyLines are the lines of a settings file on which its keys stand, by the keys' whole
// names in lower case.
type keyLines struct {
	file string
	at   map[string]int
}

// readKeyLines finds the keys of a file, which may be missing or broken: the reader of the
// values says so.
func readKeyLines(file string, text []byte) keyLines {
	k := keyLines{file, map[string]int{}}
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) == nil && len(doc.Content) == 1 {
		k.add("", doc.Content[0])
	}
	return k
}

func (k keyLines) add(prefix string, n *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key := prefix + strings.ToLower(n.Content[i].Value)
		k.at[key] = n.Content[i].Line
		k.add(key+".", n.Content[i+1])
	}
}

// place returns FILE:LINE of a key, FILE where the line is not known.
func (k keyLines) place(key string) string {
	if line := k.at[key]; line > 0 {
		return fmt.Sprintf("%s:%d", k.file, line)
	}
	return k.file
}

// prefix begins the variables of settings.
const prefix = "SAKUSEN_"

// misspelt warns of variables of the environment that begin with SAKUSEN_, are no
// setting, and are near to the variable of one. Others may be other programs'.
func misspelt(environ []string) []string {
	var known []string
	for _, s := range settings() {
		known = append(known, strings.TrimPrefix(s.environment(), prefix))
	}
	var warnings []string
	for _, variable := range environ {
		name, text, _ := strings.Cut(variable, "=")
		own, ours := strings.CutPrefix(name, prefix)
		if !ours || text == "" || own == "TESTS" { // that one is of the project's tests
			continue
		}
		near, ok := param.Nearest(own, known)
		if own == "DB" { // as the flag is called
			near, ok = "DATABASE", true
		}
		if ok && near != own && (len(own) > 4 || own == "DB") { // short names are near to anything
			warnings = append(warnings, fmt.Sprintf("config: %s is no setting and is ignored (did you mean %s?)", name, prefix+near))
		}
	}
	return warnings
}
