import { graphql } from '../../api/generated';
import type { ComparisonScreenQuery, LearnedNoiseQuery } from '../../api/generated/graphql';

/** All that the screen of a comparison shows, in one request. */
export const ComparisonScreenDocument = graphql(`
  query ComparisonScreen($id: ID!) {
    comparison(id: $id) {
      id
      status
      address
      htmlTitle
      device
      createdAt
      differencePercent
      alignedPercent
      threshold
      aboveThreshold
      measure
      confirmation
      flapping
      truncated
      explained
      pageAlarm
      alarmReason
      acrossVersions
      unlistedFindings
      publicLink
      maskLink
      width
      height
      beforeCreatedAt
      afterCreatedAt
      batchId
      batchName
      groupId
      groupName
      urlId
      before {
        id
        link
        width
        height
        statusCode
        finalUrl
        scVersion
        manifest {
          missing {
            kind
            element
            side
            pixels
            description
          }
        }
      }
      after {
        id
        link
        width
        height
        statusCode
        finalUrl
        scVersion
        manifest {
          cssSelectors {
            selector
            elements
          }
          missing {
            kind
            element
            side
            pixels
            description
          }
        }
      }
      bands {
        kind
        yBefore
        yAfter
        rows
        x0
        x1
      }
      changedRegions {
        id
        x
        y
        width
        height
        pixels
      }
      findings {
        kind
        description
        boxBefore {
          ...Box
        }
        boxAfter {
          ...Box
        }
        fingerprint
        regionIds
        category
        reason
        judge
        matchedFeedbackRule
        element {
          selector
        }
      }
      aiVerificationResult {
        summary
      }
      pageChanges {
        kind
        severity
        sentence
        words {
          runs {
            kind
            text
          }
          leftOut
        }
      }
      browserConsoleAdded {
        text
        source
        severity
        matchedFeedbackRule
      }
      browserConsoleRemoved {
        text
        source
        severity
        matchedFeedbackRule
      }
      culprits {
        slug
        name
        fromVersion
        toVersion
      }
      sibling {
        id
        device
        status
      }
      previous {
        id
        createdAt
        status
      }
      next {
        id
        createdAt
        status
      }
      reviews {
        id
        status
        reviewer {
          kind
          name
        }
        createdAt
      }
      comments {
        id
        author {
          id
          kind
          name
        }
        text
        createdAt
        editedAt
      }
    }
  }
`);

/** The comparisons of a run in the order of its pages, for the ways to the next and the previous one. */
export const NeighboursDocument = graphql(`
  query Neighbours($id: ID!, $page: Int!, $filter: ComparisonFilter) {
    batch(id: $id) {
      id
      comparisons(page: $page, perPage: 100, filter: $filter, orderBy: JUDGED_PERCENT) {
        totalCount
        nodes {
          id
        }
      }
    }
  }
`);

/** The times at which this page was compared, for the time slider. */
export const HistoryDocument = graphql(`
  query PageHistory($urlId: ID!, $groupId: ID!, $device: Device!) {
    comparisons(first: 60, filter: { urlIds: [$urlId], groupIds: [$groupId], devices: [$device] }) {
      nodes {
        id
        createdAt
        status
        aboveThreshold
        measure
        differencePercent
        alignedPercent
      }
    }
  }
`);

export const AddComment = graphql(`
  mutation AddComment($id: ID!, $text: String!) {
    addComment(comparisonId: $id, text: $text) {
      comment {
        id
      }
    }
  }
`);

export const EditComment = graphql(`
  mutation EditComment($id: ID!, $text: String!) {
    editComment(id: $id, text: $text) {
      comment {
        id
        text
        editedAt
      }
    }
  }
`);

export const DeleteComment = graphql(`
  mutation DeleteComment($id: ID!) {
    deleteComment(id: $id) {
      deletedCommentId
    }
  }
`);

/** What is known about the parts of a page that change by themselves. */
export const LearnedNoiseDocument = graphql(`
  query LearnedNoise($urlId: ID!, $device: Device!) {
    learnedNoise(urlId: $urlId, device: $device) {
      visitsCount
      parts {
        selector
        changes {
          property
          changedCount
        }
        visitsCount
        isVarying
        mark
      }
    }
  }
`);

export const CorrectLearnedNoise = graphql(`
  mutation CorrectLearnedNoise($input: CorrectLearnedNoiseInput!) {
    correctLearnedNoise(input: $input) {
      learnedNoise {
        urlId
        device
        visitsCount
      }
    }
  }
`);

export const RenewLink = graphql(`
  mutation RenewLink($id: ID!) {
    renewPublicLink(id: $id) {
      comparison {
        id
        publicLink
      }
    }
  }
`);

export type ShownComparison = NonNullable<ComparisonScreenQuery['comparison']>;

export type ShownComment = ShownComparison['comments'][number];
export type LearnedNoise = LearnedNoiseQuery['learnedNoise'];
export type LearnedPart = LearnedNoise['parts'][number];
