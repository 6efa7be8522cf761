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

// The search runs on every keystroke and uses four of the ten database connections; the rest are for other
// requests.
const limits = {
  concurrency: 2,
  maxQueue: 100,
  timeoutMs: 5_000,
  address: 1,
  anonymousAddress: 1,
  anonymous: 1,
}

/**
 * Finds repositories, organizations, people, and teams that are visible to the caller and whose names contain
 * every word, in any order and case. A word with a slash is matched against `owner/name`. Only the first six
 * words are used. Exact names rank first, then names that start with a word. A search with only one- and
 * two-letter words returns only names that start with one of them and matches among the first names.
 * @throws {DomainError} tooManyRequests, with a retry after one second, if too many searches are pending.
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
