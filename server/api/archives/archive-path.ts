import { pathText, treePath } from '@/server/kernel/wire'

/** Parsed path of an archive, on the site or in the API. */
export interface ArchiveTarget {
  isApi: boolean
  owner: string
  repo: string
  /** A ref or commit with the file extension, decoded; undefined if it cannot be decoded. */
  archive: string | undefined
  /** Returns the same path with other names, for redirects. */
  of(names: { owner: string; repo: string }): string
}

// `/-/` is reserved for our own pages.
const onSite = /^()(?!\/(?:-|api|_next)\/)\/([^/]+)\/([^/]+)\/(archive)\/(.+)$/s
const inApi = /^(\/api\/v1\/repos)\/([^/]+)\/([^/]+)\/(archive|tarball|zipball|bundle)\/(.+)$/s

// These addresses are those of GitHub.
const formats: Record<string, string> = { tarball: '.tar.gz', zipball: '.zip', bundle: '.bundle' }

/** Parses the path of an archive; undefined for any other path. */
export function parseArchivePath(path: string): ArchiveTarget | undefined {
  const found = inApi.exec(path) ?? onSite.exec(path)
  if (!found) return undefined
  const [, api = '', owner = '', repo = '', verb = '', name = ''] = found
  const decoded = treePath.safeParse(name).data
  return {
    isApi: api !== '',
    owner: nameOf(owner),
    repo: nameOf(repo),
    archive: decoded && `${decoded}${formats[verb] ?? ''}`,
    of: names =>
      `${api}/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}/${verb}/${name}`,
  }
}

// An invalid name becomes the empty name, which is never found.
const nameOf = (segment: string): string => pathText.safeParse(segment).data ?? ''
