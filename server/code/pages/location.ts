import { notFound } from '@/server/kernel/errors'
import {
  findRevision,
  type Revision,
  type RevisionAndPath,
  splitRevision,
} from '@/server/kernel/git/revision'
import { encodePath } from '@/server/kernel/url-path'
import type { ReadableCode } from '../context'

/** Where a page is: a path of a repository at a revision. */
export interface CodeLocation {
  code: ReadableCode
  revision: Revision
  /** Clean path, as Git spells it. */
  path: string
}

/** What a page asks for: a path that begins with a revision of this kind. Without `kind`, it is in the default branch. */
export interface Asked {
  kind?: Revision['kind'] | 'any' | undefined
  path: string
}

/**
 * Finds the revision with which a path begins, and the rest of the path.
 * @throws {DomainError} notFound
 */
export async function locationOf(code: ReadableCode, { kind, path }: Asked): Promise<RevisionAndPath> {
  if (!kind) {
    const revision = await findRevision(code.git, code.repository.default_branch)
    if (!revision) throw notFound('nothing has been pushed to the default branch')
    return { revision, path }
  }
  // `HEAD` stands for the default branch, for addresses that cannot know its name.
  const [, afterHead] = kind === 'any' ? (/^HEAD(?:\/(.*))?$/s.exec(path) ?? []) : []
  if (kind === 'any' && /^HEAD(?:\/|$)/.test(path)) return await locationOf(code, { path: afterHead ?? '' })
  const kinds = kind === 'any' ? (['branch', 'tag', 'commit'] as const) : [kind]
  const found = await splitRevision(code.git, path, kinds)
  if (!found) throw notFound(`no ${kind === 'any' ? 'branch, tag, or commit' : kind} is named "${path}"`)
  return found
}

/** Returns the path of a page of the site below a repository, such as `src/branch/main/a.txt`. */
export const pagePath = (page: string, { kind, name }: Revision, path: string): string =>
  `${page}/${kind}/${encodePath(name)}${path ? `/${encodePath(path)}` : ''}`
