import { pathText } from '@/server/kernel/wire'
import type { DownloadTarget } from '@/server/releases'

/** A path of a file, with what it is asked for by. */
export interface DownloadPath {
  target: DownloadTarget
  /** The same path in the repository by other names. */
  in(names: { owner: string; repo: string }): string
}

// Pages of our own lie below `-`.
const form =
  /^(?:\/(?!(?:-|api|_next)\/)([^/]+)\/([^/]+))?(\/(?:(?:releases\/)?attachments\/([^/]+)|releases\/download\/(.+)\/([^/]+)|releases\/latest\/download\/([^/]+)))$/s

/** Reads the path of a file of a release; undefined for every other. */
export function parseDownloadPath(path: string): DownloadPath | undefined {
  const [, owner, repo, rest = '', uuid, tag, name, ofLatest] = form.exec(path) ?? []
  const of = owner && repo ? { owner: decoded(owner), repo: decoded(repo) } : undefined
  const within = (names: { owner: string; repo: string }): string =>
    `/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}${rest}`
  if (uuid && (of || path.startsWith('/attachments/')))
    return { target: { kind: 'uuid', uuid, of }, in: within }
  const asked = name ?? ofLatest
  if (!of || !asked) return undefined
  const target = { kind: 'name' as const, of, name: decoded(asked), tag: tag && decoded(tag) }
  return { target, in: within }
}

// What cannot be a name finds nothing, like a name that nobody has.
const decoded = (text: string): string => pathText.safeParse(text).data ?? ''
