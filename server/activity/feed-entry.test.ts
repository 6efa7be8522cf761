import { expect, it } from 'vitest'
import { readEvent } from '@/server/events'
import { feedEntryOf } from './feed-entry'

const describeRow = (kind: string, data: object) => {
  const event = readEvent({ kind, data })
  return event && feedEntryOf(event, 'ada/engine', new Map())
}

it.each(['org.teleported', 'constructor', 'key.added'])(
  'feedEntryOf returns undefined for %s, which feeds leave out',
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
])('feedEntryOf returns an entry for %s even if an earlier version recorded fewer facts', kind => {
  expect(describeRow(kind, {})).toMatchObject({ op_type: expect.any(String), content: expect.any(String) })
})
