/**
 * Events: the catalog of all kinds of events, the only writer of events, and the outboxes of their consumers.
 */
export {
  type EventKind,
  eventKinds,
  type Facts,
  type FactsOf,
  type FeedKind,
  guardedKinds,
  isFeedEvent,
  isInFeed,
  jobOfEvent,
  type NewEvent,
  type Notice,
  type PushedCommit,
  readEvent,
  type StoredEvent,
} from './catalogue'
export { announce, type EventHub, type EventSignal, hubOf, type Signal } from './hub'
export { createKept, type Kept, type Made } from './kept'
export {
  type ClaimedEvent,
  claimedColumns,
  claimedEventOf,
  dropLeased,
  isWaiting,
  type LeasedEvent,
  leaseEvents,
  notificationConsumer,
  returnLeased,
  takeLeased,
  webhookConsumer,
  workflowConsumer,
} from './outbox'
export { linkProcesses, type ProcessLink } from './process-link'
export type { Shows } from './reach'
export { originOf, recordEvent, recordEvents, recordedInsertion } from './record'
export { describeEvent } from './wording'
export { defineEventWorker, putOff } from './worker'
