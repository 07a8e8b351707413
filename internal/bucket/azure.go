package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
)

// openAzure opens a container of Azure Blob Storage with the credentials of the AZURE_STORAGE_… variables, or else the
// default ones of the machine.
func openAzure(ctx context.Context, name string, parameters url.Values) (*blob.Bucket, error) {
	service := azureblob.NewDefaultServiceURLOptions()
	for parameter, field := range map[string]*string{
		"storage_account": &service.AccountName, "domain": &service.StorageDomain, "protocol": &service.Protocol,
	} {
		if given := parameters.Get(parameter); given != "" {
			if *field != "" && *field != given && service.SASToken != "" {
				return nil, final{fmt.Errorf("%s differs from the environment, whose SAS token is for that account", parameter)}
			}
			*field = given
		}
	}
	if given := parameters.Get("localemu"); given != "" {
		var err error
		if service.IsLocalEmulator, err = strconv.ParseBool(given); err != nil {
			return nil, final{fmt.Errorf("localemu must be true or false")}
		}
	}
	if service.AccountName == "" {
		return nil, final{fmt.Errorf("the storage account is missing: give it as ?storage_account= in the URL, or set " +
			"AZURE_STORAGE_ACCOUNT")}
	}
	address, err := azureblob.NewServiceURL(service)
	if err != nil {
		return nil, err
	}
	client, err := azureClient(address, service.AccountName, name)
	if err != nil {
		return nil, err
	}
	return azureblob.OpenBucket(ctx, client, nil)
}

// azureClient has the credentials that gocloud would find, but takes the key for the account of the URL, where gocloud wants its
// name in the environment. It repeats nothing by itself: we do that, and tell why the last call failed.
func azureClient(address azureblob.ServiceURL, account, name string) (*container.Client, error) {
	place, err := url.JoinPath(string(address), name)
	if err != nil {
		return nil, err
	}
	options := &container.ClientOptions{ClientOptions: policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}}
	if secret := os.Getenv("AZURE_STORAGE_KEY"); secret != "" {
		key, err := container.NewSharedKeyCredential(account, secret)
		if err != nil {
			return nil, final{errors.New("AZURE_STORAGE_KEY is no key of a storage account")}
		}
		return container.NewClientWithSharedKeyCredential(place, key, options)
	}
	if os.Getenv("AZURE_STORAGE_SAS_TOKEN") != "" { // the address has it
		return container.NewClientWithNoCredential(place, options)
	}
	connection := cmp.Or(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), os.Getenv("AZURE_STORAGEBLOB_CONNECTIONSTRING"))
	if connection != "" {
		return container.NewClientFromConnectionString(connection, name, options)
	}
	machine, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return container.NewClient(place, machine, options)
}
