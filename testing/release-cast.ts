import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import type { CallOptions } from './call'
import { makePerson, makeToken } from './people'
import type { Site } from './site'

/**
 * The roles of callers toward an organization's repository that differ in their access to releases and
 * drafts.
 */
export const releaseRoles = [
  'anonymous',
  'outsider',
  'releases reader',
  'code writer',
  'releases writer',
  'writer with a read-only token',
  'owner',
  'site admin',
] as const
export type ReleaseRole = (typeof releaseRoles)[number]

export interface ReleaseCast {
  repository: { id: number; name: string }
  /** The API path of the repository, below `/api/v1`. */
  path: string
  as: Record<ReleaseRole, CallOptions['as']>
}

/** Creates a repository of an organization, by default a public one, and a caller in every release role. */
export async function makeReleaseCast(
  site: Site,
  make: (org: { id: number; name: string }) => Promise<{ id: number; name: string }> = org =>
    makeRepository(site.db, org.id),
): Promise<ReleaseCast> {
  const [owner, admin, outsider, reader, coder, writer] = await Promise.all([
    makePerson(site),
    makePerson(site, { is_admin: true }),
    makePerson(site),
    makePerson(site),
    makePerson(site),
    makePerson(site),
  ])
  const made = await makeOrg(site.db, owner.account.id)
  const repository = await make(made)
  const teams = [
    [reader, { 'repo.releases': 'read' }],
    [coder, { 'repo.code': 'write' }],
    [writer, { 'repo.releases': 'write', 'repo.code': 'read' }],
  ] as const
  for (const [person, units] of teams) {
    const team = await makeTeam(site.db, made.id, { mode: 'read' }, units)
    await addToTeam(site.db, team, person.account.id)
    await attach(site.db, team, repository.id)
  }
  const reading = await makeToken(site, writer.account.id, ['read:repository'])
  return {
    repository,
    path: `/repos/${made.name}/${repository.name}`,
    as: {
      anonymous: undefined,
      outsider,
      'releases reader': reader,
      'code writer': coder,
      'releases writer': writer,
      'writer with a read-only token': { token: reading },
      owner,
      'site admin': admin,
    },
  }
}
