/** What happened: the catalogue of all kinds of events, their one writer, and the outboxes of those who handle them. */
export {
  codeKinds,
  type EventKind,
  type FactsOf,
  type FeedKind,
  isFeedEvent,
  isInFeed,
  type NewEvent,
  type PushedCommit,
  readEvent,
  type StoredEvent,
} from './catalogue'
export { insertAndRecord, originOf, recordEvent, recordEvents } from './record'
