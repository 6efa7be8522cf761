import { maySeePerson, subjectOf } from '@/server/access'
import { findPeopleByName } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type MarkdownOptions, maxFormattedLength, mentionsIn } from '@/server/kernel/markdown'
import type { ReleasesFor } from '../load'

type ViewCtx = Pick<ServiceCtx, 'config' | 'db' | 'caller'>

/**
 * Returns the options for rendering release notes as Markdown for this viewer. Mentions become links only for
 * people whom the viewer can see.
 */
export async function notesOptions(
  { config, db, caller }: ViewCtx,
  { owner, repository }: Pick<ReleasesFor, 'owner' | 'repository'>,
  notes: readonly string[],
): Promise<MarkdownOptions> {
  const formatted = notes.filter(({ length }) => length <= maxFormattedLength)
  const names = [...new Set(formatted.flatMap(mentionsIn))]
  const people = names.length === 0 ? [] : await findPeopleByName(db, names)
  const subject = subjectOf(caller)
  const shown = people.filter(person => maySeePerson(subject, person))
  return {
    baseUrl: config.baseUrl,
    repository: `/${owner.name}/${repository.name}`,
    people: new Set(shown.map(({ name }) => name.toLowerCase())),
    hasLanguages: true,
  }
}
