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
import { findAccountById } from '@/server/kernel/account'
import { anonymous, type Caller } from '@/server/kernel/caller'
import { selectCounts } from '@/server/orgs/store'
import { maySeeRepository, organizationAccess, repositoryAccesses, subjectOf } from '.'
import { countRepositories } from './repository-count'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const visibilities = ['public', 'limited', 'private'] as const

/**
 * Creates an organization with repositories shared in every way, and a caller in every relation to it,
 * restricted or not.
 */
async function makeWorld(visibility: (typeof visibilities)[number]) {
  const { db } = database
  const callers: [string, Caller][] = [['nobody', anonymous]]
  const org = await makeOrg(db, (await makeUser(db)).id, { visibility })
  const teams = {
    reader: await makeTeam(db, org.id),
    keeper: await makeTeam(db, org.id, { mode: 'admin' }, {}),
    'empty-handed': await makeTeam(db, org.id, { mode: 'write' }, { 'repo.code': 'none' }),
    owner: { id: org.ownersTeamId, org_id: org.id },
  }
  const repositories = []
  for (const is_private of [false, false, true, true, true]) {
    repositories.push(await makeRepository(db, org.id, { is_private }))
  }
  const [shared, , hidden] = repositories.map(repository => repository.id)
  for (const id of [shared, hidden]) {
    for (const team of [teams.reader, teams.keeper, teams['empty-handed']]) await attach(db, team, id ?? 0)
  }
  for (const title of ['member', 'outsider', 'administrator', 'collaborator', ...Object.keys(teams)]) {
    for (const is_restricted of [true, false]) {
      const { id } = await makeUser(db, { is_restricted, is_admin: title === 'administrator' })
      if (title === 'member') await addToOrg(db, org.id, id)
      const team = teams[title as keyof typeof teams]
      if (team) await addToTeam(db, team, id)
      if (title === 'collaborator' || title === 'reader') {
        const row = { repository_id: hidden ?? 0, user_id: id, mode: 'read' as const }
        await db.insertInto('repository_collaborators').values(row).execute()
      }
      const user = await findAccountById(db, id)
      if (!user) throw new Error('the account just made is not there')
      const caller: Caller = { kind: 'user', user, credential: { kind: 'session', sessionId: 1 } }
      callers.push([`${title}${is_restricted ? ', restricted' : ''}`, caller])
    }
  }
  return { org, callers, repositories }
}

it.each(visibilities)(
  'countRepositories counts exactly the repositories of a %s organization that each caller can see',
  async which => {
    const { db } = database
    const { org: made, callers, repositories } = await makeWorld(which)
    const [org, counts] = [await findAccountById(db, made.id), await selectCounts(db, made.id)]
    if (!org || !counts) throw new Error('the organization just made is not there')
    for (const [decided, caller] of callers) {
      const subject = subjectOf(caller)
      const access = await organizationAccess(db, subject, org)
      if (!access.visible) continue
      const refs = repositories.map(repository => ({ ...repository, owner: org }))
      const seen = (await repositoryAccesses(db, subject, refs)).filter(maySeeRepository)
      const count = await countRepositories(db, subject, { org, access }, counts)
      expect([decided, count]).toEqual([decided, seen.length])
    }
  },
)
