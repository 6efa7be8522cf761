import { pathText } from '@/server/kernel/wire'

/** Parsed path of an archive, on the site or in the API. */
export interface ArchiveTarget {
  isApi: boolean
  owner: string
  repo: string
  /** A ref or commit with the file extension, decoded. */
  archive: string
  /** Returns the same path with other names, for redirects. */
  of(names: { owner: string; repo: string }): string
}

// `/-/` is reserved for our own pages.
const form = /^(?:(\/api\/v1\/repos)|(?!\/(?:-|api|_next)\/))\/([^/]+)\/([^/]+)\/archive\/(.+)$/s

/** Parses the path of an archive; undefined for any other path. */
export function parseArchivePath(path: string): ArchiveTarget | undefined {
  const [, api = '', owner = '', repo = '', archive = ''] = form.exec(path) ?? []
  if (!archive) return undefined
  return {
    isApi: api !== '',
    owner: nameOf(owner),
    repo: nameOf(repo),
    archive: decoded(archive),
    of: names =>
      `${api}/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}/archive/${archive}`,
  }
}

// An invalid name becomes the empty name, which is never found.
const nameOf = (segment: string): string => pathText.safeParse(segment).data ?? ''

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
