import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { makeOrg, makeRepository, makeUser } from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import type { Config } from '@/server/kernel/config'
import { createLog } from '@/server/kernel/log'
import { seal } from '@/server/kernel/seal'
import { secretsFor, variablesFor } from '@/server/secrets'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const config = { secretKey: 'a'.repeat(32) } as Config

async function makeScopes() {
  const { id: userId } = await makeUser(open.db)
  const org = await makeOrg(open.db, userId)
  const repository = await makeRepository(open.db, org.id)
  const other = await makeRepository(open.db, org.id)
  return { repository, owner: { owner_id: org.id }, own: { repository_id: repository.id }, other, userId }
}

const secret = (scope: object, name: string, value: string, key: Pick<Config, 'secretKey'> = config) =>
  open.db
    .insertInto('workflow_variables')
    .values({ ...scope, is_secret: true, name, value_sealed: seal(key, 'workflow.secret', value) })
    .execute()
const variable = (scope: object, name: string, value: string) =>
  open.db
    .insertInto('workflow_variables')
    .values({ ...scope, is_secret: false, name, value })
    .execute()

it("secretsFor returns the secrets of the owner and the repository only, and the repository's take precedence", async () => {
  const { repository, owner, own, other, userId } = await makeScopes()
  await secret(owner, 'A', 'of owner')
  await secret(owner, 'B', 'of owner')
  await secret(own, 'B', 'of repository')
  await secret({ repository_id: other.id }, 'C', 'of another')
  await secret({ owner_id: userId }, 'D', 'of somebody')
  await variable(owner, 'E', 'no secret')
  const log = createLog('silent')
  expect(await secretsFor({ db: open.db, config, log }, repository)).toEqual({
    secrets: { A: 'of owner', B: 'of repository' },
    sealed: [],
  })
})

it("secretsFor returns the names of secrets that the site's key cannot decrypt, and the values of the others", async () => {
  const { repository, own } = await makeScopes()
  await secret(own, 'OLD', 'x', { secretKey: 'b'.repeat(32) })
  await secret(own, 'NEW', 'y')
  const log = createLog('silent')
  expect(await secretsFor({ db: open.db, config, log }, repository)).toEqual({
    secrets: { NEW: 'y' },
    sealed: ['OLD'],
  })
})

it('variablesFor returns the variables of the site, the owner, and the repository, and the closest scope takes precedence', async () => {
  const { repository, owner, own } = await makeScopes()
  for (const name of ['A', 'B', 'C']) await variable({}, name, 'of site')
  for (const name of ['B', 'C']) await variable(owner, name, 'of owner')
  await variable(own, 'C', 'of repository')
  await secret(own, 'D', 'secret')
  expect(await variablesFor(open, repository)).toEqual({ A: 'of site', B: 'of owner', C: 'of repository' })
})
