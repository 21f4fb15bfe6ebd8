package fakebb

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"
)

// Scenario is what is in a Bitbucket at one moment: people, projects,
// repositories, pull requests and the clock. It is read from a txtar file and
// does not change. The head of scenarios/orchard.txtar explains the file.
type Scenario struct {
	name  string
	store *store
}

// Name returns the name of the file the scenario was read from.
func (s *Scenario) Name() string { return s.name }

// Start returns where the scenario's clock stands, or begins.
func (s *Scenario) Start() time.Time { return s.store.start }

// Commit returns the full id of the commit that the scenario calls by that name
// in a repository such as ORCH/catalogue, "" when there is none.
func (s *Scenario) Commit(repository, name string) string {
	key, slug, _ := strings.Cut(repository, "/")
	p := s.store.byKey[strings.ToUpper(key)]
	if p == nil || p.repository(slug) == nil {
		return ""
	}
	return s.store.named[p.repository(slug).git][name]
}

//go:embed scenarios/orchard.txtar
var orchardText []byte

var orchard = sync.OnceValue(func() *Scenario {
	s, err := Parse("orchard.txtar", orchardText)
	if err != nil {
		panic("fakebb: the embedded scenario: " + err.Error())
	}
	return s
})

// Orchard returns the embedded scenario orchard. It is read once.
func Orchard() *Scenario { return orchard() }

// OrchardName is the name of the embedded scenario.
const OrchardName = "orchard"

// Find returns the embedded scenario of that name, or reads the file of that
// name. An error says which scenarios there are.
func Find(nameOrFile string) (*Scenario, error) {
	if nameOrFile == OrchardName {
		return Orchard(), nil
	}
	s, err := Load(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no scenario %q and no such file; the scenario that comes with the program is %s", nameOrFile, OrchardName)
	}
	return s, err
}

// User is a person of a scenario.
type User struct{ Name, DisplayName string }

// Users returns everyone in the scenario, in the order of its file.
func (s *Scenario) Users() []User {
	users := make([]User, len(s.store.people))
	for i, p := range s.store.people {
		users[i] = User{p.name, p.displayName}
	}
	return users
}

// DefaultUser returns whose token is used when nobody is named: [DefaultUser],
// or the first person of a scenario that does not have that one.
func (s *Scenario) DefaultUser() string {
	if s.store.byName[DefaultUser] == nil && len(s.store.people) > 0 {
		return s.store.people[0].name
	}
	return DefaultUser
}

// Load reads a scenario from a txtar file. An error names the file, the line
// and what is wrong.
func Load(path string) (*Scenario, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return Parse(path, data)
}

// Parse reads a scenario from the text of a txtar file; name is what errors
// call it.
func Parse(name string, data []byte) (*Scenario, error) {
	d, err := readDeclarations(name, data)
	if err != nil {
		return nil, err
	}
	s, err := build(d)
	if err != nil {
		return nil, err
	}
	return &Scenario{name: name, store: s}, nil
}
