import { graphql } from '../../api/generated';
import type { WebhooksQuery, WebhookLogQuery } from '../../api/generated/graphql';

export const WebhooksDocument = graphql(`
  query Webhooks {
    webhooks(first: 100) {
      nodes {
        id
        url
        events
        groupIds
        websiteIds
        disabledAt
        failingSince
        lastStatus
      }
    }
    groups(first: 100) {
      nodes {
        id
        name
      }
    }
    websites(first: 100) {
      nodes {
        id
        domain
      }
    }
  }
`);

export const CreateWebhookDocument = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      webhook {
        id
      }
    }
  }
`);

export const UpdateWebhookDocument = graphql(`
  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {
    updateWebhook(id: $id, input: $input) {
      webhook {
        id
        url
        events
        groupIds
        websiteIds
        disabledAt
        failingSince
      }
    }
  }
`);

export const EnableWebhookDocument = graphql(`
  mutation EnableWebhook($id: ID!, $enabled: Boolean!) {
    updateWebhook(id: $id, input: { enabled: $enabled }) {
      webhook {
        id
        disabledAt
        failingSince
      }
    }
  }
`);

export const DeleteWebhookDocument = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(id: $id) {
      deletedWebhookId
    }
  }
`);

export const PingDocument = graphql(`
  mutation Ping($id: ID!) {
    pingWebhook(id: $id) {
      delivery {
        id
      }
    }
  }
`);

export const RotateSecretDocument = graphql(`
  mutation RotateSecret {
    rotateWebhookSecret {
      previousSecretUntil
      account {
        id
        webhookSecret
      }
    }
  }
`);

export const WebhookLogDocument = graphql(`
  query WebhookLog($id: ID!, $states: [DeliveryState!], $after: String) {
    webhook(id: $id) {
      id
      url
      events
      groupIds
      websiteIds
      disabledAt
      failingSince
    }
    groups(first: 100) {
      nodes {
        id
        name
      }
    }
    websites(first: 100) {
      nodes {
        id
        domain
      }
    }
    webhookDeliveries(first: 50, after: $after, filter: { webhookIds: [$id], states: $states }) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        event
        state
        problem
        attemptCount
        nextAttemptAt
        createdAt
        body
        attempts {
          number
          at
          milliseconds
          status
          answer
          problem
        }
      }
    }
  }
`);

export const RedeliverDocument = graphql(`
  mutation Redeliver($id: ID!) {
    redeliver(id: $id) {
      delivery {
        id
        state
        attemptCount
        nextAttemptAt
      }
    }
  }
`);

export const RedeliverFailedDocument = graphql(`
  mutation RedeliverFailed($id: ID!) {
    redeliverMany(webhookId: $id, filter: { states: [FAILED] }) {
      count
      more
    }
  }
`);

export type Webhook = WebhooksQuery['webhooks']['nodes'][number];
export type Delivery = WebhookLogQuery['webhookDeliveries']['nodes'][number];
