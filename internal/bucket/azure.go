package bucket

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

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
	client, err := azureblob.NewDefaultClient(address, azureblob.ContainerName(name))
	if err != nil {
		return nil, err
	}
	return azureblob.OpenBucket(ctx, client, nil)
}
