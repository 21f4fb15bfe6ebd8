package fakebb

import "fmt"

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
		BuildDate:   "1768254573030", // milliseconds, as a text
		DisplayName: "Bitbucket",
	}, nil
}
