import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import {
  addToOrg,
  addToTeam,
  attach,
  makeOrg,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import {
  accessByIdOf,
  organizationAccess,
  type RepositoryRef,
  repositoryAccess,
  type Subject,
  subjectFor,
} from './'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const visibilities = ['public', 'limited', 'private'] as const

/**
 * Creates organizations and people of every visibility with repositories, and people in every relation to
 * them.
 */
async function makeWorld() {
  const { db } = database
  const subjects: Subject[] = [{ kind: 'anonymous' }]
  const account = { is_admin: false, is_restricted: false }
  const person = async (overrides: Partial<typeof account> = {}) => {
    const { id } = await makeUser(db, overrides)
    subjects.push(subjectFor({ ...account, ...overrides, id }))
    return id
  }
  await person({ is_admin: true })
  await person({ is_restricted: true })
  await person()
  const organizations = []
  const repositories: RepositoryRef[] = []
  for (const visibility of visibilities) {
    const org = await makeOrg(db, await person(), { visibility })
    organizations.push({ id: org.id, visibility })
    await addToOrg(db, org.id, await person({ is_restricted: true }))
    for (const is_private of [true, false]) {
      const repository = await makeRepository(db, org.id, { is_private })
      const owner = { id: org.id, visibility, kind: 'organization' } as const
      repositories.push({ id: repository.id, is_private, owner })
      const team = await makeTeam(db, org.id, { mode: 'read' }, { 'repo.issues': 'write' })
      await attach(db, team, repository.id)
      const both = await person()
      for (const user_id of [both, await person({ is_restricted: true })]) {
        const row = { repository_id: repository.id, user_id, mode: 'write' as const }
        await db.insertInto('repository_collaborators').values(row).execute()
      }
      await addToTeam(db, team, both)
    }
    const ownerId = await person()
    const own = await makeRepository(db, ownerId, { is_private: true })
    repositories.push({ id: own.id, is_private: true, owner: { id: ownerId, visibility, kind: 'person' } })
  }
  return { subjects, organizations, repositories }
}

it('accessByIdOf returns the same access for each organization and repository as the function for a single one', async () => {
  const { db } = database
  const { subjects, organizations, repositories } = await makeWorld()
  const accessById = await accessByIdOf(db, subjects, { organizations, repositories })
  for (const [index, subject] of subjects.entries()) {
    for (const org of organizations) {
      const { mayCreateRepository, ...alone } = await organizationAccess(db, subject, org)
      expect(accessById[index]!.organization(org.id)).toEqual(alone)
    }
    for (const repository of repositories) {
      expect(accessById[index]!.repository(repository.id)).toEqual(
        await repositoryAccess(db, subject, repository),
      )
    }
    expect(accessById[index]!.organization(0)).toBeUndefined()
    expect(accessById[index]!.repository(0)).toBeUndefined()
  }
})
