import { graphql } from '../../api/generated';
import type { FlowQuery, FlowRunQuery, FlowTrialQuery, FlowsOfWebsiteQuery, PickableScreenshotsQuery } from '../../api/generated/graphql';

export const FlowsOfWebsiteDocument = graphql(`
  query FlowsOfWebsite($websiteId: ID!, $page: Int!) {
    flows(page: $page, perPage: 50, filter: { websiteId: $websiteId }) {
      totalCount
      nodes {
        id
        name
        url
        devices
        stepsCount
        checkpointsCount
        enabledManual
        enabledMonitoring
        lastRun {
          id
          status
          createdAt
        }
      }
    }
  }
`);

export const FlowFields = graphql(`
  fragment FlowFields on Flow {
    id
    name
    url
    devices
    websiteId
    enabledManual
    enabledMonitoring
    stepsCount
    checkpointsCount
    steps {
      id
      type
      label
      selector
      value
      sensitive
      valueSet
      changes
      assertion {
        kind
        operator
        expected
      }
    }
  }
`);

export const FlowDocument = graphql(`
  query Flow($id: ID!) {
    flow(id: $id) {
      ...FlowFields
      website {
        id
        domain
        manualDetectionGroup {
          id
        }
        autoDetectionGroup {
          id
        }
      }
    }
  }
`);

export const FlowRunsDocument = graphql(`
  query FlowRuns($id: ID!, $page: Int!) {
    flowRuns(flowId: $id, page: $page, perPage: 20) {
      totalCount
      nodes {
        id
        scType
        device
        status
        createdAt
        finishedAt
      }
    }
  }
`);

export const FlowRunDocument = graphql(`
  query FlowRun($id: ID!) {
    flowRun(id: $id) {
      id
      scType
      device
      status
      errorMsg
      pictureLink
      createdAt
      finishedAt
      batchId
      flowId
      flow {
        id
        name
        website {
          id
          domain
        }
      }
      batch {
        id
        name
      }
      steps {
        id
        type
        label
        selector
        value
        sensitive
        does
        status
        durationMs
        error
        assertion {
          kind
          operator
          expected
          actual
        }
        checkpoint {
          screenshot {
            id
            link
            previewLink
          }
          comparison {
            id
            measure
            differencePercent
            alignedPercent
            status
          }
          baseline
          queueStatus
          errorMsg
        }
      }
    }
  }
`);

/** What a new flow of a website needs to know. */
export const FlowWebsiteDocument = graphql(`
  query FlowWebsite($id: ID!) {
    website(id: $id) {
      id
      domain
      manualDetectionGroup {
        id
      }
      autoDetectionGroup {
        id
      }
    }
  }
`);

export const CreateFlowDocument = graphql(`
  mutation CreateFlow($input: CreateFlowInput!) {
    createFlow(input: $input) {
      flow {
        ...FlowFields
      }
    }
  }
`);

export const UpdateFlowDocument = graphql(`
  mutation UpdateFlow($id: ID!, $input: UpdateFlowInput!) {
    updateFlow(id: $id, input: $input) {
      flow {
        ...FlowFields
      }
    }
  }
`);

export const DeleteFlowDocument = graphql(`
  mutation DeleteFlow($id: ID!) {
    deleteFlow(id: $id) {
      deletedFlowId
    }
  }
`);

export const RunFlowDocument = graphql(`
  mutation RunFlow($input: TakeScreenshotsInput!) {
    takeScreenshots(input: $input) {
      batchId
      amountScreenshots
    }
  }
`);

export const TryFlowDocument = graphql(`
  mutation TryFlow($input: TryFlowInput!) {
    tryFlow(input: $input) {
      trial {
        id
      }
    }
  }
`);

export const CancelFlowTrialDocument = graphql(`
  mutation CancelFlowTrial($id: ID!) {
    cancelFlowTrial(id: $id) {
      trial {
        id
        status
        errorMsg
      }
    }
  }
`);

export const FlowTrialDocument = graphql(`
  query FlowTrial($id: ID!) {
    flowTrial(id: $id) {
      id
      status
      errorMsg
      pictureLink
      previewLink
      steps {
        number
        does
        status
        error
        pictureLink
        previewLink
      }
    }
  }
`);

/** The newest screenshots of a website, to pick elements from. */
export const PickableScreenshotsDocument = graphql(`
  query PickableScreenshots($groupIds: [ID!]!) {
    screenshots(first: 100, filter: { groupIds: $groupIds }) {
      nodes {
        id
        address
        device
        link
        width
        height
        createdAt
      }
    }
  }
`);

export const PickedElementsDocument = graphql(`
  query PickedElements($id: ID!, $first: Int!, $after: Int) {
    screenshot(id: $id) {
      id
      content {
        elements(first: $first, after: $after) {
          number
          box {
            x
            y
            width
            height
          }
          selector
          tag
          role
          text
        }
      }
    }
  }
`);

export type ListedFlow = FlowsOfWebsiteQuery['flows']['nodes'][number];
export type FlowData = NonNullable<FlowQuery['flow']>;
export type FlowStep = FlowData['steps'][number];
export type RunData = NonNullable<FlowRunQuery['flowRun']>;
export type RunStep = RunData['steps'][number];
export type TrialData = NonNullable<FlowTrialQuery['flowTrial']>;
export type Pickable = PickableScreenshotsQuery['screenshots']['nodes'][number];
