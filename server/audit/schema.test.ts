import { expect, it } from 'vitest'
import { eventKinds } from '@/server/events'
import { eventGroups } from './schema'

it('the audit log groups every kind of event exactly once', () => {
  const things = Object.values(eventGroups).flat() as string[]
  expect(new Set(things).size).toBe(things.length)
  for (const kind of eventKinds) expect(things, kind).toContain(kind.split('.', 1)[0])
})
