// @module-tag embedded
import { describe, expect, it } from 'vitest'
import { makeRelease, makeRepository } from '@/db/testing/factories'
import { type Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()

interface Form {
  save: string
  /** Identifies the edited object. */
  path: object
  read: () => Promise<Record<string, unknown>>
  /** A text field with its initial value and two other values. */
  text: [field: string, before: string, one: string, other: string]
  flag: [field: string, before: boolean | string, after: boolean | string]
}

/** Opens the same form twice, by two users or in two tabs. */
async function twoEditors(of: string): Promise<{ one: Browser; other: Browser; form: Form }> {
  if (of === 'account' || of === 'profile') {
    const [admin, person] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    const editor = of === 'account' ? admin : person
    const [one, other] = [await signIn(site, editor), await signIn(site, editor)]
    if (of === 'profile') {
      const read = async () => (await one.query('users.getSettings')).data
      return {
        one,
        other,
        form: {
          save: 'users.saveSettings',
          path: {},
          read,
          text: ['description', '', 'Ada', 'Ben'],
          flag: ['hide_email', false, true],
        },
      }
    }
    const path = { username: person.name }
    const read = async () => {
      const { data } = await one.query('users.get', path)
      return { ...data, admin: data.is_admin }
    }
    return {
      one,
      other,
      form: {
        save: 'users.save',
        path,
        read,
        text: ['full_name', '', 'Ada', 'Ben'],
        flag: ['admin', false, true],
      },
    }
  }
  const { owner, org, team } = await makeTeamCast(site)
  const [one, other] = [await signIn(site, owner), await signIn(site, owner)]
  const reader = (procedure: string, input: object) => async () => (await one.query(procedure, input)).data
  if (of === 'team') {
    const path = { id: team.id }
    const read = reader('teams.get', path)
    const before = (await read()).description as string
    return {
      one,
      other,
      form: {
        save: 'teams.save',
        path,
        read,
        text: ['description', before, 'Ada', 'Ben'],
        flag: ['includes_all_repositories', false, true],
      },
    }
  }
  if (of === 'organization') {
    const path = { org: org.name }
    const read = async () => (await one.query('orgs.getOverview', path)).data.organization
    const before = String((await read()).visibility)
    return {
      one,
      other,
      form: {
        save: 'orgs.save',
        path,
        read,
        text: ['description', '', 'Ada', 'Ben'],
        flag: ['visibility', before, before === 'public' ? 'limited' : 'public'],
      },
    }
  }
  const { id, name } = await makeRepository(site.db, org.id)
  const path = { owner: org.name, repo: name }
  if (of === 'release') {
    const release = await makeRelease(site.db, id, { is_draft: true, body: 'Notes' })
    const ofRelease = { ...path, id: release.id }
    return {
      one,
      other,
      form: {
        save: 'releases.save',
        path: ofRelease,
        read: reader('releases.get', ofRelease),
        text: ['body', 'Notes', '', 'More'],
        flag: ['prerelease', false, true],
      },
    }
  }
  return {
    one,
    other,
    form: {
      save: 'repos.save',
      path,
      read: reader('repos.get', path),
      text: ['description', '', 'Ada', 'Ben'],
      flag: ['template', false, true],
    },
  }
}

describe.each(['repository', 'team', 'organization', 'profile', 'account', 'release'])(
  'the form of a %s',
  of => {
    it('saves changes of two editors to different fields', async () => {
      const { one, other, form } = await twoEditors(of)
      const [text, textBefore, written] = form.text
      const [flag, flagBefore, set] = form.flag
      const first = { ...form.path, changes: { [text]: written }, expected: { [text]: textBefore } }
      const second = { ...form.path, changes: { [flag]: set }, expected: { [flag]: flagBefore } }
      const answers = await Promise.all([one.mutate(form.save, first), other.mutate(form.save, second)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await form.read()).toMatchObject({ [text]: written, [flag]: set })
    })

    it('returns 409 with the current value to the later of two editors of one field, and overwrites nothing', async () => {
      const { one, other, form } = await twoEditors(of)
      const [text, before, ...written] = form.text
      const save = (browser: Browser, value = '') =>
        browser.mutate(form.save, { ...form.path, changes: { [text]: value }, expected: { [text]: before } })
      const answers = await Promise.all([save(one, written[0]), save(other, written[1])])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const landed = written[answers.findIndex(({ status }) => status === 200)]
      const refused = answers.find(({ status }) => status === 409)
      expect(refused?.error?.data).toMatchObject({ kind: 'conflict', current: { [text]: landed } })
      expect((await form.read())[text]).toBe(landed)
      // A change that expects the current value succeeds.
      const again = { ...form.path, changes: { [text]: 'Both' }, expected: { [text]: landed } }
      expect((await other.mutate(form.save, again)).status).toBe(200)
      expect((await form.read())[text]).toBe('Both')
    })

    it('returns 200 to two editors who save the same values', async () => {
      const { one, other, form } = await twoEditors(of)
      const [text, before, written] = form.text
      const edit = { ...form.path, changes: { [text]: written }, expected: { [text]: before } }
      expect((await one.mutate(form.save, edit)).status).toBe(200)
      expect((await other.mutate(form.save, edit)).status).toBe(200)
    })

    it('returns 400 if it lacks the expected value of a changed field', async () => {
      const { one, form } = await twoEditors(of)
      const [text, , written] = form.text
      const edit = { ...form.path, changes: { [text]: written }, expected: {} }
      const { status, error } = await one.mutate(form.save, edit)
      expect([status, error?.data.field]).toEqual([400, text])
    })
  },
)

it('saving a team’s description does not restore an admin permission removed since the form was opened', async () => {
  const { owner, team } = await makeTeamCast(site, { team: { mode: 'admin' } })
  const browser = await signIn(site, owner)
  const { description } = (await browser.query('teams.get', { id: team.id })).data
  await browser.mutate('teams.edit', { id: team.id, permission: 'read', units: ['repo.code'] })
  const edit = {
    id: team.id,
    changes: { description: 'Builds engines.', includes_all_repositories: true },
    expected: { description, includes_all_repositories: false },
  }
  expect((await browser.mutate('teams.save', edit)).status).toBe(200)
  expect((await browser.query('teams.get', { id: team.id })).data).toMatchObject({
    description: 'Builds engines.',
    includes_all_repositories: true,
    permission: 'read',
    units: ['repo.code'],
  })
})
