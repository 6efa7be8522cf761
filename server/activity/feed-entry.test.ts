import { expect, it } from 'vitest'
import { readEvent } from '@/server/events'
import { feedEntryOf } from './feed-entry'

const describeRow = (kind: string, data: object) => {
  const event = readEvent({ kind, data })
  return event && feedEntryOf(event, 'ada/engine', new Map())
}

it.each(['org.teleported', 'constructor', 'key.added'])(
  'an event %s, which is none of feeds, has no entry',
  kind => {
    expect(describeRow(kind, {})).toBeUndefined()
  },
)

it.each([
  'repository.created',
  'git.pushed',
  'ref.created',
  'ref.deleted',
  'release.published',
  'release.updated',
])('an event %s that an earlier version recorded with fewer facts still has one', kind => {
  expect(describeRow(kind, {})).toMatchObject({ op_type: expect.any(String), content: expect.any(String) })
})
