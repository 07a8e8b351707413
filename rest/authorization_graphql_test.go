package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// graphqlRows is the GraphQL half of the authorization matrix: a field of the schema with its arguments. See probe for what
// <group> and {group} stand for.
var graphqlRows = []struct {
	field     string
	arguments string
	who       permission
	absent    string
}{
	{`Query.viewer`, `{}`, anybody, ``},
	{`Query.account`, `{}`, anybody, ``},
	{`Query.accountStats`, `{}`, anybody, ``},
	{`Query.storage`, `{}`, anybody, ``},
	{`Query.retentionPreview`, `{"input":{"days":90}}`, anybody, ``},
	{`Query.brand`, `{}`, anybody, ``},
	{`Query.node`, `{"id":"<group>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<url>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<website>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<rule>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<webhook>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<delivery>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<mail>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<import>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<batch>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<queue>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<screenshot>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<comparison>"}`, itsOwner, `not found`},
	{`Query.node`, `{"id":"<account>"}`, itsFamily, `not found`},
	{`Query.node`, `{"id":"<subaccount>"}`, itsFamily, `not found`},
	{`Query.nodes`, `{"ids":["{group}","<url>"]}`, itsOwner, `ok`},

	{`Query.subaccounts`, `{}`, fullAccounts, ``},
	{`Query.subaccount`, `{"id":"<subaccount>"}`, accountAbove, `not found`},
	{`Query.auditEntries`, `{}`, anybody, ``},
	{`Query.auditEntries`, `{"filter":{"subjectIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.users`, `{}`, anybody, ``},
	{`Query.user`, `{"id":"<user>"}`, itsOwner, `not found`},
	{`Query.invitations`, `{}`, anybody, ``},
	{`Query.sessions`, `{}`, anybody, ``},
	{`Query.passkeys`, `{}`, anybody, ``},
	{`Query.tokens`, `{}`, anybody, ``},
	{`Query.tokens`, `{"subaccountId":"<subaccount>"}`, accountAbove, `not found`},

	{`Query.groups`, `{}`, anybody, ``},
	{`Query.groups`, `{"filter":{"ids":["{spare}","<group>"]}}`, itsOwner, `ok`},
	{`Query.groups`, `{"filter":{"websiteIds":["<website>"]}}`, itsOwner, `ok`},
	{`Query.group`, `{"id":"<group>"}`, itsOwner, `not found`},
	{`Query.groupUrls`, `{"groupId":"<group>"}`, itsOwner, `not found`},
	{`Query.groupUrls`, `{"groupId":"{group}","filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Group.urls`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.groupUrls`, `{"groupId":"{group}","filter":{"exceptUrlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Group.urls`, `{"filter":{"exceptUrlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.tags`, `{}`, anybody, ``},

	{`Query.urls`, `{}`, anybody, ``},
	{`Query.urls`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.urls`, `{"filter":{"websiteIds":["<website>"]}}`, itsOwner, `ok`},
	{`Query.url`, `{"id":"<url>"}`, itsOwner, `not found`},
	{`Query.learnedNoise`, `{"urlId":"<url>","device":"DESKTOP"}`, itsOwner, `not found`},

	{`Query.websites`, `{}`, anybody, ``},
	{`Query.websites`, `{"filter":{"ids":["<website>"]}}`, itsOwner, `ok`},
	{`Query.website`, `{"id":"<website>"}`, itsOwner, `not found`},
	{`Query.aiFeedbackRules`, `{}`, anybody, ``},
	{`Query.aiFeedbackRules`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.aiFeedbackRules`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.aiFeedbackRules`, `{"filter":{"websiteIds":["<website>"]}}`, itsOwner, `ok`},
	{`Query.aiFeedbackRule`, `{"id":"<rule>"}`, itsOwner, `not found`},
	{`Query.aiFeedbackRuleProblems`, `{}`, anybody, ``},
	{`Query.simulate`, `{"groupId":"<group>"}`, itsOwner, `not found`},
	{`Query.simulate`, `{"groupId":"{group}","rules":{"add":[{"comparisonId":"<comparison>","regionId":1,"scope":"URL"}]}}`,
		itsOwner, `invalid`},
	{`Query.simulate`, `{"groupId":"{group}","rules":{"include":["<rule>"],"exclude":["<rule>"]}}`, ofNoEffect, `ok`},
	{`Query.webhooks`, `{}`, anybody, ``},
	{`Query.webhook`, `{"id":"<webhook>"}`, itsOwner, `not found`},
	{`Query.webhookDeliveries`, `{}`, anybody, ``},
	{`Query.webhookDeliveries`, `{"filter":{"webhookIds":["<webhook>"]}}`, itsOwner, `ok`},
	{`Query.webhookDelivery`, `{"id":"<delivery>"}`, itsOwner, `not found`},
	{`Query.mails`, `{}`, anybody, ``},
	{`Query.mails`, `{"filter":{"batchIds":["<batch>"]}}`, itsOwner, `ok`},
	{`Query.mail`, `{"id":"<mail>"}`, itsOwner, `not found`},
	{`Query.urlImports`, `{}`, anybody, ``},
	{`Query.urlImport`, `{"id":"<import>"}`, itsOwner, `not found`},
	{`Query.urlImport`, `{"id":"<collection>"}`, itsOwner, `not found`},

	{`Query.batches`, `{}`, anybody, ``},
	{`Query.batches`, `{"filter":{"ids":["<batch>"]}}`, itsOwner, `ok`},
	{`Query.batches`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.batches`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.batches`, `{"filter":{"websiteIds":["<website>"]}}`, itsOwner, `ok`},
	{`Query.batch`, `{"id":"<batch>"}`, itsOwner, `not found`},
	{`Query.flows`, `{}`, anybody, ``},
	{`Query.flows`, `{"filter":{"ids":["<flow>"]}}`, itsOwner, `ok`},
	{`Query.flows`, `{"filter":{"websiteId":"<flowsite>"}}`, itsOwner, `ok`},
	{`Query.flow`, `{"id":"<flow>"}`, itsOwner, `not found`},
	{`Query.flowRuns`, `{"flowId":"<flow>"}`, itsOwner, `not found`},
	{`Query.flowRun`, `{"id":"<flowrun>"}`, itsOwner, `not found`},
	{`Query.flowTrial`, `{"id":"<trial>"}`, itsOwner, `not found`},
	{`Query.suggestPages`, `{"website":"<website>"}`, itsOwner, `not found`},
	{`Query.batchGate`, `{"id":"<batch>"}`, itsOwner, `not found`},
	{`Batch.comparisons`, `{"filter":{"ids":["<comparison>"]}}`, itsOwner, `ok`},
	{`Batch.comparisons`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Batch.comparisons`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Batch.comparisons`, `{"filter":{"websiteIds":["<website>"]}}`, itsOwner, `ok`},
	{`Batch.comparisons`, `{"filter":{"token":"<link>"}}`, itsOwner, `ok`},
	{`Batch.comparisons`, `{"filter":{"batchIds":["<batch>"]}}`, ofNoEffect, `ok`},
	{`Batch.comparisons`, `{"filter":{"reviewerIds":["<token>"]}}`, ofNoEffect, `ok`},
	{`Batch.queueEntries`, `{"filter":{"batchIds":["<batch>"]}}`, ofNoEffect, `ok`},
	{`Batch.queueEntries`, `{"filter":{"ids":["<queue>"]}}`, itsOwner, `ok`},
	{`Batch.queueEntries`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Batch.queueEntries`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},

	{`Query.queueEntries`, `{}`, anybody, ``},
	{`Query.queueEntries`, `{"filter":{"ids":["<queue>"]}}`, itsOwner, `ok`},
	{`Query.queueEntries`, `{"filter":{"batchIds":["<batch>"]}}`, itsOwner, `ok`},
	{`Query.queueEntries`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.queueEntries`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.queueEntry`, `{"id":"<queue>"}`, itsOwner, `not found`},

	{`Query.screenshots`, `{}`, anybody, ``},
	{`Query.screenshots`, `{"filter":{"ids":["<screenshot>"]}}`, itsOwner, `ok`},
	{`Query.screenshots`, `{"filter":{"batchIds":["<batch>"]}}`, itsOwner, `ok`},
	{`Query.screenshots`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.screenshots`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.screenshot`, `{"id":"<screenshot>"}`, itsOwner, `not found`},

	{`Query.comparisons`, `{}`, anybody, ``},
	{`Query.comparisons`, `{"filter":{"ids":["<comparison>"]}}`, itsOwner, `ok`},
	{`Query.comparisons`, `{"filter":{"token":"<link>"}}`, itsOwner, `ok`},
	{`Query.comparisons`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.comparisons`, `{"filter":{"batchIds":["{batch}","<batch>"]}}`, itsOwner, `ok`},
	{`Query.comparisons`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.comparisons`, `{"filter":{"websiteIds":["<website>"]}}`, itsOwner, `ok`},
	{`Query.comparisons`, `{"filter":{"reviewerIds":["<token>"]}}`, ofNoEffect, `ok`},
	{`Query.comparisonFacets`, `{}`, anybody, ``},
	{`Query.comparisonFacets`, `{"filter":{"ids":["<comparison>"]}}`, itsOwner, `ok`},
	{`Query.comparisonFacets`, `{"filter":{"token":"<link>"}}`, itsOwner, `ok`},
	{`Query.comparisonFacets`, `{"filter":{"groupIds":["<group>"]}}`, itsOwner, `ok`},
	{`Query.comparisonFacets`, `{"filter":{"batchIds":["<batch>"]}}`, itsOwner, `ok`},
	{`Query.comparisonFacets`, `{"filter":{"urlIds":["<url>"]}}`, itsOwner, `ok`},
	{`Query.comparisonFacets`, `{"filter":{"websiteIds":["<website>"]}}`, itsOwner, `ok`},
	{`Query.comparisonFacets`, `{"filter":{"reviewerIds":["<token>"]}}`, ofNoEffect, `ok`},
	{`Query.comparison`, `{"id":"<comparison>"}`, itsOwner, `not found`},
	{`Query.comparison`, `{"token":"<link>"}`, itsOwner, `not found`},

	{`Query.events`, `{}`, anybody, ``},
	{`Query.events`, `{"batchId":"<batch>"}`, itsOwner, `ok`},
	{`Subscription.events`, `{"after":"0","batchId":"<batch>"}`, itsOwner, `not found`},
	{`Subscription.batchProgress`, `{"id":"<batch>"}`, itsOwner, `not found`},
	{`Subscription.accountLive`, `{"after":"0"}`, anybody, ``},
	{`Subscription.accountLive`, `{"groupIds":["<group>"],"websiteIds":["<website>"]}`, itsOwner, `invalid`},

	{`Mutation.updateAccount`, `{"input":{"nameFirst":"A"}}`, anybody, ``},
	{`Mutation.updateRetention`, `{"input":{"days":90}}`, anybody, ``},
	{`Mutation.updateBrand`, `{"input":{"color":"#1a5fb4"}}`, anybody, ``},
	{`Mutation.reactivateAccount`, `{}`, fullAccounts, ``},
	{`Mutation.createSubaccount`, `{"input":{"nameFirst":"A","nameLast":"B","email":"{unique}@example.com","limitChecks":1}}`,
		fullAccounts, ``},
	{`Mutation.updateSubaccount`, `{"id":"<subaccount>","input":{"nameFirst":"A"}}`, accountAbove, `not found`},
	{`Mutation.createToken`, `{"input":{"name":"a"}}`, anybody, ``},
	{`Mutation.createToken`, `{"input":{"name":"a","subaccountId":"<subaccount>"}}`, accountAbove, `not found`},
	{`Mutation.updateToken`, `{"id":"<token>","input":{"name":"b"}}`, itsOwner, `not found`},
	{`Mutation.updateToken`, `{"id":"<subtoken>","input":{"name":"b","subaccountId":"{subaccount}"}}`, hasBoth, `not found`},
	{`Mutation.updateToken`, `{"id":"{subtoken}","input":{"name":"c","subaccountId":"<subaccount>"}}`, hasBoth, `not found`},

	{`Mutation.createGroup`, `{"input":{"name":"a"}}`, anybody, ``},
	{`Mutation.updateGroup`, `{"id":"<group>","input":{"name":"b"}}`, itsOwner, `not found`},
	{`Mutation.updateGroup`, `{"id":"{flowgroup}","input":{"signInFlowId":"<flow>"}}`, itsOwner, `invalid`},
	{`Mutation.updateGroup`, `{"id":"{flowgroup}","input":{"signInFlowId":null}}`, anybody, ``}, // or the flow could not be deleted
	{`Mutation.addUrlsToGroup`, `{"groupId":"<spare>","urls":[{"id":"{url}"}]}`, itsOwner, `not found`},
	{`Mutation.addUrlsToGroup`, `{"groupId":"{spare}","urls":[{"id":"{url}"},{"id":"<url>"}]}`, itsOwner, `invalid`},
	{`Mutation.addAddressesToGroup`, `{"groupId":"<spare>","addresses":["a.example.test"]}`, itsOwner, `not found`},
	{`Mutation.addAddressesToGroup`, `{"groupId":"<spare>","addresses":["a.example.test"],"dryRun":true}`, itsOwner, `not found`},
	{`Mutation.changeUrlsInGroup`, `{"groupId":"<group>","urls":[{"id":"{url}"}]}`, itsOwner, `not found`},
	{`Mutation.changeUrlsInGroup`, `{"groupId":"{group}","urls":[{"id":"{url}"},{"id":"<url>"}]}`, itsOwner, `invalid`},
	{`Mutation.updateUrlInGroup`, `{"groupId":"<group>","urlId":"{url}","input":{"desktop":true}}`, itsOwner, `not found`},
	{`Mutation.updateUrlInGroup`, `{"groupId":"{group}","urlId":"<url>","input":{"desktop":true}}`, itsOwner, `not found`},
	{`Mutation.selectAllUrls`, `{"groupId":"<group>","device":"DESKTOP","enabled":true}`, itsOwner, `not found`},
	{`Mutation.editUrlsOfGroup`, `{"groupId":"<group>","edit":{"desktop":true}}`, itsOwner, `not found`},
	{`Mutation.editUrlsOfGroup`, `{"groupId":"{group}","filter":{"urlIds":["<url>"]},"edit":{"addTags":["a"]}}`, itsOwner, `ok`},
	{`Mutation.editUrlsOfGroup`, `{"groupId":"{group}","filter":{"exceptUrlIds":["<url>"]},"edit":{"removeTags":["a"]}}`, itsOwner, `ok`},
	{`Mutation.tagUrls`, `{"ids":["{url}","<url>"],"add":["b"]}`, itsOwner, `invalid`},
	{`Mutation.renameTag`, `{"name":"<tag>","newName":"{tag}"}`, itsOwner, `not found`},
	{`Mutation.createUrl`, `{"input":{"url":"example.test"}}`, anybody, ``},
	{`Mutation.updateUrl`, `{"id":"<url>","input":{"htmlTitle":"a"}}`, itsOwner, `not found`},
	{`Mutation.correctLearnedNoise`, `{"input":{"urlId":"<url>","device":"DESKTOP","selector":"h1","correction":"CONTENT"}}`,
		itsOwner, `not found`},

	{`Mutation.createWebsite`, `{"input":{"domain":"{unique}.test","manualDetectionGroupId":"<spare>","autoDetectionGroupId":"{spare2}"}}`,
		itsOwner, `invalid`},
	{`Mutation.createWebsite`, `{"input":{"domain":"{unique}.test","manualDetectionGroupId":"{spare3}","autoDetectionGroupId":"<spare4>"}}`,
		itsOwner, `invalid`},
	{`Mutation.updateWebsite`, `{"id":"<website>","input":{"allowances":{"a":true}}}`, itsOwner, `not found`},
	{`Mutation.updateWebsite`, `{"id":"{website}","input":{"manualDetectionGroupId":"<group>"}}`, itsOwner, `invalid`},
	{`Mutation.updateWebsite`, `{"id":"{website}","input":{"autoDetectionGroupId":"<monitoring>"}}`, itsOwner, `invalid`},
	{`Mutation.createFlow`, `{"input":{"websiteId":"<flowsite>","name":"{unique}","url":"flow.example.test",` +
		`"steps":[{"type":"CHECKPOINT","label":"End"}]}}`, itsOwner, `invalid`},
	{`Mutation.createFlow`, `{"input":{"websiteId":"{flowsite}","name":"a","url":"flow.example.test",` +
		`"steps":[{"id":"<step>","type":"WAIT_FOR_LOAD"}]}}`, ofNoEffect, `invalid`},
	{`Mutation.tryFlow`, `{"input":{"flowId":"<flow>"}}`, itsOwnerAwake, `not found`},
	{`Mutation.tryFlow`, `{"input":{"websiteId":"<flowsite>","url":"flow.example.test","steps":[{"type":"WAIT_FOR_LOAD"}]}}`,
		itsOwnerAwake, `invalid`},
	{`Mutation.tryFlow`, `{"input":{"flowId":"{flow}","lastStep":2,"steps":[{"id":"<step>","type":"WAIT_FOR_LOAD"}]}}`,
		ofNoEffect, `invalid`},
	{`Mutation.cancelFlowTrial`, `{"id":"<trial>"}`, itsOwner, `not found`},
	{`Mutation.updateFlow`, `{"id":"<flow>","input":{"enabledManual":true}}`, itsOwner, `not found`},
	{`Mutation.updateFlow`, `{"id":"{flow}","input":{"steps":[{"id":"<step>","type":"CHECKPOINT","label":"Signed in"}]}}`,
		ofNoEffect, `ok`},
	{`Mutation.addUrlsFromSitemap`, `{"domain":"example.test"}`, anybody, ``},
	{`Mutation.startSync`, `{"input":{"collectionUuid":"<collection>"}}`, itsOwner, `invalid`},
	// Another's collection does not stand in the way of one with the same id.
	{`Mutation.syncUrls`, `{"input":{"domain":"{domain}","collectionUuid":"<collection2>","urls":{"a%%b":[{"url":"{domain}/a"}]}}}`,
		itsOwner, `ok`},
	{`Mutation.createAiFeedbackRule`, `{"input":{"comparisonId":"<comparison>","regionId":1,"scope":"GROUP_OR_WEBSITE"}}`,
		itsOwner, `invalid`},
	{`Mutation.updateAiFeedbackRule`, `{"id":"<rule>","input":{"isActive":false,"scope":"URL"}}`, itsOwner, `not found`},
	{`Mutation.createWebhook`, `{"input":{"url":"https://hooks.example.test","event":"BATCH_FINISHED"}}`, anybody, ``},
	{`Mutation.createWebhook`, `{"input":{"url":"https://hooks.example.test","event":"BATCH_FINISHED","groupIds":["<group>"],` +
		`"websiteIds":["<website>"]}}`, itsOwner, `invalid`},
	{`Mutation.updateWebhook`, `{"id":"{webhook}","input":{"groupIds":["<group>"],"websiteIds":["<website>"]}}`, itsOwner, `invalid`},
	{`Mutation.updateWebhook`, `{"id":"<webhook>","input":{"event":"QUEUE_STATUS_DONE"}}`, itsOwner, `not found`},

	{`Mutation.pingWebhook`, `{"id":"<webhook>"}`, itsOwner, `not found`},
	{`Mutation.redeliver`, `{"id":"<delivery>"}`, itsOwner, `not found`},
	{`Mutation.redeliverMany`, `{"webhookId":"<webhook>"}`, itsOwner, `not found`},
	{`Mutation.redeliverMany`, `{"webhookId":"{webhook}","filter":{"webhookIds":["<webhook>"]}}`, ofNoEffect, `ok`},
	{`Mutation.rotateWebhookSecret`, `{}`, anybody, ``},

	{`Mutation.triggerMonitoring`, `{"input":{"groupId":"<monitoring>","type":"POST_SAVE","urls":[{"url":"example.test"}]}}`,
		itsOwnerAwake, `invalid`},
	{`Mutation.triggerMonitoring`, `{"input":{"groupId":"<monitoring>","type":"MANUAL_TRIGGER","scope":"ALL"}}`, itsOwnerAwake, `invalid`},
	{`Mutation.extendMonitoringTrigger`, `{"input":{"groupId":"<monitoring>","urls":[{"url":"example.test"}]}}`, itsOwner, `invalid`},
	{`Mutation.takeScreenshots`, `{"input":{"scType":"PRE","groupIds":["<group>"]}}`, itsOwnerAwake, `invalid`},
	{`Mutation.takeScreenshots`, `{"input":{"scType":"PRE","groupIds":["{group}","<group>"]}}`, itsOwnerAwake, `invalid`},
	{`Mutation.triggerMonitoring`, `{"input":{"groupId":"<monitoring>","type":"POST_SAVE","urls":[{"url":"{domain}/page"}]}}`,
		itsOwnerAwake, `invalid`},
	{`Mutation.extendMonitoringTrigger`, `{"input":{"groupId":"<monitoring>","urls":[{"url":"{domain}/page"}]}}`, itsOwner, `invalid`},
	{`Mutation.beginUpload`, `{"input":{"scType":"PRE","groupId":"<group>"}}`, itsOwnerAwake, `invalid`},
	{`Mutation.finishUpload`, `{"batchId":"<upload>"}`, itsOwner, `not found`},
	{`Mutation.renameBatch`, `{"id":"<batch>","name":"a"}`, itsOwner, `not found`},
	{`Mutation.cancelBatch`, `{"id":"<batch>"}`, itsOwner, `not found`},
	{`Mutation.retryFailed`, `{"id":"<batch>"}`, itsOwnerAwake, `not found`},
	{`Mutation.storeUpdateResults`, `{"id":"<batch>","input":{"timestamp":1,"updates":{},` +
		`"summary":{"totalAttempted":0,"successful":0,"failed":0,"status":"COMPLETED"}}}`, itsOwner, `not found`},
	{`Mutation.setComparisonStatus`, `{"id":"<comparison>","status":"OK"}`, itsOwner, `not found`},
	{`Mutation.setComparisonStatuses`, `{"ids":["{comparison}","<comparison>"],"status":"OK"}`, itsOwner, `invalid`},
	{`Mutation.setStatusOfComparisons`, `{"filter":{"ids":["<comparison>"]},"status":"OK"}`, itsOwner, `ok`},
	{`Mutation.setStatusOfComparisons`, `{"filter":{"token":"<link>"},"status":"OK"}`, itsOwner, `ok`},
	{`Mutation.setStatusOfComparisons`, `{"filter":{"groupIds":["<group>"]},"status":"OK"}`, itsOwner, `ok`},
	{`Mutation.setStatusOfComparisons`, `{"filter":{"batchIds":["<batch>"]},"status":"OK"}`, itsOwner, `ok`},
	{`Mutation.setStatusOfComparisons`, `{"filter":{"urlIds":["<url>"]},"status":"OK"}`, itsOwner, `ok`},
	{`Mutation.setStatusOfComparisons`, `{"filter":{"websiteIds":["<website>"]},"status":"OK"}`, itsOwner, `ok`},
	{`Mutation.setStatusOfComparisons`, `{"filter":{"reviewerIds":["<token>"]},"status":"OK"}`, ofNoEffect, `ok`},
	{`Mutation.setStatusOfChange`, `{"batchId":"<batch>","fingerprint":"f00d","status":"OK"}`, itsOwner, `not found`},
	{`Mutation.shareBatch`, `{"id":"<batch>"}`, itsOwner, `not found`},
	{`Mutation.shareBatch`, `{"id":"<batch>","permission":"REVIEW"}`, itsOwner, `not found`},
	{`Mutation.unshareBatch`, `{"id":"<batch>"}`, itsOwner, `not found`},
	{`Mutation.takeScreenshots`, `{"input":{"scType":"PRE","groupIds":["{group}"],"urlIds":["<url>"]}}`, itsOwnerAwake, `invalid`},
	{`Mutation.takeScreenshots`, `{"input":{"scType":"PRE","groupIds":["{flowgroup}"],"flowIds":["<flow>"]}}`, itsOwnerAwake, `invalid`},
	{`Mutation.addComment`, `{"comparisonId":"<comparison>","text":"a"}`, itsOwner, `not found`},
	{`Mutation.editComment`, `{"id":"<comment>","text":"b"}`, itsOwner, `not found`},
	{`Mutation.undoReview`, `{"id":"<review>"}`, itsOwner, `not found`},
	{`Mutation.reopenComparisons`, `{"ids":["{comparison}","<comparison>"]}`, itsOwner, `invalid`},

	{`Mutation.inviteUser`, `{"input":{"email":"{unique}@people.example.com","role":"VIEWER"}}`, anybody, ``},
	{`Mutation.resendInvitation`, `{"id":"<invitation>"}`, itsOwner, `not found`},
	{`Mutation.changeRole`, `{"userId":"<user>","role":"EDITOR"}`, itsOwner, `not found`},
	{`Mutation.signOutUser`, `{"userId":"<user>"}`, itsOwner, `not found`},
	{`Mutation.signOut`, `{"sessionId":"<session>"}`, ofNoEffect, `conflict`}, // for an API token, which has none
	{`Mutation.deletePasskey`, `{"id":"<passkey>"}`, ofNoEffect, `not found`},

	// What takes things away comes last.
	{`Mutation.revokeInvitation`, `{"id":"<invitation>"}`, itsOwner, `not found`},
	{`Mutation.removeUser`, `{"id":"<user>"}`, itsOwner, `not found`},
	{`Mutation.deleteComment`, `{"id":"<comment>"}`, itsOwner, `not found`},
	{`Mutation.deleteBatch`, `{"id":"<oldbatch>"}`, itsOwner, `not found`},
	{`Mutation.renewPublicLink`, `{"id":"<comparison>"}`, itsOwner, `not found`},
	{`Mutation.revokeToken`, `{"id":"<token>"}`, itsOwner, `not found`},
	{`Mutation.revokeToken`, `{"id":"<subtoken>","subaccountId":"{subaccount}"}`, hasBoth, `not found`},
	{`Mutation.revokeToken`, `{"id":"{subtoken}","subaccountId":"<subaccount>"}`, hasBoth, `not found`},
	{`Mutation.deleteTag`, `{"name":"<tag>"}`, itsOwner, `not found`},
	{`Mutation.removeUrlsFromGroup`, `{"groupId":"{group}","urls":["<url>"]}`, itsOwner, `ok`},
	{`Mutation.removeUrlsFromGroup`, `{"groupId":"<group>","urls":["{url}"]}`, itsOwner, `not found`},
	{`Mutation.deleteAiFeedbackRule`, `{"id":"<rule>"}`, itsOwner, `not found`},
	{`Mutation.deleteWebhook`, `{"id":"<webhook>"}`, itsOwner, `not found`},
	{`Mutation.deleteFlow`, `{"id":"<flow>"}`, itsOwner, `not found`},
	{`Mutation.deleteWebsite`, `{"id":"<website>"}`, itsOwner, `not found`},
	{`Mutation.deleteUrl`, `{"id":"<url>"}`, itsOwner, `not found`},
	{`Mutation.deleteGroup`, `{"id":"<group>"}`, itsOwner, `not found`},
	{`Mutation.deleteSubaccount`, `{"id":"<subaccount>"}`, emptiesFirst, `not found`},
}

// within says how to come to a type whose fields take ids.
var within = map[string]string{"Batch": `batch(id: "{batch}")`, "Group": `group(id: "{group}")`}

// documentWriter writes GraphQL documents that ask for much.
type documentWriter struct{ *ast.Schema }

// selectedLevels is how many objects inside each other the probes ask for.
const selectedLevels = 2

// selection asks for everything of a type that needs no arguments, a few levels deep. Of a type within itself, such as the
// neighbours of a comparison, it asks for nothing but values.
func (d documentWriter) selection(typ *ast.Type, levels int, above ...string) string {
	definition := d.Types[typ.Name()]
	switch definition.Kind {
	case ast.Scalar, ast.Enum:
		return ""
	case ast.Interface:
		return "{ __typename id }"
	}
	if slices.Contains(above, typ.Name()) {
		levels = 0
	}
	above = append(slices.Clone(above), typ.Name())
	chosen := []string{"__typename"}
	for _, field := range definition.Fields {
		leaf := d.Types[field.Type.Name()].IsLeafType()
		if strings.HasPrefix(field.Name, "__") || field.Name == "edges" || !leaf && (levels == 0 || len(field.Arguments) > 0) {
			continue
		}
		chosen = append(chosen, field.Name+" "+d.selection(field.Type, levels-1, above...))
	}
	return "{ " + strings.Join(chosen, " ") + " }"
}

// document asks for one field, with its given arguments as variables.
func (d documentWriter) document(t *testing.T, coordinate string, arguments map[string]json.RawMessage) string {
	t.Helper()
	parent, name, _ := strings.Cut(coordinate, ".")
	definition := d.Types[parent]
	if definition == nil || definition.Fields.ForName(name) == nil {
		t.Fatalf("the schema has no %s", coordinate)
	}
	field := definition.Fields.ForName(name)
	var variables, passed []string
	for _, argument := range field.Arguments {
		if _, given := arguments[argument.Name]; given {
			variables = append(variables, fmt.Sprintf("$%s: %s", argument.Name, argument.Type))
			passed = append(passed, fmt.Sprintf("%s: $%s", argument.Name, argument.Name))
		}
	}
	kind, text := "query", name
	if len(passed) > 0 {
		text += "(" + strings.Join(passed, ", ") + ")"
		variables = []string{"(" + strings.Join(variables, ", ") + ")"}
	}
	levels := selectedLevels
	if coordinate == "Query.simulate" { // it answers with 200 comparisons
		levels = 1
	}
	text += " " + d.selection(field.Type, levels)
	switch {
	case definition == d.Mutation:
		kind, text = "mutation", "__typename "+text // as clients with a cache do
	case definition == d.Schema.Subscription:
		kind = "subscription"
	case definition != d.Query:
		text = within[parent] + " { " + text + " }"
	}
	return kind + strings.Join(variables, "") + " { " + text + " }"
}

func graphqlProbes(t *testing.T, schema *ast.Schema) []probe {
	t.Helper()
	var probes []probe
	for _, row := range graphqlRows {
		var arguments map[string]json.RawMessage
		if err := json.Unmarshal([]byte(row.arguments), &arguments); err != nil {
			t.Fatalf("%s %s: %v", row.field, row.arguments, err)
		}
		var body bytes.Buffer
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false) // the places of ids are in angle brackets
		if err := encoder.Encode(map[string]string{"query": documentWriter{schema}.document(t, row.field, arguments)}); err != nil {
			t.Fatal(err)
		}
		p := probe{
			name: row.field, detail: row.arguments, who: row.who, absent: row.absent, outcome: graphqlOutcome, method: "POST",
			target: "/graphql",
			body:   strings.TrimSuffix(strings.TrimSpace(body.String()), "}") + `,"variables":` + row.arguments + `}`,
			accept: "application/json",
		}
		if strings.HasPrefix(row.field, "Subscription.") {
			p.accept = "text/event-stream"
		}
		probes = append(probes, p)
	}
	return probes
}

func TestAuthorizationOfGraphQL(t *testing.T) {
	c := newCast(t)
	c.try(t, graphqlProbes(t, c.schema))
}

// TestEveryGraphQLFieldHasAnAuthorizationRow goes through the schema: each query, mutation and subscription, and each
// argument and input field of any field that takes an id or a token, must be asked about by a row.
func TestEveryGraphQLFieldHasAnAuthorizationRow(t *testing.T) {
	schema := loadSchema(t)
	asked := map[string]bool{}
	for _, row := range graphqlRows {
		asked[row.field] = true
		p := probe{body: row.arguments}.fill(func(string) string { return idB }, func(string) string { return idA })
		var arguments map[string]any
		if err := json.Unmarshal([]byte(p.body), &arguments); err != nil {
			t.Fatal(err)
		}
		for _, place := range placesOf(arguments, "", idA) {
			asked[row.field+" "+place] = true
		}
	}
	roots := []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription}
	for _, definition := range schema.Types {
		for _, field := range definition.Fields {
			coordinate := definition.Name + "." + field.Name
			if definition.BuiltIn || strings.HasPrefix(field.Name, "__") {
				continue
			}
			if slices.Contains(roots, definition) && !asked[coordinate] {
				t.Errorf("%s has no row in the authorization matrix", coordinate)
			}
			for _, argument := range field.Arguments {
				for _, place := range idPlaces(schema, argument.Name, argument.Type, nil) {
					if !asked[coordinate+" "+place] {
						t.Errorf("%s: no row of the authorization matrix has an id in question at %s", coordinate, place)
					}
				}
			}
		}
	}
}
