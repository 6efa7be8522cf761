import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import {
  addToOrg,
  addToTeam,
  attach,
  makeOrg,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { type EventSignal, hubOf } from '@/server/events'
import { systemClock } from '@/server/kernel/clock'
import { createLog } from '@/server/kernel/log'
import { createBoard } from './board'
import type { Topic } from './schema'
import { keptStream, signIn } from './testing/streams'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const hour = 3_600_000
const soon = { timeout: 10_000 }

/**
 * Creates an organization with a private repository that a team can read, and a board without periodic
 * checks.
 */
async function makeWorld() {
  const { db } = open
  const board = createBoard(
    { db, clock: systemClock, log: createLog('silent') },
    { gatherMs: 0, checkMs: hour },
  )
  onTestFinished(() => board.close())
  const { id: ownerId } = await makeUser(db)
  const { id: orgId } = await makeOrg(db, ownerId)
  const { id: repositoryId } = await makeRepository(db, orgId, { is_private: true })
  const units = { 'repo.code': 'read', 'repo.actions': 'read' } as const
  const team = await makeTeam(db, orgId, { mode: 'read' }, units)
  await attach(db, team, repositoryId)
  const { id: personId } = await makeUser(db)
  await addToTeam(db, team, personId)
  const follow = async (userId: number, topics: readonly Topic[]) => {
    const session = await signIn(db, userId, new Date(Date.now() + hour))
    const { stream, sent } = keptStream(session, topics, { ended: board.remove })
    board.add(stream, undefined)
    await vi.waitFor(() => expect(sent).not.toEqual([]), soon)
    return {
      of: (type: string) =>
        sent.flatMap(({ message }) =>
          message.type === type && 'topic' in message ? [message.topic.topic] : [],
        ),
    }
  }
  const publish = (signal: Partial<EventSignal> & Pick<EventSignal, 'kind'>) =>
    hubOf(db).publish([{ id: 1, ownerId: orgId, repositoryId: null, ...signal }])
  return { db, orgId, ownerId, repositoryId, team, personId, follow, publish }
}

type World = Awaited<ReturnType<typeof makeWorld>>
type Loss = [
  what: string,
  change: (world: World) => Promise<unknown>,
  signal: (world: World) => Parameters<World['publish']>[0],
]

const outOfTeam = ({ db, team, personId }: World) =>
  db.deleteFrom('team_members').where('team_id', '=', team.id).where('user_id', '=', personId).execute()
const hide = ({ db, orgId }: World) =>
  db.updateTable('users').set({ visibility: 'private' }).where('id', '=', orgId).execute()
const detach = ({ db, repositoryId }: World) =>
  db.deleteFrom('team_repositories').where('repository_id', '=', repositoryId).execute()
const remove = ({ db, repositoryId }: World) =>
  db.deleteFrom('repositories').where('id', '=', repositoryId).execute()

const losses: Loss[] = [
  ['the viewer leaves the team', outOfTeam, ({ personId }) => ({ kind: 'team.member_removed', personId })],
  [
    'the viewer leaves the organization',
    outOfTeam,
    ({ personId }) => ({ kind: 'org.member_removed', personId }),
  ],
  [
    "the viewer's team is deleted",
    ({ db, team }) => db.deleteFrom('teams').where('id', '=', team.id).execute(),
    () => ({ kind: 'team.deleted' }),
  ],
  [
    "the viewer's team loses permissions",
    ({ db, team }) => db.deleteFrom('team_units').where('team_id', '=', team.id).execute(),
    () => ({ kind: 'team.edited' }),
  ],
  [
    "the repository is removed from the viewer's team",
    detach,
    ({ repositoryId }) => ({ kind: 'team.repository_removed', repositoryId }),
  ],
  ['the repository is deleted', remove, ({ repositoryId }) => ({ kind: 'repository.deleted', repositoryId })],
  [
    'the repository is transferred',
    detach,
    ({ repositoryId }) => ({ kind: 'repository.given_away', repositoryId }),
  ],
]

describe('a live viewer of a repository', () => {
  it.each(losses)(
    'immediately receives ended messages for all of its topics if %s',
    async (_, change, signal) => {
      const world = await makeWorld()
      const { personId, repositoryId: id } = world
      const topics: Topic[] = [
        { topic: 'account' },
        { topic: 'repository', id },
        { topic: 'runs', id },
        { topic: 'run', id: 1, repository: id },
      ]
      const stream = await world.follow(personId, topics)
      await change(world)
      world.publish(signal(world))
      await vi.waitFor(() => expect(stream.of('ended')).toEqual(['repository', 'runs', 'run']), soon)
    },
  )

  it('without access of their own receives ended messages if the repository or its owner becomes private', async () => {
    for (const [owned, visibility] of [
      ['repository', 'public'],
      ['account', 'private'],
    ] as const) {
      const world = await makeWorld()
      const { db, orgId, repositoryId: id } = world
      await db.updateTable('repositories').set({ is_private: false }).where('id', '=', id).execute()
      const stranger = await makeUser(db)
      const stream = await world.follow(stranger.id, [
        { topic: 'account' },
        { topic: 'repository', id },
        { topic: 'runs', id },
      ])
      if (owned === 'account') await hide(world)
      else await db.updateTable('repositories').set({ is_private: true }).where('id', '=', id).execute()
      world.publish(
        owned === 'account'
          ? { kind: 'org.edited' }
          : { kind: 'repository.edited', ownerId: orgId, repositoryId: id },
      )
      await vi.waitFor(() => expect(stream.of('ended'), visibility).toEqual(['repository', 'runs']), soon)
    }
  })

  it('receives a changed message if their team loses permissions but they keep access', async () => {
    const world = await makeWorld()
    const { db, team, personId, repositoryId: id } = world
    const stream = await world.follow(personId, [{ topic: 'repository', id }])
    await db
      .deleteFrom('team_units')
      .where('team_id', '=', team.id)
      .where('unit', '=', 'repo.actions')
      .execute()
    world.publish({ kind: 'team.edited' })
    await vi.waitFor(() => expect(stream.of('changed')).toEqual(['repository']), soon)
    expect(stream.of('ended')).toEqual([])
  })
})

it('live updates notify a person whose access changes, and no one else, on every topic that the person follows', async () => {
  const world = await makeWorld()
  const { db, orgId, personId } = world
  const other = await makeUser(db)
  await addToOrg(db, (await makeOrg(db, other.id)).id, personId)
  const elsewhere = await makeRepository(db, other.id)
  const topics: Topic[] = [
    { topic: 'organization', id: orgId },
    { topic: 'repository', id: elsewhere.id },
  ]
  const [own, foreign] = [await world.follow(personId, topics), await world.follow(other.id, topics)]
  await outOfTeam(world)
  world.publish({ kind: 'org.member_removed', personId })
  world.publish({ kind: 'org.edited' })
  await vi.waitFor(() => expect(foreign.of('changed')).toEqual(['organization']), soon)
  expect(own.of('changed').slice(0, 2)).toEqual(['organization', 'repository'])
})
