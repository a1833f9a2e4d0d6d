package bench

import (
	"strings"
	"unicode"

	"sakusen/engines/plain"
)

// Failure is a package that did not come to its end.
type Failure struct {
	Pkg   string   // "" if the text does not tell
	What  string   // failed, failed to build, did not end
	Names []string // benchmarks and tests that failed
}

func (f *Failure) String() string {
	text := "package " + f.Pkg
	if f.Pkg == "" {
		text = "a package"
	}
	text += " " + f.What
	if len(f.Names) > 0 {
		text += " (" + strings.Join(f.Names, ", ") + ")"
	}
	return text + ": its results may be incomplete"
}

// troubles are words that say of themselves that something failed.
const troubles = `fail(?:ed|s|ures?|ing)?|error(?:s|ed)?|fatal|panic(?:ked)?|abort(?:ed|ing)?|kill(?:ed)?|terminated|interrupt(?:ed|ion)?|hangup|cancell?ed|crash(?:ed)?|timed?[ _-]?out|truncated|exceeded|` +
	`denied|refused|rejected|expired|lost|disconnected|pre-?empted|flaky|segfault|core dumped|unreachable|unavailable|unhealthy|unstable|unexpected|evicted|halted|traceback|exceptions?|uncaught|unhandled|undeclared|` +
	`mismatch(?:ed)?|invalid|corrupt(?:ed|ion)?|overflow|deadlock(?:ed)?|violat(?:ed|ions?)|incomplete|problems?|premature(?:ly)?|unsuccessful(?:ly)?|regressed|regressions?`

// lacking are words of what is not done.
const lacking = `absent|missing|remaining|left|lacking|pending|lost|incomplete|unfinished|dropped|unsaved`

