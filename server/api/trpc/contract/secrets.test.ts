import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import type { ScopeName } from '@/server/scopes/schema'
import { secretsFor } from '@/server/secrets'
import { signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeScopes() {
  const owner = await makePerson(site, { is_admin: true })
  const org = await makeOrg(site.db, owner.account.id)
  const repository = await makeRepository(site.db, org.id)
  const ofOrg: ScopeName = { kind: 'organization', org: org.name }
  const ofRepository: ScopeName = { kind: 'repository', owner: org.name, repo: repository.name }
  const ofSite: ScopeName = { kind: 'site' }
  const browser = await signIn(site, owner)
  const add = (scope: ScopeName, kind: 'secret' | 'variable', name: string, value = 'x') =>
    browser.mutate('secrets.add', { scope, kind, name, value, description: '' })
  return { repository, ofOrg, ofRepository, ofSite, browser, add }
}

describe('secrets.browse', () => {
  it('returns inherited variables and which are overridden, but never a secret’s value', async () => {
    const { ofOrg, ofRepository, ofSite, browser, add } = await makeScopes()
    await add(ofSite, 'variable', 'SITE_ONLY')
    await add(ofSite, 'variable', 'TWICE')
    await add(ofOrg, 'variable', 'TWICE')
    await add(ofOrg, 'variable', 'OWN')
    await add(ofRepository, 'variable', 'OWN', 'here')
    await add(ofOrg, 'secret', 'TOKEN', 'hidden')
    const { data } = await browser.query('secrets.browse', { scope: ofRepository, kind: 'variable' })
    expect(data).toMatchObject({ total: 1, items: [{ name: 'OWN', value: 'here' }] })
    expect(data.inherited).toEqual([
      { name: 'OWN', from: 'owner', overridden: true },
      { name: 'SITE_ONLY', from: 'site', overridden: false },
      { name: 'TWICE', from: 'owner', overridden: false },
      { name: 'TWICE', from: 'site', overridden: true },
    ])
    const secrets = await browser.query('secrets.browse', { scope: ofOrg, kind: 'secret' })
    expect(secrets.data).toMatchObject({ items: [{ name: 'TOKEN', value: null }], inherited: [] })
    expect(JSON.stringify(secrets)).not.toContain('hidden')
    const names = await browser.query('secrets.browse', { scope: ofSite, kind: 'variable' })
    expect(names.data.inherited).toEqual([])
    for (const name of ['SITE_ONLY', 'TWICE']) {
      await browser.mutate('secrets.remove', { scope: ofSite, kind: 'variable', name })
    }
  })
})

describe('secrets.add', () => {
  it('reports a name in use next to the name field', async () => {
    const { ofRepository, add } = await makeScopes()
    await add(ofRepository, 'secret', 'A')
    expect(await add(ofRepository, 'secret', 'a')).toMatchObject({
      error: {
        data: { kind: 'alreadyExists', field: 'name', reason: { code: 'nameTaken', what: 'secret' } },
      },
    })
  })
})

describe('site secrets', () => {
  it('are rejected, even for administrators', async () => {
    const { ofSite, browser, add } = await makeScopes()
    expect(await add(ofSite, 'secret', 'A')).toMatchObject({ error: { data: { kind: 'unprocessable' } } })
    const { data } = await browser.query('secrets.browse', { scope: ofSite, kind: 'secret' })
    expect(data.total).toBe(0)
  })
})

describe('secrets.save', () => {
  it('keeps a secret’s value when only its description changes', async () => {
    const { repository, ofRepository, browser, add } = await makeScopes()
    await add(ofRepository, 'secret', 'A', 'kept')
    const change = { changes: { description: 'For builds' }, expected: { description: '' } }
    const saved = await browser.mutate('secrets.save', {
      scope: ofRepository,
      kind: 'secret',
      name: 'A',
      ...change,
    })
    expect(saved.data).toMatchObject({ name: 'A', description: 'For builds', value: null })
    expect(await secretsFor(site.services, repository)).toEqual({ secrets: { A: 'kept' }, sealed: [] })
  })

  it('rejects a change of a variable changed by someone else, and returns the current value', async () => {
    const { ofRepository, browser, add } = await makeScopes()
    await add(ofRepository, 'variable', 'A', 'theirs')
    const change = { changes: { value: 'mine' }, expected: { value: 'before' } }
    const saved = browser.mutate('secrets.save', {
      scope: ofRepository,
      kind: 'variable',
      name: 'A',
      ...change,
    })
    expect(await saved).toMatchObject({
      error: { data: { kind: 'conflict', current: { value: 'theirs' } } },
    })
  })
})
