package bucket

import "testing"

func TestAddressesOfAzure(t *testing.T) {
	for name, c := range map[string]struct {
		account azureAccount
		want    string // empty where it is refused
	}{
		"usual":        {azureAccount{name: "pictures"}, "https://pictures.blob.core.windows.net"},
		"other cloud":  {azureAccount{name: "pictures", domain: "blob.example.com"}, "https://pictures.blob.example.com"},
		"token":        {azureAccount{name: "pictures", token: "sig=a"}, "https://pictures.blob.core.windows.net?sig=a"},
		"delivered":    {azureAccount{name: "pictures", domain: "cdn.example.com", delivered: true}, "https://cdn.example.com"},
		"emulated":     {azureAccount{name: "pictures", domain: "a.test:1", protocol: "http", emulated: true}, "http://a.test:1/pictures"},
		"here":         {azureAccount{name: "pictures", domain: "127.0.0.1:1", protocol: "http"}, "http://127.0.0.1:1/pictures"},
		"no name":      {azureAccount{}, ""},
		"no protocol":  {azureAccount{name: "pictures", protocol: "ftp"}, ""},
		"no such name": {azureAccount{domain: "localhost:1"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.account.address()
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestAzureByItsConnectionString(t *testing.T) {
	t.Setenv("AZURE_STORAGE_ACCOUNT", "")
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING",
		"DefaultEndpointsProtocol=http;AccountName=pictures;AccountKey=a2V5==;EndpointSuffix=example.com")
	if a := azureAccountOfEnvironment(); a.name != "pictures" || a.protocol != "http" {
		t.Errorf("%+v", a)
	}
	t.Setenv("AZURE_STORAGE_ACCOUNT", "other")
	if a := azureAccountOfEnvironment(); a.name != "other" {
		t.Errorf("the variable of the account counts: %+v", a)
	}
}
