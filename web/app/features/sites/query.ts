import { graphql } from '../../api/generated';
import type { SitesQuery } from '../../api/generated/graphql';

/** How many sites the list shows at once; the server's bound for one look at all of them is 500. */
export const mostSites = 500;

export const SitesDocument = graphql(`
  query Sites {
    account {
      id
      overview {
        sitesCount
        sites(first: 500) {
          name
          websiteId
          groupIds
          needs
          openAlarms
          lastBatch {
            id
            createdAt
          }
          nextRuns(first: 1)
        }
      }
    }
  }
`);

export const AddGroupDocument = graphql(`
  mutation AddGroup($input: CreateGroupInput!) {
    createGroup(input: $input) {
      group {
        id
        name
      }
    }
  }
`);

export const AddWebsiteDocument = graphql(`
  mutation AddWebsite($input: CreateWebsiteInput!) {
    createWebsite(input: $input) {
      website {
        id
        domain
      }
    }
  }
`);

export type Site = SitesQuery['account']['overview']['sites'][number];
