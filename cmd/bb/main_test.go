package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bb-mcp/bb/cassettes"
	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
)

// The test binary is the program when it is told so: the tests run bb as a
// client does, in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("BB_TEST_AS_PROGRAM") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// bb prepares a run with env added to an environment without configuration.
func bb(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "BITBUCKET_") && !strings.HasPrefix(v, "BB_") && !strings.HasPrefix(v, "MCPGODEBUG=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, "BB_TEST_AS_PROGRAM=1"), env...)
	return cmd
}

// talk sends lines to a server and reads as many answers as there are
// requests among them; stdout must hold nothing else.
func talk(t *testing.T, cmd *exec.Cmd, lines ...string) map[int]map[string]any {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := map[int]map[string]any{}
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 16<<20)
	for _, line := range lines {
		fmt.Fprintln(in, line)
		if !strings.Contains(line, `"id"`) {
			continue
		}
		if !scanner.Scan() {
			t.Fatalf("no answer to %s; stderr: %s", line, stderr.String())
		}
		var m map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &m); err != nil {
			t.Fatalf("stdout holds %q: %v", scanner.Text(), err)
		}
		answers[int(m["id"].(float64))] = m
	}
	in.Close()
	for scanner.Scan() {
		t.Errorf("stdout holds more: %q", scanner.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ends with %v; stderr: %s", err, stderr.String())
	}
	return answers
}

const capable = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// The main job over stdio with a plain JSON-RPC client, in both eras, with and
// without a client that draws views.
func TestServeOnTheFakeAnswersInBothEras(t *testing.T) {
	for _, capabilities := range []string{`{}`, capable} {
		modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
		for era, lines := range map[string][]string{
			"handshake": {
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":` + capabilities + `,"clientInfo":{"name":"plain","version":"1"}}}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
				`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_pull_request","arguments":{"project":"ORCH","repo":"catalogue","id":1}}}`,
				`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"show","arguments":{"kind":"pull_request","project":"ORCH","repo":"catalogue","id":1}}}`,
			},
			"modern": {
				`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modern + `}}`,
				`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + modern + `}}`,
				`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_pull_request","arguments":{"project":"ORCH","repo":"catalogue","id":1},` + modern + `}}`,
				`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"show","arguments":{"kind":"pull_request","project":"ORCH","repo":"catalogue","id":1},` + modern + `}}`,
			},
		} {
			got := talk(t, bb(t, nil, "ai", "mcp", "serve", "--fake"), lines...)
			for id, m := range got {
				if m["error"] != nil {
					t.Errorf("%s: request %d: %v", era, id, m["error"])
				}
			}
			if tools, _ := got[2]["result"].(map[string]any)["tools"].([]any); len(tools) != len(server.Catalogue()) {
				t.Errorf("%s: %d tools are listed, want %d", era, len(tools), len(server.Catalogue()))
			}
			if text := fmt.Sprint(got[3]["result"]); !strings.Contains(text, "Prune the catalogue before the frost") {
				t.Errorf("%s: get_pull_request answers %.200s", era, text)
			}
			shown := got[4]["result"].(map[string]any)
			meta, _ := shown["_meta"].(map[string]any)
			if drawn := meta["bb/view"] != nil; drawn != (capabilities == capable) {
				t.Errorf("%s: a view was sent: %v, to a client with capabilities %s", era, drawn, capabilities)
			}
		}
	}
}

