import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { requestContext } from '@/server/services'
import { makeGitRepository, pushBody, refsOf, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { defaultLimits } from '../git/limits'
import { serveGitSession } from './serve'
import type { GitSession } from './session'

const site = useSite()
const work = useWorkDirectory()

async function signIn() {
  const { account } = await makePerson(site)
  const key = await makeKey(site.db, account.id)
  return { user: account, credential: { kind: 'sshKey' as const, keyId: key.id } }
}

function serve(
  signedIn: Awaited<ReturnType<typeof signIn>>,
  session: Partial<GitSession>,
  limits = defaultLimits,
) {
  const said: string[] = []
  const ctx = {
    ...requestContext(site.services, { requestId: 'test', remoteAddress: '192.0.2.7' }),
    caller: { kind: 'user' as const, ...signedIn },
  }
  const whole: GitSession = {
    command: undefined,
    protocol: '',
    input: new PassThrough().end('0000'),
    disconnected: new AbortController().signal,
    write: async () => undefined,
    printLine: line => void said.push(line),
    end: () => undefined,
    ...session,
  }
  return serveGitSession(site.services, ctx, whole, limits).then(code => ({ code, said }))
}

it('a push is accepted even if the client takes long to create its pack', async () => {
  const signedIn = await signIn()
  const repository = await makeGitRepository(site, signedIn.user)
  const local = work.path()
  const tip = await startLocal(local)
  const body = await pushBody(local, tip)
  const packAt = body.indexOf('PACK')
  const input = new PassThrough()
  const limits = { ...defaultLimits, pack: { graceMs: 100, bytesPerSecond: 4096 } }
  const served = serve(signedIn, { command: `git-receive-pack '${repository.path}'`, input }, limits)
  input.write(body.subarray(0, packAt))
  await delay(300)
  input.end(body.subarray(packAt))
  expect(await served).toEqual({ code: 0, said: [] })
  expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
})

it('a connection cannot use access that its account has lost since it signed in', async () => {
  const signedIn = await signIn()
  const change = (values: { is_admin?: boolean; must_change_password?: boolean }) =>
    site.db.updateTable('users').set(values).where('id', '=', signedIn.user.id).execute()
  await change({ is_admin: true })
  const admin = { ...signedIn, user: { ...signedIn.user, is_admin: true } }
  const other = await makePerson(site)
  const hidden = await makeGitRepository(site, other.account, { is_private: true })
  const command = `git-upload-pack '${hidden.path}'`
  expect(await serve(admin, { command })).toEqual({ code: 0, said: [] })
  await change({ is_admin: false })
  expect(await serve(admin, { command })).toEqual({ code: 1, said: ['Guildhall: Repository not found.'] })
  await change({ must_change_password: true })
  expect(await serve(admin, { command })).toEqual({
    code: 1,
    said: [expect.stringContaining('You must change your password.')],
  })
})
