import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { processesOn } from '@/testing/git'
import {
  addressOf,
  type GitRepository,
  makeGitRepository,
  pushBody,
  recordedEvents,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

describe.skipIf(mount === 'next')('a push whose access is checked again at its end', () => {
  const site = useSite()
  const work = useWorkDirectory()

  async function prepare() {
    const owner = await makePerson(site)
    const writer = await makePerson(site)
    const repository = await makeGitRepository(site, owner.account, { is_private: true })
    await setCollaborator(repository, writer)
    const local = work.path()
    return { owner, writer, repository, body: await pushBody(local, await startLocal(local)) }
  }

  const setCollaborator = (repository: GitRepository, { account }: Person) =>
    site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: repository.id, user_id: account.id, mode: 'write' })
      .execute()

  const change = (
    person: Person,
    columns: { prohibit_login?: boolean; is_active?: boolean; must_change_password?: boolean },
  ) => site.db.updateTable('users').set(columns).where('id', '=', person.account.id).execute()

  /** Sends all of a push but its end, then does something else, then sends the end; gives what Git would show. */
  async function finishAfter(
    { repository, body }: Awaited<ReturnType<typeof prepare>>,
    authorization: string,
    meanwhile: () => Promise<unknown>,
  ): Promise<string> {
    const sent = request(`${addressOf(site, repository)}/git-receive-pack`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-git-receive-pack-request' },
    })
    // Git may end before the end is sent, and its answer be there.
    const answered = once(sent, 'response')
    sent.write(body.subarray(0, -5))
    await expect.poll(() => processesOn(repository.directory), { timeout: 20_000 }).not.toEqual([])
    await meanwhile()
    sent.end(body.subarray(-5))
    const [response] = (await answered) as [IncomingMessage]
    return `${response.statusCode} ${await text(response)}`
  }

  const withToken = ({ token }: Person) => `token ${token}`
  const withPassword = ({ name, password }: Person) =>
    `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

  async function expectRefused({ repository }: { repository: GitRepository }, answer: string, why: string) {
    expect(answer).toContain('ng refs/heads/main pre-receive hook declined')
    expect(answer).toContain(`Nothing was changed: ${why}`)
    expect(await refsOf(repository)).toEqual({})
    expect(await recordedEvents(site, repository)).not.toContainEqual(
      expect.objectContaining({ kind: 'git.pushed' }),
    )
  }

  it('succeeds with a token and with a password if nothing changed', async () => {
    for (const credential of [withToken, withPassword]) {
      const here = await prepare()
      const answer = await finishAfter(here, credential(here.writer), async () => undefined)
      expect(answer).toContain('ok refs/heads/main')
      expect(Object.keys(await refsOf(here.repository))).toEqual(['refs/heads/main'])
    }
  })

  it('succeeds even if passwords can no longer be checked, because the password is not hashed again', async () => {
    const here = await prepare()
    const { writer } = here
    const answer = await finishAfter(here, withPassword(writer), async () => {
      site.now.set(new Date(Date.now() + 5 * 60_000))
      const wrong = { as: { basic: [writer.name, 'wrong'] as [string, string] } }
      for (let count = 0; count < 10; count++) await call(site, 'GET', '/user', wrong)
      expect(
        (await call(site, 'GET', '/user', { as: { basic: [writer.name, writer.password] } })).status,
      ).toBe(429)
    })
    site.now.set(undefined)
    expect(answer).toContain('ok refs/heads/main')
  })

  it.each([
    ['expired', { expires_at: new Date(0) }, 'invalid username, password or token'],
    ['lost its scope', { scopes: ['read:repository'] }, 'This token cannot push'],
  ])('is refused if its token has %s since', async (_, columns, why) => {
    const here = await prepare()
    const { id } = here.writer.account
    const answer = await finishAfter(here, withToken(here.writer), () =>
      site.db.updateTable('access_tokens').set(columns).where('user_id', '=', id).execute(),
    )
    await expectRefused(here, answer, why)
  })

  it('is refused if the collaborator was removed since', async () => {
    const here = await prepare()
    const { owner, writer, repository } = here
    const answer = await finishAfter(here, withToken(writer), () =>
      call(site, 'DELETE', `/repos${repository.path}/collaborators/${writer.name}`, { as: owner }),
    )
    await expectRefused(here, answer, 'Repository not found.')
  })

  it('is refused if the person was removed from the team since', async () => {
    const here = await prepare()
    const org = await makeOrg(site.db, here.owner.account.id)
    const repository = await makeGitRepository(site, org)
    const team = await makeTeam(site.db, org.id, { mode: 'write' }, { 'repo.code': 'write' })
    await addToTeam(site.db, team, here.writer.account.id)
    await attach(site.db, team, repository.id)
    const answer = await finishAfter({ ...here, repository }, withToken(here.writer), () =>
      call(site, 'DELETE', `/teams/${team.id}/members/${here.writer.name}`, { as: here.owner }),
    )
    await expectRefused({ repository }, answer, 'You can read this repository but cannot push to it.')
  })

  it('is refused if the repository was archived since', async () => {
    const here = await prepare()
    const answer = await finishAfter(here, withToken(here.owner), () =>
      call(site, 'PATCH', `/repos${here.repository.path}`, { as: here.owner, body: { archived: true } }),
    )
    await expectRefused(here, answer, 'This repository is archived')
  })

  it.each([
    ['prohibited', { prohibit_login: true }, 'This account is prohibited from signing in'],
    ['deactivated', { is_active: false }, 'This account is not activated.'],
    ['due for another password', { must_change_password: true }, 'You must change your password.'],
  ])('is refused with a token and with a password if the account is %s', async (_, columns, why) => {
    for (const credential of [withToken, withPassword]) {
      const here = await prepare()
      const answer = await finishAfter(here, credential(here.writer), () => change(here.writer, columns))
      await expectRefused(here, answer, why)
    }
  })

  it('is refused if the token is deleted or the password changed concurrently', async () => {
    const here = await prepare()
    const { writer } = here
    const withoutToken = await finishAfter(here, withToken(writer), () =>
      site.db.deleteFrom('access_tokens').where('user_id', '=', writer.account.id).execute(),
    )
    await expectRefused(here, withoutToken, 'invalid username, password or token')
    const root = await makePerson(site, { is_admin: true })
    const withFormer = await finishAfter(here, withPassword(writer), () =>
      call(site, 'PATCH', `/admin/users/${writer.name}`, {
        as: root,
        body: {
          source_id: 0,
          login_name: writer.name,
          password: 'another horse',
          must_change_password: false,
        },
      }),
    )
    await expectRefused(here, withFormer, 'invalid username, password or token')
  })

  it('is refused if the repository is deleted concurrently, even if another one has its name', async () => {
    const here = await prepare()
    const { owner, repository } = here
    const replaced: GitRepository[] = []
    const answer = await finishAfter(here, withToken(owner), async () => {
      await call(site, 'DELETE', `/repos${repository.path}`, { as: owner })
      replaced.push(await makeGitRepository(site, owner.account, { name: repository.name }))
    })
    expect(answer).not.toContain('ok refs/heads/main')
    expect(await refsOf(replaced[0] as GitRepository)).toEqual({})
  })

  it('succeeds if the repository was only renamed', async () => {
    const here = await prepare()
    const answer = await finishAfter(here, withToken(here.owner), () =>
      call(site, 'PATCH', `/repos${here.repository.path}`, { as: here.owner, body: { name: 'renamed' } }),
    )
    expect(answer).toContain('ok refs/heads/main')
  })
})
