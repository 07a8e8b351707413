import { graphql } from '../../api/generated';
import type { WebsiteQuery } from '../../api/generated/graphql';

/** A website with all that its screen shows. */
export const WebsiteDocument = graphql(`
  query Website($id: ID!) {
    website(id: $id) {
      id
      domain
      openAlarms
      manualDetectionGroup {
        ...WebsiteGroup
      }
      autoDetectionGroup {
        ...WebsiteGroup
      }
      autoUpdateSettings {
        autoUpdateChecksEnabled
        autoUpdateChecksFrom
        autoUpdateChecksTo
        autoUpdateChecksMonday
        autoUpdateChecksTuesday
        autoUpdateChecksWednesday
        autoUpdateChecksThursday
        autoUpdateChecksFriday
        autoUpdateChecksSaturday
        autoUpdateChecksSunday
        autoUpdateChecksEmails
      }
      lastBatch {
        id
        name
        createdAt
        culprits {
          kind
          slug
          name
          fromVersion
          toVersion
          sentence
        }
      }
    }
  }

  fragment WebsiteGroup on Group {
    id
    name
    monitoring
    enabled
    urlsCount
    selectedChecksCount
    openAlarms
    scheduleType
    hourOfDay
    intervalInH
    scheduleDays
    quietHoursStart
    quietHoursEnd
    nextRunAt
  }
`);

export const UpdateWebsiteDocument = graphql(`
  mutation UpdateWebsite($id: ID!, $input: UpdateWebsiteInput!) {
    updateWebsite(id: $id, input: $input) {
      website {
        id
        domain
        autoUpdateSettings {
          autoUpdateChecksEnabled
          autoUpdateChecksFrom
          autoUpdateChecksTo
          autoUpdateChecksMonday
          autoUpdateChecksTuesday
          autoUpdateChecksWednesday
          autoUpdateChecksThursday
          autoUpdateChecksFriday
          autoUpdateChecksSaturday
          autoUpdateChecksSunday
          autoUpdateChecksEmails
        }
      }
    }
  }
`);

export const DeleteWebsiteDocument = graphql(`
  mutation DeleteWebsite($id: ID!) {
    deleteWebsite(id: $id) {
      deletedWebsiteId
    }
  }
`);

export type WebsiteData = NonNullable<WebsiteQuery['website']>;
export type WebsiteGroup = NonNullable<WebsiteData['manualDetectionGroup']>;
export type AutoUpdates = Omit<NonNullable<WebsiteData['autoUpdateSettings']>, '__typename'>;
export type Culprit = NonNullable<NonNullable<WebsiteData['lastBatch']>['culprits']>[number];
