import { expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { documentedEndpoints } from '@/testing/endpoints'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

it('the OpenAPI document lists exactly the redirect statuses that former names return', async () => {
  const as = await makePerson(site, { is_admin: true })
  const person = await makePerson(site)
  const org = await makeOrg(site.db, as.account.id)
  const repository = await makeRepository(site.db, org.id)
  const [account, repo] = [`${org.name}-renamed`, `${repository.name}-renamed`]
  await call(site, 'PATCH', `/repos/${org.name}/${repository.name}`, { as, body: { name: repo } })
  await call(site, 'POST', `/orgs/${org.name}/rename`, { as, body: { new_name: account } })
  const present = { owner: account, org: account, username: person.name, repo }
  const former = { owner: org.name, org: org.name, username: org.name, repo: repository.name }
  const { paths } = (await call(site, 'GET', '/openapi.json')).body

  const answered: Record<string, string[]> = {}
  const documented: Record<string, string[]> = {}
  for (const { method, path, pathFields } of await documentedEndpoints(site)) {
    const renamed = pathFields.filter(field => field in former)
    if (renamed.length === 0) continue
    const statuses = new Set<string>()
    for (const field of renamed) {
      const values: Record<string, string> = { ...present, [field]: former[field as keyof typeof former] }
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1')
      const answer = await call(site, method, target, { as, body: method === 'GET' ? undefined : {} })
      if (answer.status > 300 && answer.status < 400) statuses.add(String(answer.status))
    }
    const name = `${method} ${path}`
    answered[name] = [...statuses].sort()
    documented[name] = Object.keys(paths[path][method.toLowerCase()].responses).filter(
      // 302 redirects to a file, and 304 is not a redirect.
      status => /^3(?!0[24])/.test(status),
    )
  }
  expect(documented).toEqual(answered)
  expect(Object.values(answered).flat()).toEqual(expect.arrayContaining(['301', '307', '308']))
})