var (
	okLine   = plain.Pattern(`^ok\s+\S+\s+(\(|[\d.]+s)`)
	okBehind = plain.Pattern(`\S\s*\bok\s+\S+\s+[\d.]+s$`) // a prefix stands before it
	failLine = plain.Pattern(`^FAIL(\t|\s\s+|\s\S+(?: [\[(]|$)|! -- )`)
	skipName = plain.Pattern(`^(?:Benchmark\S*\s+|\s*)--- SKIP: Benchmark(\S+)`)
	failName = plain.Pattern(`^(?:Benchmark\S*\s+|\s*)--- FAIL: (\S+)`)
	// strayFail finds that a benchmark or a package failed behind what a program puts before each line.
	strayFail = plain.Pattern(`(?:--- FAIL: Benchmark\S+(?: \([\d.]+s\))?|\bFAIL(?:\t|\s\s+)\S+(?:\s+\d+\.\d{3}s| \[(?:build|setup) failed\]))$`)
	// sumFail finds what gotestsum says of a package or a test that failed, and sumTotal the last
	// line of it; the name is that of the package.
	sumFail  = plain.Pattern(`^(?:✖\s+|=== (?:FAIL|ERROR): )(\S+)`)
	sumTotal = plain.Pattern(`^DONE \d+ (?:runs, \d+ )?tests?\b.*, \d+ (?:failure|error)s?\b`)
	// died finds the last words of a process, which are none if PASS follows.
	died = plain.Pattern(`^(?:panic: |fatal error: |exit status |signal: |\*\*\* Test killed|runtime: out of memory|runtime: goroutine stack exceeds|unexpected fault address |SIG[A-Z]+: |==\d+==ERROR: )`)
	// told finds what others say of a command that failed, did not end, or whose output was cut:
	// shells, tools that build, and build servers.
	told = plain.Pattern(`^(?:` + strings.Join([]string{
		`\S+: \pL+ \d+: +\d{2,} +\pL`, // what a shell of any language says of a signal
		`(?:Killed|Terminated|Segmentation fault|Bus error|Aborted|Hangup|Alarm clock|Illegal instruction|Bad system call)(?: +\(core dumped\)| {2}|$)`, `Killed: \d`, `zsh: (?:killed|terminated|segmentation fault|bus error|abort) `,
		`timeout: (?:sending signal|the monitored command)`, `Command exited with non-zero status`, `command terminated with exit code [1-9]`,
		`g?make(?:\[\d+\])?: \*\*\* `, `ninja: build stopped`, `FAILED: `, "error: Recipe `.* failed", `task: Failed to run task`, `npm (?:ERR!|error) `, `error Command failed with exit code`, ` ?ELIFECYCLE\b`,
		`Error: running ".*" failed with exit code`, `> Task \S+ FAILED`, `FAILURE: Build failed`, `BUILD FAILED`,
		`\s*<(?:error|failure)[ >]`, `\s*<testsuites?\s[^>]*\b(?:failures|errors)="[1-9]`, `not ok \d`, `Bail out!`, // JUnit, TAP
		`FAIL: `, `//\S*\s+(?:FAILED|TIMEOUT|NO STATUS)\b`, `ERROR: (?:Build did NOT complete|Job failed|failed to |script returned exit code)`, // Bazel, GitLab, Docker
		`Job's log exceeded limit`, `The log length has exceeded the limit`, `##\[error\]`, `::error\b`,
		`Error: (?:Process completed with exit code [1-9]|The operation was canceled|The runner has received a shutdown|The job running on runner)`, `(?:🚨 )?Error: The command exited with status [1-9]`,
		`script returned exit code [1-9]`, `Finished: (?:FAILURE|ABORTED|UNSTABLE|NOT_BUILT)`, `Build step .* marked build as (?:failure|unstable)`,
		`The command ".*" exited with [1-9]`, `Exited with code (?:exit status )?[1-9]`,
		`vet: \S+\.go:\d`, `pattern \S+: (?:directory prefix|no matching|main module|cannot|lstat|open) `, `verifying \S+@`, `\S+\.go:\d+:\d+: no required module provides package `,
	}, "|") + `)`)
	// goSteps finds what the go command says while it goes on; what else it says is a failure.
	goSteps = plain.Pattern(`^go: (?:downloading|finding|extracting|found|added|upgraded|downgraded|removed|creating|updating|warning|note|module|to \w+|no module dependencies|disabling cache|switching|\S+@\S+ requires go .*switching|\S.*toolchain)\b`)
	// trouble finds what those say whose words are in no list, where no program that is measured
	// speaks; harmless is what only looks like it.
	trouble = plain.Pattern(`(?i)\b(?:` + troubles + `|no space left|broken pipe|not found|no such|cannot|could(?: not|n't)|unable to|not permitted|did(?: not|n't)|gave up|giving up|closed by|reset by|` +
		`(?:stopp|end)ed (?:by|early)|was stopped|(?:going|power(?:ed|ing)?)[ -]?(?:down|off|loss)|reboot(?:ed|ing)?|halting|not all|too many|out of (?:memory|space|time)|disk full|(?:time|quota|size|rate) limit|(?:quota|limit) reached|bad file|busy|offline|hung|stuck|signal|(?:abort|breakpoint) trap|partial results|` +
		`no Go files|does not contain|duplicate symbols?|data races?|non-?zero|SIG(?:TERM|KILL|INT|HUP|QUIT|ABRT|SEGV|BUS|ILL)|OOM|(?-i:KO))\b|OOMKilled|(?-i:[a-z](?:Fail|Error|Exception|Exceeded|Killed|Crash|Abort|Cancel|TimedOut|BackOff|Problem))|CrashLoop|_(?:fail|error|abort|kill)\w*|` +
		`[✖✗✘✕❌❗🔴🚨💥⛔🛑]|fehl(?:er|ge)|abgebrochen|getötet|erreur|échec|échou|interrompu|fall(?:ó|ido|ito)|falh(?:a|ou)|mislukt|avbr[uo]t|virhe|chyba|selhal|błąd|ошибк|сбой|убито|помилк|失败|错误|失敗|エラー|[终終中]止|异常|실패|오류|` +
		`^\[\d+\][-+]?\s+(?:Exit|Done\(|Stopped)|\$\?\W{0,3}[1-9]|(?:\b|_|last)(?:exit(?:ed|s)?|exit_?(?:code|status|value)|code|status|errorlevel|return(?:ed|s)?|ret|rc)\W{0,3}(?:with\W+)?(?:an? )?(?:code|status|value)?\W{0,3}(?:0x[0-9a-f]*[1-9a-f]|[1-9])`)
	harmless = plain.Pattern(`(?i)\b(?:0|no|zero|without(?: any)?) (?:[\w-]+ )?(?:` + troubles + `|timeouts|races?)\b|\b(?:` + troubles + `|timeouts)\W{0,3}(?:rate|count)?\W{0,3}0(?:\.0+)?(?:[^.\dx]|$)|` +
		`(?-i:(?:^|[\s="'])--?[a-z][\w-]*|\btimeout[\w-]*[:=]?\s+\d)|\bfail(?:ed|ure)\(\)|\bcache not found\b|\bnot saving cache\b|\bexited with 0\.|\|\|[^|]*$|` +
		`if-no-files-found: \w+|continue-on-error|[\w.-]*/(?:[\w/.-]*[\w/-])?(?:fail|error)s?\b|\b(?:fail|error)s?[-/.]\w[\w/.-]*|\b(?:http|https|status|code)\S*\W{1,3}20\d\b`)
	// goSays finds lines of the go command about packages that have nothing to tell, of its
	// downloads, and warnings of compilers and linkers.
	goSays = plain.Pattern(`^(?:\?\s|ok\s+\S+\s+[-\d(\[]|\s+\S+\s+coverage: |coverage: |go: |##\[group\]|\s+Command being timed: |(?:\S*(?:ld|gcc|clang|cc|link)|\S+:\d+): warning: )`)
	// settled finds lines that tell nothing of an end: what tools say of their own steps, commands
	// that are shown, counts and settings. succeeded finds what speaks of success, and leaving
	// where that is no good sign.
	settled = plain.Pattern(`^(?:` + strings.Join([]string{
		`=== (?:RUN|PAUSE|CONT|NAME|SKIP)\b|\s*--- (?:PASS|SKIP|BENCH): |✓ |DONE \d+ |Unit \S|# \S*[./]\S*$|\s+\S+\.go:\d+: |ok(?:\s+\S+\s+[-\d(\[]|$)|\?\s|(?:\S*(?:ld|gcc|clang|cc|link)|\S+:\d+): (?:.*: )?(?:warning|note): `,
		`[+$%] \S|> Task \S+$|go (?:test|build|vet|run|tool|version)\b|(?:/usr/bin/)?git [a-z]+ --?\w|g?make(?:\[\d+\])?: (?:Entering|Leaving) directory`,
		`##\[(?:group|endgroup|section|command|debug)\]|::(?:group|endgroup|debug)::|section_(?:start|end):|~~~ |\^\^\^ |--- :\w+: |Script done on `,
		`(?:real|user|sys)\s+[\dm.,s]+$|[\d.]+user [\d.]+system|\(?\d\S*avgtext|\d+inputs|\s+(?:Command being timed|Exit status|Elapsed \(wall clock\) time).*|Total time: |Finished at: |Took [\d.]+`,
		`\[\d+\][-+]?\s+Done\s|(?i)\W*(?:[\w ]*\b)?(?:exit(?:ed)?[ _]?(?:with )?(?:code|status)?|returned|rc|status(?: code)?)\W{1,3}0x?0?\b\W*(?:\(0x0\)|0x0)?\W*$`,
		`\S+ +: ok=\d+|Terminate orphan process: pid |\s+Container \S+  (?:Stopp|Remov)(?:ing|ed)|(?:Start )?[Cc]leaning (?:up orphan|up project|any cached)|Post job cleanup|Cache not found for |-test\.shuffle \d|\[command\]|git version \d|Temporarily overriding HOME=|Adding repository directory to the temporary git`,
		`Evaluate and set job outputs|Set output '|Complete job name: |Entering '|Artifact download URL: |Sent \d+ of \d+ \(100\.0%\)|(?-i:(?:name|path|key|shell|working-directory|GO[A-Z]+): \S)`, // GitHub
		`\[Pipeline\] (?:[{}]|// |\w+$|End of)|travis_(?:time|fold):|nothing changed(?:$|, not updating cache)|# Executing |exit code: 0 duration: |Build teardown|##teamcity\[(?:test|testSuite|block|flow)(?:Started|Finished|Opened|Closed) `,
		`\[Container\] [\d/]+ [\d:.]+ (?:Phase complete: \w+ State: SUCCEEDED|Phase context status code:\s+Message:\s*$|Entering phase |Running command |Expanding |Assembling )|No URL provided, cache `, // CodeBuild, GitLab
	}, "|") + `)`)
	succeeded = plain.Pattern(`(?i)\b(?:succe(?:ss|ed|eded|ssful|ssfully)|passed|finished|done in|saved|wrote|written|created|stored|upload(?:ed|ing)?|archived|is valid|gate: pass|see \S+[/.]\S+|artifacts?|caches?|archive|fingerprints|test results|found [1-9]\d* (?:\w+ )*files?|running after[_ ]script)\b|` +
		`^\[WS-CLEANUP\] |^The command ".*" $|^Done\. Your build |\.\.\.100%$|` +
		`^\W*\w+="?(?:\S*[-/.\d]\S*|true|false)?$|^\s*[\w-]+:\s*(?:true|false|none|null|yes|no|on|[\w-]+\(\))?$|^0$|^(?:\s*[\w ()/-]{1,40}[:=]\s*-?\d[\d.]*\s?(?:[kMG]?i?B|m?s|%)?,?)+$`)
	leaving = plain.Pattern(`(?i)\b(?:down|off|shut|halt|stop|terminat|exit|quit|kill|reboot|runlevel|restart|resum|evict|suspend|paus|leav|leaving|before|until|partial|only|some|not|never|early|instead|cancel|dump)`)
	// denied finds a success that is denied, what is left over, and how a killed process ends.
	denied = plain.Pattern(`(?i)\b(?:success\w*|ok|complete[d]?|passed|done|finished|valid|healthy|saved|ready)\W{1,3}(?:false|no|none|null|0)\b|` +
		`(?:\b|_)(?:` + lacking + `)(?: [a-z]+)?\W{0,3}[1-9]|\b[1-9]\d* (?:\w+ )?(?:` + lacking + `)\b|\bcore (?:file|dump|saved)|/core\.\d+|` +
		`^\W*(?:[\w-]+: )?warn(?:ing)?\b|\bused up\b|went away|safe mode|^\W*(?:result|job|task|step|run|process|command)\W{1,3}(?:12[4-9]|1[3-5]\d)\W*$`)
	// share finds how many of all are done.
	share = plain.Pattern(`\b(\d{1,9})(?: of |/)(\d{1,9}) [a-z]`)
	// changing are the parts of a line that differ from run to run.
	changing = plain.Pattern(`\b[0-9a-f]{7,}\b|\d+`)
	// trimmed is what package testing writes in the place of what a benchmark logs too much of.
	trimmed = plain.Pattern(`^\s+\.\.\. \[output truncated\]$`)
	// cutOff finds what build servers say before a log of which they show the end alone.
	cutOff = plain.Pattern(`(?i)\b(?:output|log|logs)\b.*\b(?:truncated|too (?:large|long|big)|exceed(?:s|ed))\b`)
)

