import { giteaApi } from 'gitea-js'
import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { unseal } from '@/server/kernel/seal'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const config = { url: 'https://ci.example.test/hook', content_type: 'json', secret: 'hunter2' }

/** The five operations that a client has for the webhooks of one owner. */
interface Client {
  list(): Promise<{ data: unknown }>
  create(body: {
    type: 'gitea'
    config: Record<string, string>
    events: string[]
    active: boolean
  }): Promise<{
    status: number
    data: { id?: number }
  }>
  get(id: number): Promise<{ data: unknown }>
  edit(id: number, body: object): Promise<{ data: unknown }>
  remove(id: number): Promise<{ status: number }>
}

describe('unmodified gitea-js', () => {
  it('creates, lists, shows, edits, and deletes webhooks of an organization, a repository, a user, and the site', async () => {
    const ada = await makePerson(site, { is_admin: true })
    const org = await makeOrg(site.db, ada.account.id)
    const repository = await makeRepository(site.db, ada.account.id)
    const { orgs, user, repos, admin } = giteaApi(site.url, { token: ada.token })
    const at = [ada.name, repository.name] as const
    const clients: Client[] = [
      {
        list: () => orgs.orgListHooks(org.name, { page: 1, limit: 10 }),
        create: body => orgs.orgCreateHook(org.name, body),
        get: id => orgs.orgGetHook(org.name, id),
        edit: (id, body) => orgs.orgEditHook(org.name, id, body),
        remove: id => orgs.orgDeleteHook(org.name, id),
      },
      {
        list: () => repos.repoListHooks(...at),
        create: body => repos.repoCreateHook(...at, body),
        get: id => repos.repoGetHook(...at, id),
        edit: (id, body) => repos.repoEditHook(...at, id, body),
        remove: id => repos.repoDeleteHook(...at, id),
      },
      {
        list: () => user.userListHooks(),
        create: body => user.userCreateHook(body),
        get: id => user.userGetHook(id),
        edit: (id, body) => user.userEditHook(id, body),
        remove: id => user.userDeleteHook(id),
      },
      {
        list: () => admin.adminListHooks(),
        create: body =>
          admin.adminCreateHook({ ...body, config: { ...body.config, is_system_webhook: 'true' } }),
        get: id => admin.adminGetHook(id),
        edit: (id, body) => admin.adminEditHook(id, body),
        remove: id => admin.adminDeleteHook(id),
      },
    ]
    for (const client of clients) {
      const made = await client.create({ type: 'gitea', config, events: ['push', 'release'], active: true })
      const { secret: _, ...shown } = config
      expect(made).toMatchObject({ status: 201, data: { config: shown, active: true } })
      const id = made.data.id!
      expect((await client.get(id)).data).toEqual(made.data)
      expect((await client.list()).data).toEqual([made.data])
      const edited = await client.edit(id, { events: ['create'], active: false })
      expect(edited.data).toMatchObject({ id, events: ['create'], active: false, config: shown })
      expect((await client.remove(id)).status).toBe(204)
      await expect(client.get(id)).rejects.toMatchObject({ status: 404 })
    }
  })
})

/** The bodies that Terraform's provider sends through the Go SDK, which sends all fields in every request. */
const resource = {
  config: { url: config.url, content_type: 'json' },
  events: ['push', 'create'],
  branch_filter: 'main',
  active: true,
  authorization_header: '',
}

describe('the requests of Terraform’s gitea_repository_webhook', () => {
  it.each(['repository', 'organization'])('keep a webhook in the desired state: %s', async level => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const repository = await makeRepository(site.db, org.id)
    const path =
      level === 'repository' ? `/repos/${org.name}/${repository.name}/hooks` : `/orgs/${org.name}/hooks`
    const send = async (method: string, ending: string, body?: object) => {
      const answer = await call(site, method, path + ending, {
        as: owner,
        // The SDK sends a JSON content type even without a body.
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(body ? { body } : {}),
      })
      return answer
    }
    const withSecret = { ...resource.config, secret: 'hunter2' }
    const made = await send('POST', '', { type: 'gitea', ...resource, config: withSecret, name: '' })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body
    const desired = { ...resource, events: ['create', 'push'] }
    expect((await send('GET', `/${id}`)).body).toMatchObject(desired)

    // Applying a change of one attribute sends all of them, and omits an unset secret.
    const changed = await send('PATCH', `/${id}`, {
      ...resource,
      config: withSecret,
      branch_filter: 'dev',
      name: null,
    })
    expect(changed.status).toBe(200)
    await send('PATCH', `/${id}`, { ...resource, events: [], branch_filter: '' })
    const read = await send('GET', `/${id}`)
    expect(read.body).toMatchObject({ ...desired, events: ['push'], branch_filter: '' })

    // The SDK sends its zero values: null for lists that were never set, which remain unchanged.
    await send('PATCH', `/${id}`, {
      config: null,
      events: null,
      branch_filter: '',
      active: null,
      authorization_header: '',
    })
    expect((await send('GET', `/${id}`)).body).toEqual({ ...read.body, updated_at: expect.any(String) })
    const { secret_sealed } = await site.db
      .selectFrom('hooks')
      .select('secret_sealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(unseal(site.services.config, 'hook.secret', secret_sealed!)).toBe('hunter2')

    expect((await send('DELETE', `/${id}`)).status).toBe(204)
    // Terraform removes an object from its state when it gets 404.
    expect((await send('GET', `/${id}`)).status).toBe(404)
  })
})
