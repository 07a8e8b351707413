import { graphql } from '../../api/generated';
import type { HomeQuery } from '../../api/generated/graphql';

/** All that Home shows, in one request. */
export const HomeDocument = graphql(`
  query Home($from: Date!, $to: Date!) {
    account {
      id
      checksLeft
      checksLimit
      renewalAt
      status
      overview {
        sitesCount
        needsCount
        openAlarms
        failedCount
        checksLeft
        nextRunAt
        runs(first: 20) {
          ...RunSummary
          groupNames
        }
        missedRuns {
          id
          name
          missedRun
        }
        needy: sites(first: 20, needy: true) {
          ...SiteCard
          open: history(first: 4, filter: { statuses: [NEW] }) {
            nodes {
              id
              batchId
              address
              device
              previewLink
            }
          }
        }
        calm: sites(first: 140, needy: false) {
          ...SiteCard
        }
      }
    }
    webhooks(first: 100) {
      nodes {
        id
        url
        disabledAt
        failingSince
      }
    }
  }

  fragment SiteCard on SiteOverview {
    name
    websiteId
    groupIds
    needs
    openAlarms
    failedCount
    lastBatch {
      id
      createdAt
    }
    nextRuns(first: 1)
    series(from: $from, to: $to) {
      ...Day
    }
  }

  fragment Day on DayFigures {
    day
    comparisons
    changes
  }
`);

export type HomeData = HomeQuery['account'];
export type Overview = HomeData['overview'];
export type CalmSite = Overview['calm'][number];
export type NeedySite = Overview['needy'][number];
export type DayOfSite = CalmSite['series'][number];
