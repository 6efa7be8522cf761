import { subjectOf, visibleOrganizations, visiblePeople, visibleRepositories } from '@/server/access'
import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooBusy } from '@/server/kernel/errors'
import { createFairLimit } from '@/server/kernel/fair-limit'
import { singleton } from '@/server/kernel/singleton'
import type { FindInput, Found } from './schema'
import { findRows } from './search-rows'
import { accounts, repositories, selectTeams } from './store'
import { termsIn } from './terms'

type Seeker = Pick<ServiceCtx, 'db' | 'caller' | 'remoteAddress' | 'disconnected'>

// Asked with each letter that is typed. Each takes four connections of the ten to the database; the others are left to the rest.
const limits = {
  concurrency: 2,
  maxQueue: 100,
  timeoutMs: 5_000,
  address: 1,
  anonymousAddress: 1,
  anonymous: 1,
}

/**
 * Finds repositories, organizations, people and teams that the caller may see and that have every word in their names, in
 * any order and case; a word with a slash is part of `owner/name`. Of more than six words the first six count. Those named
 * exactly so come first, then those that begin with a word. Words of one or two letters alone are found in names that begin
 * with one, and among the first names.
 * @throws {DomainError} tooManyRequests, to be tried again in a second, when the caller and others ask for too much at once.
 */
export async function find(ctx: Seeker, { q, limit }: FindInput): Promise<Found> {
  const terms = termsIn(q)
  if (terms.length === 0) return { repositories: [], organizations: [], people: [], teams: [] }
  return await oneAtATime(ctx, () => look(ctx, terms, limit))
}

function oneAtATime<T>(
  { caller, remoteAddress: address, disconnected }: Seeker,
  work: () => Promise<T>,
): Promise<T> {
  const share = singleton('find-limit', () => createFairLimit(limits, tooBusy))
  const account = caller.kind === 'user' ? caller.user.id : undefined
  return share({ address, isAnonymous: isAnonymous(caller), account, disconnected }, work)
}

async function look({ db, caller }: Seeker, terms: readonly string[], limit: number): Promise<Found> {
  const subject = subjectOf(caller)
  const [repos, organizations, people, teams] = await Promise.all([
    findRows(db, repositories(visibleRepositories(subject)), terms, limit),
    findRows(db, accounts('organization', visibleOrganizations(subject)), terms, limit),
    findRows(db, accounts('person', visiblePeople(subject)), terms, limit),
    subject.kind === 'user' ? selectTeams(db, subject, terms, limit) : [],
  ])
  return { repositories: repos, organizations, people, teams }
}
