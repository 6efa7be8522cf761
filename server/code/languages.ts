import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { findRevision } from '@/server/kernel/git/revision'
import { GitTimeout } from '@/server/kernel/git/run'
import { isGenerated, isVendored, languageOf } from '@/server/kernel/rendering'
import { settlesWithin } from '@/server/kernel/settles-within'
import { singleton } from '@/server/kernel/singleton'
import type { RepoPath } from '@/server/repos/schema'
import { loadCode, withReading } from './context'
import { eachListed } from './tree/list-tree'

/** Number of bytes by the name of the language, most first. */
export type LanguageSizes = Record<string, number>

interface State {
  known: BoundedCache<LanguageSizes>
  /** Commits whose trees take too long to list. */
  tooLarge: BoundedCache<LanguageSizes>
  measuring: Map<string, Promise<LanguageSizes>>
}

const state = (): State =>
  singleton('code-languages', () => ({
    known: createBoundedCache({ maxSize: 2_000, maxAgeMs: 24 * 60 * 60_000 }),
    tooLarge: createBoundedCache({ maxSize: 2_000, maxAgeMs: 10 * 60_000 }),
    measuring: new Map(),
  }))

// Each measurement that a page does not wait for runs a process.
const maxMeasured = 4

/**
 * Returns how many bytes of each language the default branch has, by the names of the files. Leaves out data and
 * prose, unless there is nothing else, and files that were generated or come from elsewhere.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function listLanguages(ctx: ServiceCtx, path: RepoPath): Promise<LanguageSizes> {
  const { git, repository } = await loadCode(ctx, path)
  if (repository.is_empty) return {}
  return await withReading(ctx, async () => {
    const revision = await findRevision(git, repository.default_branch)
    return revision ? await languagesAt(git, revision.commit) : {}
  })
}

/**
 * Returns the languages of a commit, as `listLanguages` does, if they are known or found within a time. Otherwise
 * returns undefined, and the search continues, so that a later call returns them.
 */
export async function languagesWithin(
  ms: number,
  git: string,
  commit: string,
): Promise<LanguageSizes | undefined> {
  const { measuring } = state()
  const key = keyOf(git, commit)
  if (!knownBy(key) && !measuring.has(key) && measuring.size >= maxMeasured) return undefined
  // A page is shown without its languages if they cannot be found.
  const work = languagesAt(git, commit).catch(() => undefined)
  return (await settlesWithin(ms, work)) ? await work : undefined
}

const keyOf = (git: string, commit: string): string => `${git} ${commit}`
const knownBy = (key: string): LanguageSizes | undefined =>
  state().known.get(key) ?? state().tooLarge.get(key)

async function languagesAt(git: string, commit: string): Promise<LanguageSizes> {
  const { measuring } = state()
  const key = keyOf(git, commit)
  const found = knownBy(key)
  if (found) return found
  const work = measuring.get(key) ?? measure(git, commit).finally(() => measuring.delete(key))
  measuring.set(key, work)
  return await work
}

async function measure(git: string, commit: string): Promise<LanguageSizes> {
  const { known, tooLarge } = state()
  const sizes = { code: new Map<string, number>(), other: new Map<string, number>() }
  try {
    await eachListed(git, commit, { withTrees: false }, ({ type, mode, name, size }) => {
      if (type !== 'blob' || mode === '120000' || isVendored(name) || isGenerated(name)) return
      const language = languageOf(name)
      if (!language) return
      const isCode = language.type === 'programming' || language.type === 'markup'
      const counted = isCode ? sizes.code : sizes.other
      counted.set(language.name, (counted.get(language.name) ?? 0) + size)
    })
  } catch (error) {
    if (!(error instanceof GitTimeout)) throw error
    tooLarge.set(keyOf(git, commit), {}, 1)
    return {}
  }
  const shown = sizes.code.size > 0 ? sizes.code : sizes.other
  const found = Object.fromEntries([...shown].sort(([, a], [, b]) => b - a))
  known.set(keyOf(git, commit), found, 1)
  return found
}
