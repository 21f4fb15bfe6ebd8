package fakebb

import (
	"fmt"
	"strconv"
	"time"
)

// instanceRoutes say which Bitbucket this is and what it can do.
var instanceRoutes = []route{
	{method: "GET", path: api + "/application-properties", answer: getApplicationProperties, anonymous: true,
		evidence: "bitbucket-rest.md 5.1 [O][P]"},
	{method: "GET", path: "/rest/capabilities", answer: getCapabilities, anonymous: true,
		evidence: "bitbucket-rest.md 5.1 [P][F], capabilities-context-path.json"},
	{method: "GET", path: api + "/build/capabilities", answer: getBuildCapabilities, anonymous: true,
		evidence: "bitbucket-rest.md 5.1 [P][F]"},
	{method: "GET", path: "/rest/insights/{version}/capabilities", answer: getInsightCapabilities, anonymous: true,
		evidence: "bitbucket-rest.md 5.1 [P][F]"},
	{method: "GET", path: "/plugins/servlet/applinks/whoami", answer: whoAmI, anonymous: true, produces: []string{anyMedia},
		evidence: "bitbucket-rest.md 5.2 [U]"},
}

// buildTime is when the release was built.
const buildTime = 1768254573030

// applicationPropertiesJSON says which Bitbucket this is: four texts.
type applicationPropertiesJSON struct {
	Version     string `json:"version"`
	BuildNumber string `json:"buildNumber"`
	BuildDate   string `json:"buildDate"`
	DisplayName string `json:"displayName"`
}

func getApplicationProperties(x *exchange) (any, error) {
	r := x.server.release
	return applicationPropertiesJSON{
		Version:     r.String(),
		BuildNumber: fmt.Sprintf("%d%03d%03d", r.major, r.minor, r.patch),
		BuildDate:   strconv.Itoa(buildTime), // milliseconds, as a text
		DisplayName: "Bitbucket",
	}, nil
}

// capabilitiesJSON are the addresses of what the fake has of a Bitbucket's
// capabilities.
type capabilitiesJSON struct {
	Links        selfJSON `json:"links"`
	Application  string   `json:"application"`
	BuildDate    string   `json:"buildDate"`
	Capabilities object   `json:"capabilities"`
}

type selfJSON struct {
	Self string `json:"self"`
}

func getCapabilities(x *exchange) (any, error) {
	base := x.server.base.String() + "/rest"
	return capabilitiesJSON{
		Links:       selfJSON{base + "/capabilities"},
		Application: "stash",
		BuildDate:   time.UnixMilli(buildTime).UTC().Format(time.RFC3339),
		Capabilities: object{
			{"build", base + "/api/latest/build/capabilities"},
			{"code-insights", base + "/insights/latest/capabilities"},
		},
	}, nil
}

type buildCapabilitiesJSON struct {
	BuildStatus []string `json:"buildStatus"`
}

func getBuildCapabilities(*exchange) (any, error) {
	return buildCapabilitiesJSON{[]string{"richBuildStatus", "cancelledStatus", "unknownStatus"}}, nil
}

func getInsightCapabilities(*exchange) (any, error) { return []string{"reports", "annotations"}, nil }

// whoAmI answers the caller's name as a text, nothing to who names nobody.
func whoAmI(x *exchange) (any, error) {
	return answer{contentType: "text/plain;charset=UTF-8", body: []byte(x.callerName())}, nil
}
