import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recoverPushes } from '@/server/repos/push'
import { jobContext } from '@/server/services'
import { type Answer, call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import {
  type GitRepository,
  makeCommittedRepository,
  recordedEvents,
  refsOf,
  rowOf,
} from '@/testing/git-repository'
import { keptLog } from '@/testing/kept-log'
import { makePerson, type Person } from '@/testing/people'
import { makeReleaseCast } from '@/testing/release-cast'
import { useSite } from '@/testing/site'

// Silences the log of expected failures.
const site = useSite({}, keptLog().log)
let owner: Person
let repository: GitRepository & { commit: string }

beforeAll(async () => {
  owner = await makePerson(site)
})
beforeEach(async () => {
  repository = await makeCommittedRepository(site, owner.account)
})

const send = (method: string, rest: string, body?: object): Promise<Answer> =>
  call(site, method, `/repos${repository.path}/releases${rest}`, { as: owner, body })
const kinds = async (): Promise<string[]> => (await recordedEvents(site, repository)).map(({ kind }) => kind)

describe('release events', () => {
  it('record the new tag as a push does, then the release', async () => {
    const { body } = await send('POST', '', { tag_name: 'v1', name: 'First' })
    const ref = { repositoryId: repository.id, ref: 'refs/tags/v1' }
    expect(await recordedEvents(site, repository)).toMatchObject([
      { kind: 'ref.created', actor: owner.account.id, facts: { ...ref, sha: repository.commit } },
      { kind: 'git.pushed', actor: owner.account.id, facts: { ...ref, after: repository.commit } },
      {
        kind: 'release.published',
        actor: owner.account.id,
        facts: { repositoryId: repository.id, releaseId: body.id, tag: 'v1', title: 'First' },
      },
    ])
  })

  it('are not recorded for drafts', async () => {
    const { body } = await send('POST', '', { tag_name: 'v1', draft: true })
    await send('PATCH', `/${body.id}`, { name: 'Soon' })
    await send('DELETE', `/${body.id}`)
    expect(await kinds()).toEqual([])
  })

  it('record a published draft as a publication if its tag is new, otherwise as an update', async () => {
    const tagged = ['ref.created', 'git.pushed', 'release.published']
    const { body: fresh } = await send('POST', '', { tag_name: 'v1', draft: true })
    await send('PATCH', `/${fresh.id}`, { draft: false })
    expect(await kinds()).toEqual(tagged)
    await gitOk(['update-ref', 'refs/tags/v2', repository.commit], { cwd: repository.directory })
    const { body: known } = await send('POST', '', { tag_name: 'v2', draft: true })
    await send('PATCH', `/${known.id}`, { draft: false })
    const events = await recordedEvents(site, repository)
    expect(events.slice(3)).toMatchObject([
      { kind: 'release.updated', facts: { releaseId: known.id, publishes: true } },
    ])
    const feed = await call(site, 'GET', `/repos${repository.path}/activities/feeds`)
    const entries = feed.body.map((entry: { op_type: string; ref_name: string }) => [
      entry.op_type,
      entry.ref_name,
    ])
    expect(entries).toEqual([
      ['publish_release', 'refs/tags/v2'],
      ['publish_release', 'refs/tags/v1'],
      ['push_tag', 'refs/tags/v1'],
    ])
  })

  it('record the fields changed by an edit, which do not appear in feeds', async () => {
    const { body } = await send('POST', '', { tag_name: 'v1', name: 'First' })
    await send('PATCH', `/${body.id}`, { name: 'First', prerelease: false })
    await send('PATCH', `/${body.id}`, { name: 'One', body: 'Notes' })
    const events = await recordedEvents(site, repository)
    expect(events.slice(3)).toMatchObject([
      { kind: 'release.updated', facts: { title: 'One', publishes: false, changed: 'body title' } },
    ])
    const feed = await call(site, 'GET', `/repos${repository.path}/activities/feeds`)
    expect(feed.body.length).toBe(2)
  })

  it('record a deleted release with the fields as shown', async () => {
    const { body } = await send('POST', '', { tag_name: 'v1', name: 'First' })
    await send('DELETE', `/${body.id}`)
    const events = await recordedEvents(site, repository)
    expect(events.at(-1)).toMatchObject({
      kind: 'release.deleted',
      facts: { releaseId: body.id, tag: 'v1', shown: { ...body, author: { login: owner.name } } },
    })
  })

  it('appear only in feeds of users who can read releases', async () => {
    const cast = await makeReleaseCast(site, org => makeCommittedRepository(site, org, { is_private: true }))
    await call(site, 'POST', `${cast.path}/releases`, { as: cast.as.owner, body: { tag_name: 'v1' } })
    const feedOf = async (role: 'releases reader' | 'code writer' | 'releases writer') => {
      const { body } = await call(site, 'GET', `${cast.path}/activities/feeds`, { as: cast.as[role] })
      return body.map((entry: { op_type: string }) => entry.op_type)
    }
    expect(await feedOf('releases reader')).toEqual(['publish_release'])
    expect(await feedOf('code writer')).toEqual(['push_tag'])
    expect(await feedOf('releases writer')).toEqual(['publish_release', 'push_tag'])
  })
})

describe('an interrupted release', () => {
  /** Makes the database reject inserts into a table during a call. */
  async function refusing(table: string, act: () => Promise<Answer>): Promise<Answer> {
    await sql`create function refuse() returns trigger language plpgsql
      as $$ begin raise exception 'meant to'; end $$`.execute(site.db)
    await sql`create trigger refuse before insert on ${sql.table(table)}
      for each row execute function refuse()`.execute(site.db)
    try {
      return await act()
    } finally {
      await sql`drop function refuse cascade`.execute(site.db)
    }
  }
  const tagged = ['ref.created', 'git.pushed']
  const first = { tag_name: 'v1', tag_message: 'First' }

  it('records its tag once if interrupted after creating the tag, and can be created by repeating the request', async () => {
    const { status } = await refusing('releases', () => send('POST', '', first))
    expect([status, await kinds()]).toEqual([500, tagged])
    expect((await send('POST', '', first)).status).toBe(201)
    expect(await kinds()).toEqual([...tagged, 'release.published'])
  })

  it('records its tag once, during recovery, if interrupted before recording the tag', async () => {
    const { status } = await refusing('recorded_pushes', () => send('POST', '', first))
    expect([status, await kinds()]).toEqual([500, []])
    expect(Object.keys(await refsOf(repository))).toContain('refs/tags/v1')
    site.now.set(new Date(Date.now() + 5 * 60_000))
    for (let run = 0; run < 2; run++) await recoverPushes(jobContext(site.services, 'recovery'))
    site.now.set(undefined)
    expect([await kinds(), (await rowOf(site, repository)).tag_count]).toEqual([tagged, 1])
    expect((await send('POST', '', first)).status).toBe(201)
    expect(await kinds()).toEqual([...tagged, 'release.published'])
  })
})