// SCHEMA-07: nothing but the protocol is written to stdout, also when the
// configuration is wrong.
func TestAWrongConfigurationIsSaidOnStderrAlone(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.txtar")
	if err := os.WriteFile(broken, []byte("-- people.yaml --\n- nmae: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		env  []string
		args []string
		want string
	}{
		{"nothing configured", nil, nil, "BITBUCKET_URL"},
		{"nothing configured names the fake", nil, nil, "--fake"},
		{"fake and url", nil, []string{"--fake", "--url", "https://bitbucket.example.com"}, "exclude each other"},
		{"unknown scenario", nil, []string{"--fake=vineyard"}, "orchard"},
		{"broken scenario", nil, []string{"--fake=" + broken}, "broken.txtar"},
		{"Bitbucket Cloud", []string{"BITBUCKET_URL=https://bitbucket.org/team"}, nil, "Bitbucket Cloud"},
		{"plain http", []string{"BITBUCKET_URL=http://bitbucket.example.com"}, nil, "--allow-http"},
		{"unknown tool", nil, []string{"--fake", "--tools", "get_pr"}, "get_pull_request"},
		{"an empty tool list", nil, []string{"--fake", "--tools", ""}, "--tools is empty"},
		{"an empty exclusion", nil, []string{"--fake", "--exclude="}, "--exclude is empty"},
		{"an empty project", nil, []string{"--fake", "--project", ""}, "--project is empty"},
		{"an empty repository", nil, []string{"--fake", "--repo="}, "--repo is empty"},
		{"no tool left", nil, []string{"--fake", "--tools", "show"}, "no tool is left"},
		{"no time", nil, []string{"--fake", "--request-timeout", "0s"}, "--request-timeout"},
		{"half a password", []string{"BITBUCKET_URL=https://bitbucket.example.com", "BITBUCKET_USERNAME=amara"}, nil, "BITBUCKET_PASSWORD"},
		{"unknown view setting", nil, []string{"--fake", "--views", "perhaps"}, "auto"},
		{"unknown log level", nil, []string{"--fake", "--log-level", "loud"}, "debug, info, warn or error"},
		{"unknown flag", nil, []string{"--fke"}, "unknown flag"},
		{"argument", nil, []string{"--fake", "vineyard"}, `unexpected argument "vineyard"; a value of --fake`},
	} {
		cmd := bb(t, test.env, append([]string{"ai", "mcp", "serve"}, test.args...)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err == nil || len(out) != 0 || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%s: error %v, stdout %q, stderr %q; want stderr to name %q", test.name, err, out, stderr.String(), test.want)
		}
	}
}

func TestTheFakeBeatsTheEnvironmentAndSaysSo(t *testing.T) {
	cmd := bb(t, []string{"BITBUCKET_URL=https://bitbucket.corp.example", "BITBUCKET_TOKEN=fake-bo"}, "ai", "mcp", "serve", "--fake")
	var stderr strings.Builder
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = &stderr
	in.Close()
	if err := cmd.Run(); err != nil || !strings.Contains(stderr.String(), "BITBUCKET_URL is not used") {
		t.Errorf("%v, stderr %q", err, stderr.String())
	}
}

// T8: a Bitbucket under a context path, by token and by password.
func TestServeReadsABitbucketFromTheEnvironment(t *testing.T) {
	web := httptest.NewServer(fakebb.New(fakebb.Options{BaseURL: "https://dev.example.com/bitbucket"}))
	defer web.Close()
	for _, credentials := range [][]string{{"BITBUCKET_TOKEN=fake-bo"}, {"BITBUCKET_USERNAME=bo", "BITBUCKET_PASSWORD=fake-bo"}} {
		got := talk(t, bb(t, append(credentials, "BITBUCKET_URL="+web.URL+"/bitbucket/"), "ai", "mcp", "serve"),
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":`+capable+`,"clientInfo":{"name":"plain","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"show","arguments":{"kind":"pull_request","project":"ORCH","repo":"catalogue","id":1}}}`)
		if name := got[1]["result"].(map[string]any)["serverInfo"].(map[string]any)["name"]; name != "bb" {
			t.Errorf("the server of a real Bitbucket is named %v", name)
		}
		payload, _ := json.Marshal(got[2]["result"].(map[string]any)["_meta"])
		if !strings.Contains(string(payload), `"as":{"displayName":"Bo Lindqvist"`) || strings.Contains(string(payload), `"demo"`) {
			t.Errorf("%v: the view is %.300s", credentials[0], payload)
		}
	}
}

// An operator's signal ends the server, also while a call waits for Bitbucket.
func TestASignalEndsTheServer(t *testing.T) {
	cmd := bb(t, nil, "ai", "mcp", "serve", "--fake")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// The handler for the signal is there as soon as main runs; until then the
	// signal's default ends the process just as well.
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the server goes on after SIGTERM")
		cmd.Process.Kill()
	}
}

// H2: recording anew gives the recordings that are in the tree, byte for byte.
func TestRecordingTheFakeGivesTheRecordingsInTheTree(t *testing.T) {
	dir := t.TempDir()
	if out, err := bb(t, nil, "ai", "mcp", "record", "--fake", "--out", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	stories, err := cassettes.Stories(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stories {
		for _, file := range []string{"head.yaml", "recording.yaml"} {
			want, err := os.ReadFile(filepath.Join(cassettes.Dir(), s.Name, file))
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(dir, s.Name, file))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s/%s is recorded otherwise today; run: go run ./cmd/bb ai mcp record --fake --out cassettes", s.Name, file)
			}
		}
	}
}

func TestTheVersionIsPrinted(t *testing.T) {
	out, err := bb(t, nil, "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "bb ") {
		t.Errorf("%v\n%s", err, out)
	}
}
