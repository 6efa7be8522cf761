import { subjectOf, visibleOrganizations, visiblePeople, visibleRepositories } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { findRows } from './find-rows'
import type { FindInput, Found } from './schema'
import { accounts, repositories, selectTeams } from './store'
import { wordsIn } from './words'

/**
 * Finds repositories, organizations, people and teams that the caller may see and that have every word in their names, in
 * any order and case; a word with a slash is part of `owner/name`. Those named exactly so come first, then those that
 * begin with a word.
 */
export async function find(
  { db, caller }: Pick<ServiceCtx, 'db' | 'caller'>,
  { q, limit }: FindInput,
): Promise<Found> {
  const words = wordsIn(q)
  if (words.length === 0) return { repositories: [], organizations: [], people: [], teams: [] }
  const subject = subjectOf(caller)
  const [repos, organizations, people, teams] = await Promise.all([
    findRows(db, repositories(visibleRepositories(subject)), words, limit),
    findRows(db, accounts('organization', visibleOrganizations(subject)), words, limit),
    findRows(db, accounts('person', visiblePeople(subject)), words, limit),
    subject.kind === 'user' ? selectTeams(db, subject, words, limit) : [],
  ])
  return { repositories: repos, organizations, people, teams }
}
