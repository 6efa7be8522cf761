import { expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { loadScope } from '@/server/scopes'
import { jobContext } from '@/server/services'
import { contextOf } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { registerRunner } from './register'
import { issueRegistrationToken, resetRegistrationToken } from './registration'

const site = useSite({ runnerRegistrationToken: 'a-token-of-the-environment-0123456789' })

const anybody = () => jobContext(site.services, 'test')
const declared = { name: 'builder', version: '', labels: [], capabilities: [], ephemeral: false }

it('the registration token of a scope stays the same until it is reset, and differs from that of any other scope', async () => {
  const ada = await makePerson(site, { is_admin: true })
  const org = await makeOrg(site.db, ada.account.id)
  const { name: repo } = await makeRepository(site.db, ada.account.id)
  const ctx = contextOf(site, ada)
  const scopes = await Promise.all(
    (
      [
        { kind: 'own' },
        { kind: 'organization', org: org.name },
        { kind: 'repository', owner: ada.name, repo },
        { kind: 'site' },
      ] as const
    ).map(name => loadScope(ctx, name)),
  )
  const tokens = await Promise.all(scopes.map(scope => issueRegistrationToken(ctx, scope)))
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9]{40}$/)
  expect(new Set(tokens).size).toBe(4)
  expect(await Promise.all(scopes.map(scope => issueRegistrationToken(ctx, scope)))).toEqual(tokens)

  for (const [index, scope] of scopes.entries()) {
    const after = await resetRegistrationToken(ctx, scope)
    expect(await issueRegistrationToken(ctx, scope)).toBe(after)
    const former = registerRunner(anybody(), { ...declared, token: tokens[index] ?? '' })
    await expect(former).rejects.toMatchObject({ kind: 'forbidden' })
    await registerRunner(anybody(), { ...declared, token: after })
  }
  const stored = JSON.stringify(await site.db.selectFrom('runner_registrations').selectAll().execute())
  for (const token of tokens) expect(stored).not.toContain(token)
})

it('a runner belongs to the scope of its token, and its registration is recorded as an event', async () => {
  const ada = await makePerson(site)
  const { id, name: repo } = await makeRepository(site.db, ada.account.id)
  const ofRepository = { kind: 'repository', owner: ada.name, repo } as const
  const { runner, secret } = await makeRunner(site, ada, {
    scope: ofRepository,
    name: `  ${'é'.repeat(300)}\n`,
    labels: ['linux', ' linux ', '', 'self-hosted'],
    ephemeral: true,
  })
  expect(secret).toMatch(/^[0-9a-f]{40}$/)
  expect(runner).toMatchObject({
    owner_id: null,
    repository_id: id,
    name: 'é'.repeat(255),
    labels: ['linux', 'self-hosted'],
    is_ephemeral: true,
    last_online_at: null,
  })
  expect((await makeRunner(site, ada)).runner).toMatchObject({
    owner_id: ada.account.id,
    repository_id: null,
  })
  const events = await site.db
    .selectFrom('events')
    .select(['owner_id', 'data'])
    .where('kind', '=', 'runner.registered')
    .where('owner_id', '=', ada.account.id)
    .execute()
  expect(events).toHaveLength(2)
  expect(events[0]?.data).toMatchObject({ runnerId: runner.id, repositoryId: id, ephemeral: true })
})

it('the token from the environment registers runners of the whole site', async () => {
  const token = 'a-token-of-the-environment-0123456789'
  const { runner } = await registerRunner(anybody(), { ...declared, token })
  expect(runner).toMatchObject({ owner_id: null, repository_id: null })
})

it.each([
  ['no token', { token: '' }, 'invalid'],
  ['a token of nobody', { token: 'x'.repeat(40) }, 'forbidden'],
  ['no name', { name: ' \n' }, 'invalid'],
  ['too many labels', { labels: Array.from({ length: 101 }, (_, index) => `l${index}`) }, 'invalid'],
  ['a label that is too long', { labels: ['l'.repeat(256)] }, 'invalid'],
  ['a label with a NUL', { labels: ['l\0'] }, 'invalid'],
])('registration with %s is refused', async (_, wrong, kind) => {
  const ada = await makePerson(site)
  await expect(makeRunner(site, ada, wrong)).rejects.toMatchObject({ kind })
})

it('the token of a deleted scope is unknown', async () => {
  const ada = await makePerson(site)
  const { id, name: repo } = await makeRepository(site.db, ada.account.id)
  const ctx = contextOf(site, ada)
  const scope = await loadScope(ctx, { kind: 'repository', owner: ada.name, repo })
  const token = await issueRegistrationToken(ctx, scope)
  await site.db.deleteFrom('repositories').where('id', '=', id).execute()
  const registered = registerRunner(anybody(), { ...declared, token })
  await expect(registered).rejects.toMatchObject({ kind: 'forbidden', message: /unknown or was reset/ })
  await expect(resetRegistrationToken(ctx, scope)).rejects.toMatchObject({ kind: 'notFound' })
})
