package bucket

import (
	"cmp"
	"errors"
	"os"
	"strconv"
	"strings"
)

// azureAccount is where a storage account is, by the variables that other programs use, too.
type azureAccount struct {
	name, token      string
	domain, protocol string
	delivered        bool // by a network for content, whose domain stands for the account
	emulated         bool // by a server that has the account in the path
}

func azureAccountOfEnvironment() azureAccount {
	a := azureAccount{
		name: os.Getenv("AZURE_STORAGE_ACCOUNT"), token: os.Getenv("AZURE_STORAGE_SAS_TOKEN"),
		domain: os.Getenv("AZURE_STORAGE_DOMAIN"), protocol: os.Getenv("AZURE_STORAGE_PROTOCOL"),
	}
	a.delivered, _ = strconv.ParseBool(os.Getenv("AZURE_STORAGE_IS_CDN"))
	a.emulated, _ = strconv.ParseBool(os.Getenv("AZURE_STORAGE_IS_LOCAL_EMULATOR"))
	for part := range strings.SplitSeq(azureConnection(), ";") {
		switch key, value, _ := strings.Cut(part, "="); key {
		case "AccountName":
			a.name = cmp.Or(a.name, value)
		case "DefaultEndpointsProtocol":
			a.protocol = cmp.Or(a.protocol, value)
		}
	}
	return a
}

func azureConnection() string {
	return cmp.Or(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), os.Getenv("AZURE_STORAGEBLOB_CONNECTIONSTRING"))
}

// address is the URL of the account, with the token.
func (a azureAccount) address() (string, error) {
	if a.name == "" {
		return "", errors.New("the storage account is missing: give it as ?storage_account= in the URL, or set AZURE_STORAGE_ACCOUNT")
	}
	domain, protocol := cmp.Or(a.domain, "blob.core.windows.net"), cmp.Or(a.protocol, "https")
	if protocol != "http" && protocol != "https" {
		return "", errors.New("protocol must be http or https")
	}
	address := protocol + "://"
	switch {
	case a.emulated || strings.HasPrefix(domain, "127.0.0.1") || strings.HasPrefix(domain, "localhost"):
		address += domain + "/" + a.name
	case a.delivered:
		address += domain
	default:
		address += a.name + "." + domain
	}
	if a.token != "" {
		address += "?" + a.token
	}
	return address, nil
}
