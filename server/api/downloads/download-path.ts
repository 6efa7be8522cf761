import { pathText } from '@/server/kernel/wire'
import type { DownloadTarget } from '@/server/releases'

/** Parsed path of a release file. */
export interface DownloadPath {
  target: DownloadTarget
  /** Returns the same path with other names, for redirects. */
  in(names: { owner: string; repo: string }): string
}

// `/-/` is reserved for our own pages.
const form =
  /^(?:\/(?!(?:-|api|_next)\/)([^/]+)\/([^/]+))?(\/(?:(?:releases\/)?attachments\/([^/]+)|releases\/download\/(.+)\/([^/]+)|releases\/latest\/download\/([^/]+)))$/s

/** Parses the path of a release file; undefined for any other path. */
export function parseDownloadPath(path: string): DownloadPath | undefined {
  const [, owner, repo, rest = '', uuid, tag, name, ofLatest] = form.exec(path) ?? []
  const of = owner && repo ? { owner: decoded(owner), repo: decoded(repo) } : undefined
  const addressIn = (names: { owner: string; repo: string }): string =>
    `/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}${rest}`
  if (uuid && (of || path.startsWith('/attachments/')))
    return { target: { kind: 'uuid', uuid, of }, in: addressIn }
  const asked = name ?? ofLatest
  if (!of || !asked) return undefined
  const target = { kind: 'name' as const, of, name: decoded(asked), tag: tag && decoded(tag) }
  return { target, in: addressIn }
}

// An invalid name becomes the empty name, which is never found.
const decoded = (text: string): string => pathText.safeParse(text).data ?? ''
