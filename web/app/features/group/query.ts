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

export const UrlRow = graphql(`
  fragment UrlRow on Selection {
    urlId
    groupId
    address
    htmlTitle
    type
    category
    tags
    lastCrawledAt
    lastChangedAt
    desktop
    mobile
    threshold
  }
`);

/** The group with the first page of its URLs: all that the part shows at first. */
export const GroupUrlsDocument = graphql(`
  query GroupUrls($id: ID!, $filter: SelectionFilter, $orderBy: SelectionOrder, $orderDirection: OrderDirection) {
    group(id: $id) {
      ...GroupHead
      threshold
      urls(page: 1, perPage: 100, filter: $filter, orderBy: $orderBy, orderDirection: $orderDirection) {
        totalCount
        nodes {
          ...UrlRow
        }
      }
    }
    tags {
      name
      urlsCount
    }
  }
`);

/** Any further page. */
export const UrlPageDocument = graphql(`
  query GroupUrlsPage($id: ID!, $page: Int!, $filter: SelectionFilter, $orderBy: SelectionOrder, $orderDirection: OrderDirection) {
    groupUrls(groupId: $id, page: $page, perPage: 100, filter: $filter, orderBy: $orderBy, orderDirection: $orderDirection) {
      nodes {
        ...UrlRow
      }
    }
  }
`);

export const UrlOverridesDocument = graphql(`
  query UrlOverrides($groupId: ID!, $urlIds: [ID!]!) {
    groupUrls(groupId: $groupId, first: 1, filter: { urlIds: $urlIds }) {
      nodes {
        ...UrlRow
        css
        js
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

/** The settings of a URL that its dialog changes, whatever of them. */
export const SaveUrlDocument = graphql(`
  mutation SaveUrl(
    $groupId: ID!
    $urlId: ID!
    $input: UpdateGroupUrlInput!
    $url: UpdateUrlInput!
    $withUrl: Boolean!
    $add: [String!]!
    $remove: [String!]!
    $withTags: Boolean!
  ) {
    updateUrl(id: $urlId, input: $url) @include(if: $withUrl) {
      url {
        id
      }
    }
    tagUrls(ids: [$urlId], add: $add, remove: $remove) @include(if: $withTags) {
      changedIds
    }
    updateUrlInGroup(groupId: $groupId, urlId: $urlId, input: $input) {
      selection {
        ...UrlRow
        css
        js
      }
    }
  }
`);

export const DeleteUrlDocument = graphql(`
  mutation DeleteUrl($id: ID!) {
    deleteUrl(id: $id) {
      deletedUrlId
    }
  }
`);

/** The limit is the number that the person has been told. */
export const EditUrlsDocument = graphql(`
  mutation EditUrls($groupId: ID!, $filter: SelectionFilter, $edit: UrlsEdit!, $limit: Int!) {
    editUrlsOfGroup(groupId: $groupId, filter: $filter, edit: $edit, limit: $limit) {
      matchedCount
      changedIds
      removed {
        id
        desktop
        mobile
        css
        js
        threshold
      }
      groupId
      group {
        ...GroupHead
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
        scope
      }
    }
  }
`);

export const GateRulesOfGroup = graphql(`
  fragment GateRulesOfGroup on GateRules {
    alert
    notSure
    scriptErrors
    failedResources
    missingPages
    mustBeFine
  }
`);

export const GroupSettingsDocument = graphql(`
  query GroupSettings($id: ID!) {
    group(id: $id) {
      ...GroupHead
      threshold
      measure
      cms
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
      signInFlow {
        id
        name
      }
      alertEmails
      gateRules {
        ...GateRulesOfGroup
      }
    }
  }
`);

/** The flows of a website, of which one may sign in. */
export const SignInFlowsDocument = graphql(`
  query SignInFlows($websiteId: ID!) {
    flows(first: 100, filter: { websiteId: $websiteId }) {
      nodes {
        id
        name
      }
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
        cms
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
        signInFlow {
          id
          name
        }
        alertEmails
        gateRules {
          ...GateRulesOfGroup
        }
        scheduleType
        hourOfDay
        intervalInH
        scheduleDays
        quietHoursStart
        quietHoursEnd
        nextRuns(first: 5)
        estimatedMonthlyChecks
        triggers {
          type
          scope
        }
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

/** The pages of a site that are most worth checking, the most important first, and why. */
export const SuggestedPagesDocument = graphql(`
  query SuggestedPages($domain: String!, $count: Int!) {
    suggestPages(domain: $domain, count: $count) {
      url {
        id
        address
      }
      reason
      others
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

export type Tag = GroupUrlsQuery['tags'][number];
export type UrlsGroup = NonNullable<GroupUrlsQuery['group']>;
export type Head = Pick<
  UrlsGroup,
  | 'id'
  | 'name'
  | 'monitoring'
  | 'enabled'
  | 'websiteId'
  | 'urlsCount'
  | 'selectedUrlsCount'
  | 'selectedChecksCount'
  | 'missedRun'
  | 'lastBatch'
>;
export type Row = UrlsGroup['urls']['nodes'][number];
export type ScheduleGroup = NonNullable<GroupScheduleQuery['group']>;
export type SettingsGroup = NonNullable<GroupSettingsQuery['group']>;
