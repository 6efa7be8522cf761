import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { makeDeployKey } from '@/db/testing/factories'
import { serveGitSession } from '@/server/api/git-ssh/serve'
import { hubOf } from '@/server/events'
import { jobContext } from '@/server/services'
import { makeGitRepository } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { watchKeys } from './watch-keys'

const site = useSite()

it('watchKeys ends a command in a repository that its deploy key no longer opens, and lets commands in other repositories continue', async () => {
  const { account } = await makePerson(site)
  const repositories = await Promise.all(
    [1, 2, 3].map(() => makeGitRepository(site, account, { is_private: true })),
  )
  const { id: keyId } = await makeDeployKey(site.db, repositories)
  const begin = async ({ path }: { path: string }) => {
    const disconnected = new AbortController()
    const said: string[] = []
    let took = () => {}
    const begun = new Promise<void>(resolve => (took = resolve))
    const session = {
      command: `git-upload-pack '${path}'`,
      protocol: '',
      input: new PassThrough(),
      disconnected: disconnected.signal,
      write: async () => took(),
      printLine: (line: string) => void said.push(line),
      end: () => disconnected.abort(),
    }
    const ctx = {
      ...jobContext(site.services, 'test'),
      caller: { kind: 'deployKey' as const, keyId, asOf: new Date() },
    }
    const served = serveGitSession(site.services, ctx, session)
    await begun
    return { session, said, served }
  }
  const other = await makeGitRepository(site, account)
  const [removed, expired, kept, open] = await Promise.all([...repositories, other].map(begin))
  const change = (index: number, expires_at: Date) =>
    site.db
      .updateTable('deploy_keys')
      .set({ expires_at })
      .where('repository_id', '=', repositories[index]?.id ?? 0)
      .execute()
  await site.db
    .deleteFrom('deploy_keys')
    .where('repository_id', '=', repositories[0]?.id ?? 0)
    .execute()
  await change(1, new Date(0))
  await change(2, new Date(Date.now() + 60_000))
  const stop = watchKeys(site.services, () => [], 20)
  for (const one of [removed, expired]) {
    expect(await one?.served).toBe(1)
    expect(one?.said).toEqual(['Guildhall: This key no longer grants access to this repository.'])
  }
  stop()
  for (const one of [kept, open]) {
    expect(one?.session.disconnected.aborted).toBe(false)
    one?.session.input.end('0000')
    expect(await one?.served).toBe(0)
  }
})

it('watchKeys checks the keys only a few times for many simultaneous events', async () => {
  const looks = vi.fn(() => [])
  const stop = watchKeys(site.services, looks, 60_000)
  for (let count = 0; count < 100; count++) {
    hubOf(site.db).publish([{ id: 1, kind: 'user.edited', ownerId: 1, repositoryId: null }])
  }
  await vi.waitFor(() => expect(looks).toHaveBeenCalled())
  await new Promise(resolve => setTimeout(resolve, 100))
  stop()
  expect(looks.mock.calls.length).toBeLessThan(5)
})
