import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { requestContext } from '@/server/services'
import { makeGitRepository, pushBody, refsOf, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { usualLimits } from '../git/limits'
import { serveGitSession } from './serve'

const site = useSite()
const work = useWorkDirectory()

it('a push whose pack takes its client long to make is taken', async () => {
  const { account } = await makePerson(site)
  const key = await makeKey(site.db, account.id)
  const repository = await makeGitRepository(site, account)
  const local = work.path()
  const tip = await startLocal(local)
  const body = await pushBody(local, tip)
  const packAt = body.indexOf('PACK')
  const input = new PassThrough()
  const said: string[] = []
  const session = {
    command: `git-receive-pack '${repository.path}'`,
    protocol: '',
    input,
    gone: new AbortController().signal,
    write: async () => undefined,
    tell: (line: string) => said.push(line),
  }
  const ctx = {
    ...requestContext(site.services, {
      requestId: 'test',
      remoteAddress: '192.0.2.7',
      gone: () => session.gone,
    }),
    caller: { kind: 'user' as const, user: account, credential: { kind: 'sshKey' as const, keyId: key.id } },
  }
  const limits = { ...usualLimits, pack: { graceMs: 100, bytesPerSecond: 4096 } }
  const code = serveGitSession(site.services, ctx, session, limits)
  input.write(body.subarray(0, packAt))
  await delay(300)
  input.end(body.subarray(packAt))
  expect({ code: await code, said }).toEqual({ code: 0, said: [] })
  expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
})
