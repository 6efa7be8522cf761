import { describe, expect, it } from 'vitest'
import { attach, makeRepository } from '@/db/testing/factories'
import { jobContext } from '@/server/services'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import type { Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'
import { hookTypeOf, payloadOf } from '.'
import { eventsAfter, payloadsOf } from './testing/payloads'
import type { HookPayload } from './types'

const site = useSite()

const as = (person: Person, method: string, path: string, body?: unknown) => () =>
  call(site, method, path, { as: person, body })

const sent = (payloads: HookPayload[]) =>
  payloads.map(({ eventType, body }) => [eventType, 'action' in body ? body.action : undefined])

describe('the payload of an organization event', () => {
  it('contains the changed fields or the former name, and no email address of the organization', async () => {
    const { owner, org } = await makeTeamCast(site, { org: { email: 'board@example.test' } })
    const [edited] = await payloadsOf(
      site,
      as(owner, 'PATCH', `/orgs/${org.name}`, { location: 'Oslo', full_name: 'Org' }),
    )
    const { body: shown } = await call(site, 'GET', `/orgs/${org.name}`)
    const { body: sender } = await call(site, 'GET', `/users/${owner.name}`)
    expect(edited).toMatchObject({ event: 'organization', eventType: 'organization', indent: 2 })
    expect(edited?.body).toEqual({
      action: 'edited',
      changes: { fields: ['full_name', 'location'] },
      organization: { ...shown, location: 'Oslo', email: '' },
      sender,
    })
    const [renamed] = await payloadsOf(
      site,
      as(owner, 'POST', `/orgs/${org.name}/rename`, { new_name: `${org.name}-new` }),
    )
    expect(renamed?.body).toMatchObject({
      action: 'renamed',
      changes: { name: { from: org.name } },
      organization: { name: `${org.name}-new` },
    })
  })

  it('shows a created organization, and a deleted one as it was', async () => {
    const { owner } = await makeTeamCast(site)
    const name = `o-${owner.name}`
    const [created] = await payloadsOf(site, as(owner, 'POST', '/orgs', { username: name, location: 'Rome' }))
    expect(created?.body).toMatchObject({
      action: 'created',
      organization: { name },
      sender: { login: owner.name },
    })
    const [deleted] = await payloadsOf(site, as(owner, 'DELETE', `/orgs/${name}`))
    expect(deleted?.body).toMatchObject({ action: 'deleted', organization: { name, location: 'Rome' } })
  })

  it('reports a person who joins through their first team or leaves through their last, in addition to the membership', async () => {
    const { owner, org, team, outsider } = await makeTeamCast(site)
    const path = `/teams/${team.id}/members/${outsider.name}`
    const came = await payloadsOf(site, as(owner, 'PUT', path))
    expect(sent(came)).toEqual([
      ['organization', 'member_added'],
      ['membership', 'added'],
    ])
    const { body: member } = await call(site, 'GET', `/users/${outsider.name}`)
    const { body: sender } = await call(site, 'GET', `/users/${owner.name}`)
    const { body: organization } = await call(site, 'GET', `/orgs/${org.name}`)
    const { body: shownTeam } = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
    expect(came[0]?.body).toEqual({ action: 'member_added', member, organization, sender })
    expect(came[1]?.body).toEqual({
      action: 'added',
      scope: 'team',
      member,
      team: { ...shownTeam, organization },
      organization,
      sender,
    })
    expect(sent(await payloadsOf(site, as(owner, 'DELETE', path)))).toEqual([
      ['organization', 'member_removed'],
      ['membership', 'removed'],
    ])
  })

  it('is sent along with a membership event for each team when a person leaves the organization', async () => {
    const { org, team, inTeam } = await makeTeamCast(site)
    const left = await payloadsOf(site, as(inTeam, 'DELETE', `/orgs/${org.name}/members/${inTeam.name}`))
    expect(left.map(({ body }) => body)).toMatchObject([
      { action: 'removed', scope: 'team', team: { id: team.id }, member: { login: inTeam.name } },
      { action: 'member_removed', member: { login: inTeam.name }, sender: { login: inTeam.name } },
    ])
  })

  it('shows a member whose account was deleted with their former name', async () => {
    const { root, team, inTeam } = await makeTeamCast(site)
    const left = await payloadsOf(site, as(root, 'DELETE', `/admin/users/${inTeam.name}`))
    const member = { id: inTeam.account.id, login: inTeam.name, username: inTeam.name, email: '' }
    expect(left.map(({ body }) => body)).toMatchObject([
      { action: 'removed', team: { id: team.id }, member, sender: { login: root.name } },
      { action: 'member_removed', member },
    ])
  })
})

describe('the payload of a team event', () => {
  it('shows a created or edited team, and a deleted one as it was', async () => {
    const { owner, org } = await makeTeamCast(site)
    const input = { name: 'makers', permission: 'write', units: ['repo.code'] }
    const [created] = await payloadsOf(site, as(owner, 'POST', `/orgs/${org.name}/teams`, input))
    const shown = { name: 'makers', permission: 'write', units_map: { 'repo.code': 'write' } }
    expect(created?.body).toMatchObject({ action: 'created', team: shown, organization: { name: org.name } })
    const { id } = created?.eventType === 'team' ? created.body.team : { id: 0 }
    const [edited] = await payloadsOf(site, as(owner, 'PATCH', `/teams/${id}`, { name: 'doers' }))
    expect(edited?.body).toMatchObject({ action: 'edited', team: { ...shown, name: 'doers' } })
    const [deleted] = await payloadsOf(site, as(owner, 'DELETE', `/teams/${id}`))
    expect(deleted?.body).toMatchObject({ action: 'deleted', team: { ...shown, name: 'doers', id } })
  })

  it('is not sent for a repository that has been transferred to another owner', async () => {
    const { owner, root, org, team } = await makeTeamCast(site)
    const { id, name } = await makeRepository(site.db, org.id, { is_private: true })
    await attach(site.db, team, id)
    const path = `/repos/${org.name}/${name}/transfer`
    const transferred = await payloadsOf(site, as(root, 'POST', path, { new_owner: owner.name }))
    expect(transferred.filter(({ body }) => 'team' in body)).toEqual([])
  })

  it('shows which repository was added to or removed from the team', async () => {
    const { owner, org, team } = await makeTeamCast(site)
    const { id, name } = await makeRepository(site.db, org.id)
    const path = `/teams/${team.id}/repos/${org.name}/${name}`
    const transferred = [
      ...(await payloadsOf(site, as(owner, 'PUT', path))),
      ...(await payloadsOf(site, as(owner, 'DELETE', path))),
    ]
    expect(transferred.map(({ body }) => body)).toMatchObject([
      { action: 'added_to_repository', team: { id: team.id }, repository: { id } },
      { action: 'removed_from_repository', team: { id: team.id }, repository: { id } },
    ])
  })
})

describe('the payload of a key event', () => {
  it("omits the key's private details, and shows a removed key as it was", async () => {
    const { owner } = await makeTeamCast(site)
    const { text } = newKey()
    const [added] = await payloadsOf(site, as(owner, 'POST', '/user/keys', { title: 'laptop', key: text }))
    const { body: keys } = await call(site, 'GET', `/users/${owner.name}/keys`, { as: owner })
    const { user: _, read_only: __, key_type: ___, ...key } = keys[0]
    const { body: user } = await call(site, 'GET', `/users/${owner.name}`)
    expect(added?.body).toEqual({ action: 'created', key, user, sender: user })
    const [removed] = await payloadsOf(site, as(owner, 'DELETE', `/user/keys/${key.id}`))
    expect(removed?.body).toEqual({ action: 'deleted', key, user, sender: user })
  })
})

describe('the payload of an event that is handled late', () => {
  it('shows a team that has been deleted since then as it was', async () => {
    const { owner, org, outsider } = await makeTeamCast(site)
    const last = (await eventsAfter(site, 0)).at(-1)?.id ?? 0
    const { body: team } = await call(site, 'POST', `/orgs/${org.name}/teams`, {
      as: owner,
      body: { name: 'short', permission: 'read', units: ['repo.code'] },
    })
    await call(site, 'PUT', `/teams/${team.id}/members/${outsider.name}`, { as: owner })
    await call(site, 'DELETE', `/teams/${team.id}`, { as: owner })
    const events = await eventsAfter(site, last)
    const payloads = await Promise.all(
      events.map(event => payloadOf(jobContext(site.services, 'test'), event)),
    )
    expect(payloads.map(payload => payload?.eventType)).toEqual(events.map(({ kind }) => hookTypeOf(kind)))
    for (const payload of payloads.filter(payload => payload?.eventType !== 'organization')) {
      expect(payload?.body).toMatchObject({ team: { id: team.id, name: 'short', permission: 'read' } })
    }
  })

  it('is undefined if nothing was recorded, and events of earlier versions cause no error', async () => {
    for (const event of await eventsAfter(site, 0)) {
      const older = { ...event, facts: {} } as typeof event
      await payloadOf(jobContext(site.services, 'test'), older)
      const orphaned = { ...older, ownerId: null, repositoryId: null, actorId: null }
      expect(await payloadOf(jobContext(site.services, 'test'), orphaned)).toBeUndefined()
    }
  })
})
