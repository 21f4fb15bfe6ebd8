package fakebb

import (
	"strconv"
	"strings"
)

// deploymentRoutes are where commits were deployed.
var deploymentRoutes = []route{
	{method: "GET", path: oneCommit + "/deployments", answer: getDeployment,
		evidence: "bitbucket-rest.md 14.6 [O]; key order and sentences are belief"},
}

// deploymentJSON is a deployment of a commit to an environment.
type deploymentJSON struct {
	DeploymentSequenceNumber int64           `json:"deploymentSequenceNumber"`
	Description              string          `json:"description,omitempty"`
	DisplayName              string          `json:"displayName"`
	Environment              environmentJSON `json:"environment"`
	Key                      string          `json:"key"`
	LastUpdated              int64           `json:"lastUpdated"`
	Repository               repositoryJSON  `json:"repository"`
	State                    string          `json:"state"`
	ToCommit                 commitIDJSON    `json:"toCommit"`
	URL                      string          `json:"url"`
}

type environmentJSON struct {
	DisplayName string `json:"displayName"`
	Key         string `json:"key"`
	Type        string `json:"type,omitempty"`
	URL         string `json:"url,omitempty"`
}

// deploymentStates are the states of deployments, on the wire.
var deploymentStates = []string{"PENDING", "IN_PROGRESS", "CANCELLED", "FAILED", "ROLLED_BACK", "SUCCESSFUL", "UNKNOWN"}

// deploymentDecl is a deployment in a scenario.
type deploymentDecl struct {
	Commit      word   `yaml:"commit"`
	Key         word   `yaml:"key"`
	Number      int64  `yaml:"number"`
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	State       word   `yaml:"state"`
	URL         string `yaml:"url"`
	Updated     moment `yaml:"updated"`
	Environment struct {
		Key  word   `yaml:"key"`
		Name string `yaml:"name"`
		Type word   `yaml:"type"` // DEVELOPMENT, TESTING, STAGING or PRODUCTION
		URL  string `yaml:"url"`
	} `yaml:"environment"`
}

// deployment is a deployment of a commit; the repository is drawn for who asks.
type deployment struct {
	commit string
	drawn  deploymentJSON
}

func (b *builder) addDeployment(at place, r *repository, d deploymentDecl) error {
	commit, err := b.commit(at, r, d.Commit)
	if err != nil {
		return err
	}
	e := d.Environment
	if d.Key.value == "" || e.Key.value == "" || d.Updated.time.IsZero() {
		return at.errorf(max(d.Commit.line, d.Key.line), "a deployment needs key, environment and updated")
	}
	if err := oneOf(at, d.State, deploymentStates...); err != nil {
		return err
	}
	if e.Type.value != "" {
		if err := oneOf(at, e.Type, "DEVELOPMENT", "TESTING", "STAGING", "PRODUCTION"); err != nil {
			return err
		}
	}
	r.deployments = append(r.deployments, deployment{commit, deploymentJSON{
		DeploymentSequenceNumber: d.Number, Description: d.Description, DisplayName: d.Name,
		Environment: environmentJSON{e.Name, e.Key.value, e.Type.value, e.URL},
		Key:         d.Key.value, LastUpdated: d.Updated.millis(), State: d.State.value,
		ToCommit: drawCommitID(commit), URL: d.URL,
	}})
	return nil
}

// getDeployment answers one deployment of a commit, by its key, its environment
// and its number, all of which are needed.
func getDeployment(x *exchange) (any, error) {
	r, commit, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	key, environment := x.query.Get("key"), x.query.Get("environmentKey")
	number, err := strconv.ParseInt(x.query.Get("deploymentSequenceNumber"), 10, 64)
	if key == "" || environment == "" || err != nil {
		return nil, invalidArgument("key, environmentKey and deploymentSequenceNumber are required.")
	}
	for _, d := range r.deployments {
		if d.commit == commit && d.drawn.Key == key && strings.EqualFold(d.drawn.Environment.Key, environment) && d.drawn.DeploymentSequenceNumber == number {
			j := d.drawn
			j.Repository = x.drawRepository(r)
			return j, nil
		}
	}
	return nil, noSuchDeployment(key, commit)
}
