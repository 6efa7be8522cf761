import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { inRefQueue } from '@/server/repos'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { makeCommittedRepository, recordedEvents, refsOf, rowOf } from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const zeros = '0'.repeat(40)

/**
 * Creates a repository with the branches main and topic/one, the annotated tag v1 and the lightweight tag
 * light, a writer, and a reader.
 */
async function makeScene() {
  const [owner, writer, reader] = [await makePerson(site), await makePerson(site), await makePerson(site)]
  const repository = await makeCommittedRepository(site, owner.account, { branch_count: 2, tag_count: 2 })
  const git = (...args: string[]) => gitOk(args, { cwd: repository.directory })
  await git('branch', 'topic/one', 'main')
  await git('tag', 'light', 'main')
  await git('-c', 'user.name=A', '-c', 'user.email=a@x', 'tag', '-a', '-m', 'One', 'v1', 'main')
  for (const [person, mode] of [
    [writer, 'write'],
    [reader, 'read'],
  ] as const) {
    const collaborator = { repository_id: repository.id, user_id: person.account.id, mode }
    await site.db.insertInto('repository_collaborators').values(collaborator).execute()
  }
  const remove = async (rest: string, as?: Person) => {
    const { status, body, text } = await call(site, 'DELETE', `/repos${repository.path}/${rest}`, { as })
    return [status, body?.message ?? text]
  }
  const archive = () =>
    site.db
      .updateTable('repositories')
      .set({ archived_at: new Date() })
      .where('id', '=', repository.id)
      .execute()
  return { owner, writer, reader, repository, git, remove, archive }
}

const noWrite = 'user should have a permission to write to a repo'

describe('DELETE /repos/{owner}/{repo}/branches/{branch}', () => {
  it.each(['topic/one', 'topic%2Fone'])(
    'returns 204 for %s and records the deletion as a push does',
    async branch => {
      const { writer, repository, remove } = await makeScene()
      expect(await remove(`branches/${branch}`, writer)).toEqual([204, ''])
      expect(Object.keys(await refsOf(repository))).not.toContain('refs/heads/topic/one')
      expect(await rowOf(site, repository)).toMatchObject({ branch_count: 1, default_branch: 'main' })
      const facts = { ref: 'refs/heads/topic/one', refType: 'branch', sha: repository.commit, quiet: false }
      expect(await recordedEvents(site, repository)).toEqual([
        {
          kind: 'ref.deleted',
          actor: writer.account.id,
          facts: expect.objectContaining(facts),
        },
      ])
    },
  )

  it('returns 403 for the default branch, and for any branch to read-only users', async () => {
    const { owner, reader, repository, remove } = await makeScene()
    expect(await remove('branches/main', owner)).toEqual([403, 'can not delete default branch'])
    expect(await remove('branches/topic/one', reader)).toEqual([403, noWrite])
    expect(Object.keys(await refsOf(repository))).toHaveLength(4)
  })

  it('returns 403 for a branch that becomes the default branch while the deletion is queued', async () => {
    const { owner, repository, remove } = await makeScene()
    let removal: ReturnType<typeof remove> | undefined
    await inRefQueue(repository.id, async () => {
      removal = remove('branches/topic/one', owner)
      await Promise.race([removal, sleep(200)])
      await site.db
        .updateTable('repositories')
        .set({ default_branch: 'topic/one' })
        .where('id', '=', repository.id)
        .execute()
    })
    expect(await removal).toEqual([403, 'can not delete default branch'])
    expect(Object.keys(await refsOf(repository))).toContain('refs/heads/topic/one')
  })

  it.each([
    'topic',
    'TOPIC/ONE',
    'light',
    'refs%2Fheads%2Fmain',
    '*',
    'topic/*',
    '-d',
    '%00',
    'x'.repeat(1024),
  ])('returns 404 for %s', async name => {
    const { owner, repository, remove } = await makeScene()
    expect(await remove(`branches/${name}`, owner)).toEqual([404, 'not found'])
    expect(Object.keys(await refsOf(repository))).toHaveLength(4)
  })

  it('returns 404 in a repository that never received a push', async () => {
    const owner = await makePerson(site)
    const { path } = await makeCommittedRepository(site, owner.account, { is_empty: true })
    expect((await call(site, 'DELETE', `/repos${path}/branches/x`, { as: owner })).status).toBe(404)
  })

  it('returns 423 in an archived repository, as does DELETE /repos/{owner}/{repo}/tags/{tag}', async () => {
    const { owner, repository, remove, archive } = await makeScene()
    await archive()
    const message = `${repository.path.slice(1)} is archived`
    expect(await remove('branches/topic/one', owner)).toEqual([423, message])
    expect(await remove('tags/light', owner)).toEqual([423, message])
    expect(Object.keys(await refsOf(repository))).toHaveLength(4)
  })
})

describe('DELETE /repos/{owner}/{repo}/tags/{tag}', () => {
  it('returns 204 and records the deletion as a push does', async () => {
    const { writer, repository, git, remove } = await makeScene()
    const annotation = await git('rev-parse', 'v1')
    expect(await remove('tags/v1', writer)).toEqual([204, ''])
    expect(Object.keys(await refsOf(repository))).not.toContain('refs/tags/v1')
    expect(await rowOf(site, repository)).toMatchObject({ tag_count: 1 })
    expect(await recordedEvents(site, repository)).toMatchObject([
      { kind: 'ref.deleted', facts: { ref: 'refs/tags/v1', refType: 'tag', sha: annotation } },
      { kind: 'git.pushed', facts: { ref: 'refs/tags/v1', before: annotation, after: zeros } },
    ])
  })

  it.each([
    ['a release', { tag_name: 'v1' }],
    ['a release whose tag differs in case', { tag_name: 'V1' }],
    ['a draft', { tag_name: 'v1', is_draft: true }],
  ])('returns 409 for a tag with %s', async (_, release) => {
    const { owner, repository, remove } = await makeScene()
    await makeRelease(site.db, repository.id, release)
    const message = 'a tag attached to a release cannot be deleted directly'
    expect(await remove('tags/v1', owner)).toEqual([409, message])
    expect(Object.keys(await refsOf(repository))).toHaveLength(4)
  })

  it('returns 403 to read-only users, 404 for an unknown tag, and 401 without credentials', async () => {
    const { owner, reader, remove } = await makeScene()
    expect(await remove('tags/v1', reader)).toEqual([403, noWrite])
    expect(await remove('tags/main', owner)).toEqual([404, 'not found'])
    expect((await remove('tags/v1'))[0]).toBe(401)
  })
})
