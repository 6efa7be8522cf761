import type { ServiceCtx } from '@/server/kernel/ctx'
import { shownName } from '@/server/kernel/git/ref-text'
import { findRevision } from '@/server/kernel/git/revision'
import { languageNamed } from '@/server/kernel/rendering'
import { unlessUnreadable } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { loadCode, withCode, withReading } from '../context'
import { type LanguageSizes, languagesWithin } from '../languages'
import { findLicenseFiles } from '../licenses'
import type { CodeRoot, LanguageShare } from './schema'
import { showPath } from './show'

// The page is shown without its languages, and gets them afterward.
const waitMs = 20
const longWaitMs = 15_000
const maxShown = 8

/**
 * Returns what the home page of a repository shows of its code. `page` is null if nothing has been pushed to the
 * default branch, and if Git cannot read it or is too busy, which `isUnreadable` says.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function showRoot(ctx: ServiceCtx, path: RepoPath): Promise<CodeRoot> {
  const { repository, git } = await loadCode(ctx, path)
  const none = { page: null, licenses: [], languages: [] }
  const found = await unlessUnreadable(ctx, repository, async () => {
    const about = await withReading(ctx, async () => {
      const revision = await findRevision(git, repository.default_branch)
      if (!revision) return undefined
      const sizes = await languagesWithin(waitMs, git, revision.commit)
      const licenses = await findLicenseFiles(git, revision.commit)
      return {
        licenses: licenses.map(({ name, license }) => ({ name: shownName(name), license })),
        languages: sizes ? sharesOf(sizes) : null,
      }
    })
    return about ? { page: await showPath(ctx, { ...path, path: '', source: false }), ...about } : none
  })
  return found ? { ...found, isUnreadable: false } : { ...none, isUnreadable: true }
}

/**
 * Returns the languages of the default branch, for which its home page waits after it is shown. Empty if they
 * cannot be found at present.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function showLanguages(ctx: ServiceCtx, path: RepoPath): Promise<LanguageShare[]> {
  return await withCode(ctx, path, async ({ git, repository }) => {
    const revision = await findRevision(git, repository.default_branch)
    return sharesOf((revision && (await languagesWithin(longWaitMs, git, revision.commit))) ?? {})
  })
}

/** Converts sizes to percentages of the first languages, and the rest. Leaves out what would be 0.0%. */
export function sharesOf(sizes: LanguageSizes): LanguageShare[] {
  const all = Object.entries(sizes)
  const total = all.reduce((sum, [, size]) => sum + size, 0)
  const percentOf = (size: number): number => Math.round((1000 * size) / total) / 10
  const shown = all.slice(0, maxShown).filter(([, size]) => percentOf(size) > 0)
  const rest = percentOf(all.slice(shown.length).reduce((sum, [, size]) => sum + size, 0))
  return [
    ...shown.map(([name, size]) => ({
      name,
      color: languageNamed(name)?.color ?? null,
      percent: percentOf(size),
    })),
    ...(rest > 0 ? [{ name: 'Other', color: null, percent: rest }] : []),
  ]
}
