import { afterAll, describe, expect, it } from 'vitest'
import { openEmbeddedCopy } from './testing/embedded-template'
import { makeKey, makeUser } from './testing/factories'
import { startPostgres } from './testing/postgres-server'
import { openServerCopy } from './testing/server-template'
import { foreignKeyViolation, uniqueViolation } from './violation'

const server = await startPostgres()
afterAll(() => server?.stop())

const kinds = [
  { kind: 'embedded', open: openEmbeddedCopy },
  ...(server ? [{ kind: 'server', open: () => openServerCopy(server.url) }] : []),
]

describe.each(kinds)('uniqueViolation and foreignKeyViolation on the $kind database', ({ open }) => {
  it('return the name of the violated constraint or index', async () => {
    const database = await open()
    const user = await makeUser(database.db)
    const key = await makeKey(database.db, user.id)
    const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

    const sameName = await failure(makeUser(database.db, { name: user.name.toUpperCase() }))
    expect(uniqueViolation(sameName)).toBe('users_name_unique')
    expect(foreignKeyViolation(sameName)).toBeUndefined()

    const sameTitle = await failure(makeKey(database.db, user.id, { title: key.title }))
    expect(uniqueViolation(sameTitle)).toBe('public_keys_title_unique')

    const nobody = await failure(makeKey(database.db, 999_999))
    expect(foreignKeyViolation(nobody)).toBe('public_keys_owner_id_fkey')
    expect(uniqueViolation(nobody)).toBeUndefined()
    await database.close()
  })
})

it('uniqueViolation and foreignKeyViolation return undefined for any other error', () => {
  expect(uniqueViolation(new Error('no'))).toBeUndefined()
  expect(uniqueViolation(undefined)).toBeUndefined()
  expect(foreignKeyViolation({ code: '23503' })).toBeUndefined()
})
