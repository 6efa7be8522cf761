import { describe, expect, it } from 'vitest'
import { makeDeployKey } from '@/db/testing/factories'
import { payloadsOf } from '@/server/hooks/payload/testing/payloads'
import { jobContext } from '@/server/services'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import {
  commit,
  type GitRepository,
  makeGitRepository,
  recordedEvents,
  rowOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { commitFiles, startWaiting, workflowOn } from '@/testing/workflows'
import { settlePush } from './settle'
import { beginPush, forgetPush, readNote } from './spool'

const site = useSite()
const work = useWorkDirectory()
const [zeros, next] = ['0'.repeat(40), 'refs/heads/next']
const receivePack = '--receive-pack=git -c receive.denyDeleteCurrent=ignore receive-pack'
const named = { id: -1, login: 'deploy key “ci”' }

async function makeScene() {
  const { account } = await makePerson(site)
  const repository = await makeGitRepository(site, account)
  const { id: keyId } = await makeDeployKey(site.db, [repository], { title: 'ci', mode: 'write' })
  const local = work.path()
  await startLocal(local)
  const ctx = {
    ...jobContext(site.services, 'test'),
    caller: { kind: 'deployKey', keyId, asOf: new Date() } as const,
  }
  const row = await rowOf(site, repository)
  const tip = () => gitOk(['rev-parse', 'HEAD'], { cwd: local })
  /**
   * Pushes with the deploy key as the server does: records the push in the spool, updates the ref and settles
   * the push.
   */
  const push = async (before: string, after: string, how = `${after}:${next}`) => {
    const { note, release } = await beginPush(ctx, row)
    await gitOk(['push', '-q', receivePack, repository.directory, how], { cwd: local })
    await settlePush(ctx, note, { done: [{ ref: next, before, after }] })
    release()
  }
  return { repository, keyId, local, ctx, row, tip, push }
}

const deployKeysOf = async (repository: GitRepository) =>
  (await recordedEvents(site, repository)).map(({ kind, actor, facts }) => [kind, actor, facts.deployKey])

describe('a push by a deploy key', () => {
  it('is recorded with the key and without an actor, and shown under the title of the key', async () => {
    const { repository, keyId, local, tip, push } = await makeScene()
    const { id } = await site.db
      .selectFrom('deploy_keys')
      .select('id')
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow()
    const first = await tip()
    const second = await commit(local)
    const payloads = await payloadsOf(site, async () => {
      await push(zeros, first)
      await push(first, second)
      await push(second, zeros, `:${next}`)
    })
    const by = { id, title: 'ci' }
    expect(await deployKeysOf(repository)).toEqual([
      ['ref.created', null, by],
      ['git.pushed', null, by],
      ['git.pushed', null, by],
      ['ref.deleted', null, by],
    ])
    expect(payloads.map(({ eventType }) => eventType)).toEqual(['create', 'push', 'push', 'delete'])
    for (const { body } of payloads) expect(body.sender).toMatchObject(named)
    expect(payloads[1]?.body).toMatchObject({ pusher: named })
    expect(payloads[3]?.body).toMatchObject({ pusher_type: 'deploy_key' })
    const feed = await call(site, 'GET', `/repos${repository.path}/activities/feeds`)
    expect(feed.body).toHaveLength(3)
    for (const entry of feed.body) expect(entry).toMatchObject({ act_user_id: -1, act_user: named })
  })

  it('starts workflow runs whose actor is a placeholder instead of a user', async () => {
    const { repository, local, push } = await makeScene()
    await push(zeros, await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('push') }))
    await startWaiting(site)
    const { body } = await call(site, 'GET', `/repos${repository.path}/actions/runs`)
    expect(body.workflow_runs).toMatchObject([{ event: 'push', status: 'queued', actor: { id: -1 } }])
  })

  it('has a spool entry with the title of the key, even if the key is then deleted', async () => {
    const { repository, keyId, ctx, row } = await makeScene()
    const { note, directory, release } = await beginPush(ctx, row)
    release()
    await site.db.deleteFrom('public_keys').where('id', '=', keyId).execute()
    expect(await readNote(directory)).toMatchObject({ actorId: null, deployKey: { title: 'ci' } })
    await forgetPush(site.services.config, note.key)
    expect(await recordedEvents(site, repository)).toEqual([])
  })
})
