import { graphql } from '../../api/generated';
import type { GroupScheduleQuery, GroupSettingsQuery, GroupUrlsQuery } from '../../api/generated/graphql';

/** Rows of one page of the list of URLs: the most that the server gives at once. */
export const pageSize = 100;

/** What the heading and the actions of every part need. */
export const GroupHead = graphql(`
  fragment GroupHead on Group {
    id
    name
    monitoring
    enabled
    websiteId
    urlsCount
    selectedUrlsCount
    selectedChecksCount
    missedRun
    lastBatch {
      id
    }
  }
`);

/** One page of the group's URLs. The first one is all that the part shows at first. */
export const GroupUrlsDocument = graphql(`
  query GroupUrls($id: ID!, $page: Int!, $filter: SelectionFilter) {
    group(id: $id) {
      ...GroupHead
      threshold
      urls(page: $page, perPage: 100, filter: $filter) {
        totalCount
        nodes {
          urlId
          groupId
          address
          htmlTitle
          type
          category
          lastCrawledAt
          desktop
          mobile
          threshold
        }
      }
    }
  }
`);

export const UrlOverridesDocument = graphql(`
  query UrlOverrides($groupId: ID!, $urlIds: [ID!]!) {
    groupUrls(groupId: $groupId, first: 1, filter: { urlIds: $urlIds }) {
      nodes {
        urlId
        groupId
        css
        js
        threshold
      }
    }
  }
`);

export const UpdateUrlDocument = graphql(`
  mutation UpdateGroupUrl($groupId: ID!, $urlId: ID!, $input: UpdateGroupUrlInput!) {
    updateUrlInGroup(groupId: $groupId, urlId: $urlId, input: $input) {
      selection {
        urlId
        groupId
        desktop
        mobile
        css
        js
        threshold
        group {
          id
          selectedUrlsCount
          selectedChecksCount
        }
      }
    }
  }
`);

export const SelectAllDocument = graphql(`
  mutation SelectAllUrls($groupId: ID!, $device: Device!, $enabled: Boolean!) {
    selectAllUrls(groupId: $groupId, device: $device, enabled: $enabled) {
      groupId
      group {
        id
        selectedUrlsCount
        selectedChecksCount
      }
    }
  }
`);

export const RemoveUrlsDocument = graphql(`
  mutation RemoveGroupUrls($groupId: ID!, $urls: [ID!]!) {
    removeUrlsFromGroup(groupId: $groupId, urls: $urls) {
      count
      groupId
      group {
        ...GroupHead
      }
    }
  }
`);

/** With dryRun, tells which addresses cannot be added. */
export const AddAddressesDocument = graphql(`
  mutation AddAddresses($groupId: ID!, $addresses: [String!]!, $dryRun: Boolean!) {
    addAddressesToGroup(groupId: $groupId, addresses: $addresses, dryRun: $dryRun) {
      validCount
      count
      groupId
      refused {
        index
        rule
        message
      }
      group {
        ...GroupHead
      }
    }
  }
`);

export const GroupScheduleDocument = graphql(`
  query GroupSchedule($id: ID!) {
    group(id: $id) {
      ...GroupHead
      scheduleType
      hourOfDay
      intervalInH
      scheduleDays
      quietHoursStart
      quietHoursEnd
      nextRuns(first: 5)
      estimatedMonthlyChecks
      confirmChanges
      triggers {
        type
      }
    }
  }
`);

export const GroupSettingsDocument = graphql(`
  query GroupSettings($id: ID!) {
    group(id: $id) {
      ...GroupHead
      threshold
      measure
      css
      js
      basicAuthUser
      hasBasicAuth
      proxyType
      proxyCountry
      screenshotRegion
      screenshotDelay
      defaultDesktop
      defaultMobile
      hideConsent
      confirmChanges
      alarmPageChanges
      alertEmails
    }
  }
`);

export const UpdateGroupDocument = graphql(`
  mutation UpdateGroup($id: ID!, $input: UpdateGroupInput!) {
    updateGroup(id: $id, input: $input) {
      group {
        ...GroupHead
        threshold
        measure
        css
        js
        basicAuthUser
        hasBasicAuth
        proxyType
        proxyCountry
        screenshotRegion
        screenshotDelay
        defaultDesktop
        defaultMobile
        hideConsent
        confirmChanges
        alarmPageChanges
        alertEmails
        scheduleType
        hourOfDay
        intervalInH
        scheduleDays
        quietHoursStart
        quietHoursEnd
        nextRuns(first: 5)
        estimatedMonthlyChecks
      }
    }
  }
`);

export const DeleteGroupDocument = graphql(`
  mutation DeleteGroup($id: ID!) {
    deleteGroup(id: $id) {
      deletedGroupId
    }
  }
`);

export const TakeScreenshotsDocument = graphql(`
  mutation TakeGroupScreenshots($input: TakeScreenshotsInput!) {
    takeScreenshots(input: $input) {
      batchId
      amountScreenshots
      unpairedCount
    }
  }
`);

export const SitemapDocument = graphql(`
  mutation ReadSitemap($domain: String!) {
    addUrlsFromSitemap(domain: $domain, orLinks: true) {
      urlImport {
        ...ImportState
      }
    }
  }
`);

export const ImportState = graphql(`
  fragment ImportState on UrlImport {
    id
    domain
    state
    urlsCount
    addedCount
    problems
  }
`);

export const ImportDocument = graphql(`
  query SitemapImport($id: ID!) {
    urlImport(id: $id) {
      ...ImportState
    }
  }
`);

/** Pages of the account whose address has a text. */
export const FoundPagesDocument = graphql(`
  query FoundPages($search: String!, $page: Int!) {
    urls(page: $page, perPage: 100, orderBy: ADDRESS, orderDirection: ASC, filter: { search: $search }) {
      totalCount
      nodes {
        id
        address
        htmlTitle
      }
    }
  }
`);

export const AddUrlsDocument = graphql(`
  mutation AddUrls($groupId: ID!, $urls: [GroupUrlInput!]!) {
    addUrlsToGroup(groupId: $groupId, urls: $urls) {
      count
      groupId
      group {
        ...GroupHead
      }
    }
  }
`);

export type UrlsGroup = NonNullable<GroupUrlsQuery['group']>;
export type Head = Pick<
  UrlsGroup,
  'id' | 'name' | 'monitoring' | 'enabled' | 'websiteId' | 'urlsCount' | 'selectedUrlsCount' | 'selectedChecksCount' | 'missedRun' | 'lastBatch'
>;
export type Row = UrlsGroup['urls']['nodes'][number];
export type ScheduleGroup = NonNullable<GroupScheduleQuery['group']>;
export type SettingsGroup = NonNullable<GroupSettingsQuery['group']>;
