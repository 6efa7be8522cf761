import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { makeOrg, makeUser } from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { hubOf } from '@/server/events'
import { createLog } from '@/server/kernel/log'
import { type BoardOptions, createBoard } from './board'
import type { Topic } from './schema'
import { keptStream, signIn } from './testing/streams'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const start = new Date('2026-01-01T00:00:00Z')
const hour = 3_600_000

/** Creates a board with a person who is signed in for an hour and an organization to follow. */
async function makeBoard(options: BoardOptions = {}) {
  const clock = { ms: start.getTime() }
  const services = { db: open.db, clock: { now: () => new Date(clock.ms) }, log: createLog('silent') }
  const board = createBoard(services, { gatherMs: 0, checkMs: hour, ...options })
  onTestFinished(() => board.close())
  const { id } = await makeUser(open.db)
  const org = await makeOrg(open.db, id)
  const topic: Topic = { topic: 'organization', id: org.id }
  const session = await signIn(open.db, id, new Date(clock.ms + hour))
  const edit = (ownerId: number, times = 1) =>
    hubOf(open.db).publish(
      Array.from({ length: times }, () => ({ id: 1, kind: 'org.edited', ownerId, repositoryId: null })),
    )
  const follow = (after?: string, endsAt?: number) => {
    const kept = keptStream(session, [topic], { ...(endsAt && { endsAt }), ended: board.remove })
    board.add(kept.stream, after)
    return { ...kept, types: () => kept.sent.map(({ message }) => message.type) }
  }
  return {
    clock,
    board,
    topic,
    orgId: org.id,
    follow,
    edit: (times?: number) => edit(org.id, times),
    editOther: (times?: number) => edit(org.id + 1_000_000, times),
  }
}

const soon = { timeout: 10_000 }

describe('a resumed live update stream', () => {
  it('receives the messages it missed instead of a resync, regardless of the number of signals about other topics', async () => {
    const { board, follow, edit, editOther } = await makeBoard()
    const cursor = board.cursor()
    editOther(300)
    edit()
    editOther(300)
    const { types } = follow(cursor)
    await vi.waitFor(() => expect(types()).toEqual(['following', 'changed']), soon)
  })

  it('receives a resync if it missed too many signals', async () => {
    const { board, follow, edit } = await makeBoard()
    const cursor = board.cursor()
    edit(300)
    const { sent } = follow(cursor)
    await vi.waitFor(() => expect(sent).toHaveLength(2), soon)
    const [, { message, cursor: at } = {}] = sent
    expect(message?.type).toBe('resync')
    expect(follow(at).types()).toEqual(['following'])
  })
})

describe('a live update stream', () => {
  it('receives signals from a time when access could not be checked once access can be checked again', async () => {
    const { follow, edit } = await makeBoard()
    const { sent, types } = follow()
    await vi.waitFor(() => expect(types()).toEqual(['following']), soon)
    await open.db.schema.alterTable('sessions').renameTo('sessions_away').execute()
    edit()
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(sent).toHaveLength(1)
    await open.db.schema.alterTable('sessions_away').renameTo('sessions').execute()
    edit()
    await vi.waitFor(() => expect(types()).toEqual(['following', 'changed', 'changed']), soon)
  })

  it('ends when its session expires, even without an event', async () => {
    const { clock, follow } = await makeBoard({ checkMs: 10 })
    const { types, isOver } = follow()
    await vi.waitFor(() => expect(types().length).toBeGreaterThan(3), soon)
    expect(isOver()).toBe(false)
    clock.ms += hour
    await vi.waitFor(() => expect(isOver()).toBe(true), soon)
    expect(types().at(-1)).toBe('signedOut')
  })

  it('receives an ended message for a topic when its viewer loses access, even without an event', async () => {
    const { board, topic, orgId, clock } = await makeBoard({ checkMs: 10 })
    const { id } = await makeUser(open.db)
    const session = await signIn(open.db, id, new Date(clock.ms + hour))
    const { stream, sent } = keptStream(session, [topic, { topic: 'account' }], { ended: board.remove })
    board.add(stream, undefined)
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(3), soon)
    expect(sent.filter(({ message }) => message.type !== 'following')).toEqual([])
    await open.db.updateTable('users').set({ visibility: 'private' }).where('id', '=', orgId).execute()
    await vi.waitFor(
      () => expect(sent.map(({ message }) => message)).toContainEqual({ type: 'ended', topic }),
      soon,
    )
  })

  it('ends after its lifetime without sending a message', async () => {
    const { follow } = await makeBoard({ checkMs: 10 })
    const { types, isOver } = follow(undefined, performance.now() - 1)
    await vi.waitFor(() => expect(isOver()).toBe(true), soon)
    expect(new Set(types())).toEqual(new Set(['following']))
  })

  it('receives a newer position after each check, even without other messages', async () => {
    const { board, follow, editOther } = await makeBoard({ checkMs: 10 })
    const { sent } = follow()
    editOther()
    const cursor = board.cursor()
    await vi.waitFor(() => expect(sent).toContainEqual({ message: { type: 'following' }, cursor }), soon)
  })
})
