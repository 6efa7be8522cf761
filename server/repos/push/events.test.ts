import { describe, expect, it } from 'vitest'
import { isInFeed, type StoredEvent } from '@/server/events'
import { isEventOf, pushEvents } from './events'
import type { RefUpdate } from './ref-update'

const [zeros, a, b] = ['0', 'a', 'b'].map(digit => digit.repeat(40)) as [string, string, string]
const main = 'refs/heads/main'
const tag = 'refs/tags/v1'

const pushed = (ref: string, before: string, after: string): StoredEvent => ({
  kind: 'git.pushed',
  facts: { ref, before, after },
})
const created = (ref: string, sha: string): StoredEvent => ({ kind: 'ref.created', facts: { ref, sha } })
const deleted = (ref: string, sha: string): StoredEvent => ({ kind: 'ref.deleted', facts: { ref, sha } })
const update = (ref: string, before: string, after: string): RefUpdate => ({ ref, before, after })

describe('isEventOf returns true for a ref update and', () => {
  it.each<[string, StoredEvent, RefUpdate]>([
    ['a push of that branch between the same commits', pushed(main, a, b), update(main, a, b)],
    ['the creation of that branch at the same commit', created(main, a), update(main, zeros, a)],
    [
      'the creation of that tag at the same object, even if the update moved it',
      created(tag, b),
      update(tag, a, b),
    ],
    ['the deletion of that ref at the same commit', deleted(main, a), update(main, a, zeros)],
  ])('%s', (_, event, done) => {
    expect(isEventOf(event, done)).toBe(true)
  })

  it('the events that pushEvents builds from it', async () => {
    const updates = [update(tag, zeros, a), update('refs/tags/v2', a, b), update(main, a, zeros)]
    const events = await pushEvents({ repositoryId: 2 }, '/nowhere', updates)
    const recorded = updates.map(done => events.filter(event => isEventOf(event, done)).length)
    expect(recorded).toEqual([2, 2, 1])
  })
})

describe('isEventOf returns false for a ref update and', () => {
  it.each<[string, StoredEvent, RefUpdate]>([
    ['a push of another branch', pushed('refs/heads/next', a, b), update(main, a, b)],
    ['a push to the same commit from another one', pushed(main, zeros, b), update(main, a, b)],
    ['a push from the same commit to another one', pushed(main, a, zeros), update(main, a, b)],
    ['the creation of that branch at another commit', created(main, b), update(main, zeros, a)],
    ['the creation of a tag with the name of the branch', created(tag, a), update(main, zeros, a)],
    ['the deletion of that branch at another commit', deleted(main, b), update(main, a, zeros)],
    [
      'the deletion of that branch at the commit from which the update moved it',
      deleted(main, a),
      update(main, a, b),
    ],
    [
      'the event with the number of refs of a large push',
      { kind: 'refs.changed', facts: { refs: 1001 } },
      update(main, a, b),
    ],
    ['an event without facts', { kind: 'git.pushed', facts: {} }, update(main, a, b)],
  ])('%s', (_, event, done) => {
    expect(isEventOf(event, done)).toBe(false)
  })
})

describe('pushEvents', () => {
  const target = { ownerId: 1, repositoryId: 2 }
  const of = async (updates: RefUpdate[]) => {
    const events = await pushEvents(target, '/nowhere', updates)
    return events.map(({ kind, facts }) => [kind, 'ref' in facts ? facts.ref : facts.refs])
  }

  it('returns two events for a tag that is created, moved or deleted: one for the tag and one for the push', async () => {
    expect(await of([update(tag, zeros, a)])).toEqual([
      ['ref.created', tag],
      ['git.pushed', tag],
    ])
    expect(await of([update(tag, a, b)])).toEqual([
      ['ref.created', tag],
      ['git.pushed', tag],
    ])
    expect(await of([update(tag, a, zeros)])).toEqual([
      ['ref.deleted', tag],
      ['git.pushed', tag],
    ])
  })

  it('returns only the deletion for a deleted branch', async () => {
    expect(await of([update(main, a, zeros)])).toEqual([['ref.deleted', main]])
  })

  it('returns one event for each of the first 1,000 refs and one with their number, and shows only the first 50 in feeds', async () => {
    const updates = Array.from({ length: 1001 }, (_, index) => update(`refs/heads/b${index}`, a, zeros))
    const events = await pushEvents(target, '/nowhere', updates)
    expect(events.map(({ kind }) => kind)).toEqual([...Array(1000).fill('ref.deleted'), 'refs.changed'])
    expect(events.at(-1)?.facts).toEqual({ repositoryId: 2, refs: 1001 })
    expect(events.filter(isInFeed).length).toBe(50)
  })
})
