import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

/** Sends a request except for the end of its body; `finish` sends the rest and returns the status. */
function beginPost(path: string, authorization: string, body: object): { finish: () => Promise<number> } {
  const text = JSON.stringify(body)
  const sent = request(`${site.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  })
  const status = new Promise<number>((resolve, reject) => {
    sent.on('error', reject).on('response', response => resolve(response.resume().statusCode ?? 0))
  })
  sent.write(text.slice(0, -1))
  return {
    finish: () => {
      sent.end(text.slice(-1))
      return status
    },
  }
}

async function credentialsOf({ account: { id } }: Person) {
  const keys = await site.db.selectFrom('public_keys').select('title').where('owner_id', '=', id).execute()
  const tokens = await site.db.selectFrom('access_tokens').select('name').where('user_id', '=', id).execute()
  const deployed = await site.db
    .selectFrom('deploy_keys')
    .innerJoin('repositories', 'repositories.id', 'deploy_keys.repository_id')
    .select('deploy_keys.title')
    .where('repositories.owner_id', '=', id)
    .execute()
  return [...keys, ...tokens, ...deployed]
}

describe('revoking all credentials of an account', () => {
  it('rejects requests that had already started to create a key, deploy key, or access token with 401', async () => {
    const person = await makePerson(site)
    const repository = await makeRepository(site.db, person.account.id)
    const browser = await signIn(site, person)
    const token = `token ${person.token}`
    const basic = `Basic ${Buffer.from(`${person.name}:${person.token}`).toString('base64')}`
    const begun = [
      beginPost('/user/keys', token, { title: 'x', key: newKey().text }),
      beginPost(`/repos/${person.name}/${repository.name}/keys`, token, { title: 'x', key: newKey().text }),
      beginPost(`/users/${person.name}/tokens`, basic, { name: 'x', scopes: ['all'] }),
    ]
    // Long enough for each request to be authenticated.
    await wait(300)
    const revoked = await browser.mutate('removals.revokeOwn', { current_password: person.password })
    expect(revoked.status).toBe(200)
    expect(await Promise.all(begun.map(({ finish }) => finish()))).toEqual([401, 401, 401])
    expect(await credentialsOf(person)).toEqual([])
  })

  it.each(['session', 'token'])(
    'prevents a %s from adding keys while it runs and after it has responded',
    async kind => {
      const person = await makePerson(site)
      const [browser, thief] = [await signIn(site, person), await signIn(site, person)]
      const addKey = async (title: string): Promise<number> => {
        const body = { title, key: newKey().text }
        if (kind === 'session') return (await thief.mutate('keys.add', body)).status
        return (await call(site, 'POST', '/user/keys', { as: person, body })).status
      }
      const steps = new EventEmitter()
      const [isLocked, isReleased] = [once(steps, 'locked'), once(steps, 'released')]
      // Keeps the revocation from finishing.
      const holder = site.db.transaction().execute(async trx => {
        const { id } = person.account
        await trx.selectFrom('access_tokens').select('id').where('user_id', '=', id).forUpdate().execute()
        steps.emit('locked')
        await isReleased
      })
      await isLocked
      let isAnswered = false
      const revoking = browser
        .mutate('removals.revokeOwn', { current_password: person.password })
        .finally(() => {
          isAnswered = true
        })
      await wait(300)
      let count = 0
      const add = async () => {
        const beganAfter = isAnswered
        return { beganAfter, status: await addKey(`key ${count++}`) }
      }
      const adding = [add()]
      await wait(300)
      steps.emit('released')
      while (!isAnswered) {
        adding.push(add())
        await wait(10)
      }
      for (let more = 0; more < 5; more++) adding.push(add())
      await holder
      expect((await revoking).status).toBe(200)
      // With the single connection of the embedded database, a waiting request can run before the revocation,
      // which then revokes the added key.
      const refused = [401, 409]
      const waited = site.services.database.kind === 'embedded' ? [200, 201, ...refused] : refused
      const added = await Promise.all(adding)
      for (const { beganAfter, status } of added) expect(beganAfter ? refused : waited).toContain(status)
      expect(added.filter(({ beganAfter }) => beganAfter)).toHaveLength(5)
      expect(await credentialsOf(person)).toEqual([])
    },
  )
})
