import { expect, it } from 'vitest'
import { Browser, signIn } from '@/testing/browser'
import { makeCode } from '@/testing/code'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const inputFor = (owner: string, repo: string) => ({
  owner,
  repo,
  files: [{ operation: 'create', path: 'large', content: 'A'.repeat(2 * 1024 * 1024) }],
})

it('a body with files can be large if the caller is signed in, and nobody else’s is read', async () => {
  const owner = await makePerson(site)
  const { name } = await makeCode(site, owner, { a: '1' })
  const input = inputFor(owner.name, name)
  expect((await (await signIn(site, owner)).mutate('code.changeFiles', input)).status).toBe(200)
  const anonymous = new Browser(site, { 'sec-fetch-site': 'same-origin' })
  expect((await anonymous.mutate('code.changeFiles', input)).status).toBe(401)
})
