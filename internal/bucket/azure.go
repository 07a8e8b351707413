package bucket

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// openAzure opens a container of Azure Blob Storage with the credentials of the AZURE_STORAGE_… variables, or else the
// default ones of the machine.
func openAzure(_ context.Context, name string, parameters url.Values) (remote, error) {
	account := azureAccountOfEnvironment()
	for parameter, field := range map[string]*string{
		"storage_account": &account.name, "domain": &account.domain, "protocol": &account.protocol,
	} {
		if given := parameters.Get(parameter); given != "" {
			if *field != "" && *field != given && account.token != "" {
				return nil, final{fmt.Errorf("%s differs from the account in the environment, to which the SAS token belongs", parameter)}
			}
			*field = given
		}
	}
	if given := parameters.Get("localemu"); given != "" {
		var err error
		if account.emulated, err = strconv.ParseBool(given); err != nil {
			return nil, final{fmt.Errorf("localemu must be true or false")}
		}
	}
	address, err := account.address()
	if err != nil {
		return nil, final{err}
	}
	client, err := azureClient(address, account.name, name)
	if err != nil {
		return nil, err
	}
	return &azureBucket{client}, nil
}

// azureClient takes the key for the account of the URL, else a token that the address has, a connection string, or what the machine
// has. It repeats nothing by itself: we do that, and tell why the last call failed.
func azureClient(address, account, name string) (*container.Client, error) {
	place, err := url.JoinPath(address, name)
	if err != nil {
		return nil, err
	}
	options := &container.ClientOptions{ClientOptions: policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}}
	if secret := os.Getenv("AZURE_STORAGE_KEY"); secret != "" {
		key, err := container.NewSharedKeyCredential(account, secret)
		if err != nil {
			return nil, final{errors.New("AZURE_STORAGE_KEY is not the key of a storage account")}
		}
		return container.NewClientWithSharedKeyCredential(place, key, options)
	}
	if os.Getenv("AZURE_STORAGE_SAS_TOKEN") != "" { // the address has it
		return container.NewClientWithNoCredential(place, options)
	}
	if connection := azureConnection(); connection != "" {
		return container.NewClientFromConnectionString(connection, name, options)
	}
	machine, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return container.NewClient(place, machine, options)
}
