package schema_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"afterimage/db/schema"
	"afterimage/internal/pgtest"
)

// schemaLines describe a schema as programs see it, a line each: columns with what an INSERT must give, and functions with their
// parameters.
const schemaLines = `
	SELECT format('%s.%s %s%s%s', table_name, column_name, udt_name, CASE WHEN is_nullable = 'NO' THEN ' required' END,
		CASE WHEN column_default IS NOT NULL OR is_generated <> 'NEVER' OR is_identity = 'YES' THEN ' default' END)
	FROM information_schema.columns
	WHERE table_schema = 'public' AND table_name !~ '^(river_|schema_migration)'
	UNION ALL
	SELECT format('%s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) FROM pg_proc AS p
	WHERE p.pronamespace = 'public'::regnamespace AND p.proname !~ '^river_'
		AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
	ORDER BY 1`

// retired are lines of earlier schemas that no supported program uses any more, with the migration that removed them.
var retired = map[string]string{}

// TestEarlierProgramsFindTheirSchema: while several processes are upgraded one after another, programs of the release before work
// on the schema of the new one. So whatever they read stays, and whatever they do not know has a default. Each file of
// testdata/schemas is the schema of a release, named after its newest migration; with AFTERIMAGE_KEEP_SCHEMA=1 the current one is
// added.
func TestEarlierProgramsFindTheirSchema(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	must(t, schema.Migrate(t.Context(), url, slog.New(slog.DiscardHandler)))
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { must(t, conn.Close(t.Context())) }()
	now := readSchema(t, conn)
	if os.Getenv("AFTERIMAGE_KEEP_SCHEMA") != "" {
		var newest string
		must(t, conn.QueryRow(t.Context(), "SELECT max(name) FROM schema_migrations").Scan(&newest))
		must(t, os.WriteFile(filepath.Join("testdata/schemas", newest+".txt"), []byte(strings.Join(now, "\n")+"\n"), 0o600))
	}
	files, err := filepath.Glob("testdata/schemas/*.txt")
	must(t, err)
	if len(files) == 0 {
		t.Fatal("no schema of a release is kept")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			must(t, err)
			for _, broken := range brokenFor(strings.Split(strings.TrimSpace(string(text)), "\n"), now) {
				t.Errorf("programs of this schema need: %s", broken)
			}
		})
	}
}

func readSchema(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), schemaLines)
	must(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return lines
}

// brokenFor lists what a program of an earlier schema would stumble over in the later one.
func brokenFor(earlier, later []string) (broken []string) {
	tables, known := map[string]bool{}, map[string]bool{}
	for _, line := range earlier {
		if table, _, column := strings.Cut(nameOf(line), "."); column {
			tables[table] = true
		}
		known[nameOf(line)] = true
		relaxed := strings.Replace(line, " required", "", 1)
		kept := slices.ContainsFunc(later, func(l string) bool {
			return l == line || l == line+" default" || l == relaxed || l == relaxed+" default"
		})
		if !kept && retired[line] == "" {
			broken = append(broken, line)
		}
	}
	for _, line := range later {
		table, _, column := strings.Cut(nameOf(line), ".")
		if column && tables[table] && !known[nameOf(line)] && strings.HasSuffix(line, " required") {
			broken = append(broken, "a default of "+nameOf(line))
		}
	}
	return broken
}

// nameOf is the name of what a line describes: "table.column", or a function with its parameters.
func nameOf(line string) string {
	if strings.HasSuffix(line, ")") {
		return line
	}
	name, _, _ := strings.Cut(line, " ")
	return name
}

func TestASchemaThatBreaksEarlierProgramsIsNoticed(t *testing.T) {
	t.Parallel()
	earlier := []string{"a.id uuid required", "a.note text", "a.size int4 required", "f(x integer)"}
	for name, c := range map[string]struct {
		later []string
		want  []string
	}{
		"nothing changed":            {earlier, nil},
		"more tables":                {append([]string{"b.id uuid required"}, earlier...), nil},
		"a column with a default":    {append([]string{"a.x int4 required default"}, earlier...), nil},
		"a column that may be empty": {append([]string{"a.x int4"}, earlier...), nil},
		"a column that is required":  {append([]string{"a.x int4 required"}, earlier...), []string{"a default of a.x"}},
		"a column is gone":           {[]string{"a.id uuid required", "a.size int4 required", "f(x integer)"}, []string{"a.note text"}},
		"a column of another type": {[]string{"a.id uuid required", "a.note jsonb", "a.size int4 required", "f(x integer)"},
			[]string{"a.note text"}},
		"a column became required": {[]string{"a.id uuid required", "a.note text required", "a.size int4 required", "f(x integer)"},
			[]string{"a.note text"}},
		"a column is no longer required": {[]string{"a.id uuid required", "a.note text", "a.size int4", "f(x integer)"}, nil},
		"a function has other parameters": {[]string{"a.id uuid required", "a.note text", "a.size int4 required", "f(x bigint)"},
			[]string{"f(x integer)"}},
	} {
		if got := brokenFor(earlier, c.later); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