// bared returns a line without what is left of colours, where it then tells how something ended.
func bared(line string) string {
	if !strings.Contains(line, "[") {
		return line
	}
	bare := strings.TrimRight(worn().ReplaceAllString(line, ""), " \t")
	if bare == line || bare != "PASS" && !okLine().MatchString(bare) && !isFail(bare) && !failName().MatchString(bare) && !sumFail().MatchString(bare) && !told().MatchString(bare) && !died().MatchString(bare) {
		return line
	}
	return bare
}

// goFails reports whether the go command says on a line that it cannot go on.
func goFails(line string) bool {
	return strings.HasPrefix(line, "go: ") && !goSteps().MatchString(line)
}

func isFail(line string) bool { return line == "FAIL" || failLine().MatchString(line) }

// builds reports whether a line of FAIL is of a package that was never run.
func builds(line string) bool {
	return strings.HasSuffix(line, "[build failed]") || strings.HasSuffix(line, "[setup failed]")
}

// troubled reports whether a line of another program speaks of a failure.
func troubled(line string) bool {
	return !goSays().MatchString(line) && !trimmed().MatchString(line) && trouble().MatchString(harmless().ReplaceAllString(line, ""))
}

// understood reports whether a line behind the results tells nothing of how they ended.
func understood(line string) bool {
	if trimmed().MatchString(line) {
		return true
	}
	bare := harmless().ReplaceAllString(line, "")
	if omitted := strings.Contains(line, "..") || strings.Contains(line, "…"); !omitted {
		if settled().MatchString(line) || settled().MatchString(bare) || goSays().MatchString(line) || !strings.ContainsFunc(bare, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
			return true
		}
	}
	for _, m := range share().FindAllStringSubmatch(line, -1) {
		if m[1] != m[2] {
			return false
		}
	}
	return (succeeded().MatchString(line) || succeeded().MatchString(bare)) && !leaving().MatchString(bare) && !denied().MatchString(bare)
}

// form returns a line without what differs from run to run.
func form(line string) string { return changing().ReplaceAllString(line, "0") }

// cut shortens what others said to about so many bytes.
func cut(line string, most int) string {
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "..."
}
