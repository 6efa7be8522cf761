import { pathText } from '@/server/kernel/wire'

/** What a path asks for, on the site or in the API. */
export interface ArchiveTarget {
  isApi: boolean
  owner: string
  repo: string
  /** A ref or commit with an ending, decoded. */
  archive: string
  /** The same path of the repository by other names. */
  of(names: { owner: string; repo: string }): string
}

// Pages of our own lie below `-`.
const form = /^(?:(\/api\/v1\/repos)|(?!\/(?:-|api|_next)\/))\/([^/]+)\/([^/]+)\/archive\/(.+)$/s

/** Reads the path of an archive; undefined for every other. */
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

// What cannot be a name finds nothing, like a name that nobody has.
const nameOf = (segment: string): string => pathText.safeParse(segment).data ?? ''

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
