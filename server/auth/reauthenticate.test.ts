import { describe, expect, it } from 'vitest'
import type { UserCaller } from '@/server/kernel/caller'
import { requestContext } from '@/server/services'
import { signIn } from '@/testing/browser'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { authenticate, authenticateAnyone } from './authenticate'
import { reauthenticate } from './reauthenticate'

const site = useSite()
const ctx = () => requestContext(site.services, { remoteAddress: '127.0.0.1', requestId: 'test' })

async function bySession(person: Person): Promise<UserCaller> {
  const { cookie } = await signIn(site, person)
  return (await authenticateAnyone(ctx(), { cookie })) as UserCaller
}

async function bySudo(admin: Person, as: Person): Promise<UserCaller> {
  return (await authenticate(ctx(), { authorization: `token ${admin.token}`, sudo: as.name })) as UserCaller
}

const change = (person: Person, values: { is_admin?: boolean; prohibit_login?: boolean; name?: string }) =>
  site.db.updateTable('users').set(values).where('id', '=', person.account.id).execute()

describe('reauthenticate', () => {
  it('returns the same session with the current account', async () => {
    const person = await makePerson(site)
    const caller = await bySession(person)
    expect(await reauthenticate(ctx(), caller)).toEqual(caller)
    await change(person, { is_admin: true })
    expect(await reauthenticate(ctx(), caller)).toMatchObject({ user: { is_admin: true } })
  })

  it('refuses an expired session and the session of a suspended account', async () => {
    const person = await makePerson(site)
    const caller = await bySession(person)
    await change(person, { prohibit_login: true })
    await expect(reauthenticate(ctx(), caller)).rejects.toMatchObject({ kind: 'forbidden' })
    await change(person, { prohibit_login: false })
    await site.db.deleteFrom('sessions').where('user_id', '=', person.account.id).execute()
    await expect(reauthenticate(ctx(), caller)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('keeps an administrator acting as the same person after that person was renamed', async () => {
    const [admin, person] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    const caller = await bySudo(admin, person)
    expect(await reauthenticate(ctx(), caller)).toEqual(caller)
    await change(person, { name: `${person.name}-renamed` })
    const again = await reauthenticate(ctx(), caller)
    expect(again).toMatchObject({ user: { id: person.account.id }, actor: { id: admin.account.id } })
  })

  it('refuses a request with sudo after the administrator was demoted or their token was deleted', async () => {
    const [admin, person] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    const caller = await bySudo(admin, person)
    await change(admin, { is_admin: false })
    await expect(reauthenticate(ctx(), caller)).rejects.toMatchObject({ kind: 'forbidden' })
    await change(admin, { is_admin: true })
    await site.db.deleteFrom('access_tokens').where('user_id', '=', admin.account.id).execute()
    await expect(reauthenticate(ctx(), caller)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})
