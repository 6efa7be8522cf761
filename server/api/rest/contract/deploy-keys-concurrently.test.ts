import { describe, expect, it } from 'vitest'
import { makeDeployKey, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const rounds = Array.from({ length: 12 }, (_, round) => round)

async function makeScene() {
  const owner = await makePerson(site, { is_admin: true })
  const paths: string[] = []
  const ids: number[] = []
  for (let index = 0; index < 3; index++) {
    const { id, name } = await makeRepository(site.db, owner.account.id)
    ids.push(id)
    paths.push(`/repos/${owner.name}/${name}`)
  }
  const on = (method: string, path: string, body?: object) =>
    call(site, method, path, { as: owner, ...(body && { body }) })
  const deploy = (path: string | undefined, key: string) => on('POST', `${path}/keys`, { title: key, key })
  const addOwn = (key: string) => on('POST', '/user/keys', { title: key.slice(-40), key })
  return { owner, ids, paths, on, deploy, addOwn }
}

/** Returns the row of a key and how many repositories have it. */
async function stateOf(fingerprint: string): Promise<{ type: string; repositories: number }[]> {
  const rows = await site.db
    .selectFrom('public_keys')
    .leftJoin('deploy_keys', 'deploy_keys.key_id', 'public_keys.id')
    .select(['public_keys.type', eb => eb.fn.count<number>('deploy_keys.id').as('repositories')])
    .where('fingerprint', '=', fingerprint)
    .groupBy('public_keys.id')
    .execute()
  return rows
}

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

describe('concurrent requests with the same key', () => {
  it('add it as a personal key or as a deploy key, never both', async () => {
    const { paths, deploy, addOwn } = await makeScene()
    for (const round of rounds) {
      const { text, fingerprint } = newKey()
      const tries = [() => deploy(paths[0], text), () => addOwn(text)]
      if (round % 2) tries.reverse()
      expect(statusesOf(await Promise.all(tries.map(go => go())))).toEqual([201, 422])
      const [state, ...others] = await stateOf(fingerprint)
      expect(others).toEqual([])
      expect(state?.repositories).toBe(state?.type === 'deploy' ? 1 : 0)
    }
  })

  it('add it to several repositories as one row of the keys table', async () => {
    const { paths, deploy } = await makeScene()
    for (const _ of rounds) {
      const { text, fingerprint } = newKey()
      const answers = await Promise.all(paths.map(path => deploy(path, text)))
      expect(statusesOf(answers)).toEqual([201, 201, 201])
      expect(await stateOf(fingerprint)).toEqual([{ type: 'deploy', repositories: 3 }])
    }
  })

  it('add it to the same repository only once', async () => {
    const { paths, deploy } = await makeScene()
    const { text } = newKey()
    const answers = await Promise.all([1, 2, 3, 4].map(() => deploy(paths[0], text)))
    expect(statusesOf(answers)).toEqual([201, 422, 422, 422])
  })

  it('can add it to a repository while the last other repository loses it', async () => {
    const { paths, ids, on, deploy } = await makeScene()
    for (const round of rounds) {
      const { text, fingerprint } = newKey()
      const { body } = await deploy(paths[0], text)
      const takeAway =
        round % 2
          ? () => on('DELETE', `${paths[0]}/keys/${body.id}`)
          : () => site.db.deleteFrom('deploy_keys').where('repository_id', '=', ids[0]!).execute()
      const [added] = await Promise.all([deploy(paths[1], text), takeAway()])
      expect(added.status).toBe(201)
      expect(await stateOf(fingerprint)).toEqual([{ type: 'deploy', repositories: 1 }])
    }
  })

  it('can make it a personal key only after the last repository has lost it', async () => {
    const { paths, on, deploy, addOwn } = await makeScene()
    for (const _ of rounds) {
      const { text, fingerprint } = newKey()
      const { body } = await deploy(paths[0], text)
      const [own] = await Promise.all([addOwn(text), on('DELETE', `${paths[0]}/keys/${body.id}`)])
      expect(await stateOf(fingerprint)).toEqual(
        own.status === 201 ? [{ type: 'user', repositories: 0 }] : [],
      )
    }
  })

  it('leave no orphaned key when an administrator deletes it while repositories gain and lose it', async () => {
    const { paths, on, deploy } = await makeScene()
    for (const _ of rounds) {
      const { text, fingerprint } = newKey()
      const { body } = await deploy(paths[0], text)
      const [removed, added, lost] = await Promise.all([
        on('DELETE', `/user/keys/${body.key_id}`),
        deploy(paths[1], text),
        on('DELETE', `${paths[0]}/keys/${body.id}`),
      ])
      expect([204, 404]).toContain(removed.status)
      expect([201]).toContain(added.status)
      expect([204, 404]).toContain(lost.status)
      const state = await stateOf(fingerprint)
      expect([[], [{ type: 'deploy', repositories: 1 }]]).toContainEqual(state)
    }
  })

  it('delete it with its last repository when all its repositories are deleted', async () => {
    const { ids, paths, on } = await makeScene()
    const repositories = ids.map(id => ({ id }))
    const keys: { fingerprint: string }[] = []
    for (const _ of rounds) {
      keys.push(await makeDeployKey(site.db, repositories))
      repositories.reverse()
    }
    expect(statusesOf(await Promise.all(paths.map(path => on('DELETE', path))))).toEqual([204, 204, 204])
    for (const { fingerprint } of keys) expect(await stateOf(fingerprint)).toEqual([])
  })
})
