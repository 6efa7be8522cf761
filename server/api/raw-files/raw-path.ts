import type { RawTarget } from '@/server/code'
import { encodePath } from '@/server/kernel/url-path'
import { pathText, treePath } from '@/server/kernel/wire'

/** Parsed path of a file's bytes, on the site or in the API. */
export interface RawPath {
  isApi: boolean
  owner: string
  repo: string
  /** Undefined if the path cannot be decoded. */
  target: RawTarget | undefined
  /** Returns the same path with other names, for redirects. */
  of(names: { owner: string; repo: string }): string
  /** Returns the path of a file on a branch, such as `main/a.txt`. */
  onBranch(path: string): string
}

// `/-/` is reserved for our own pages.
const form = /^(?:(\/api\/v1\/repos)|(?!\/(?:-|api|_next)\/))\/([^/]+)\/([^/]+)\/(raw|media)\/(.+)$/s

/** Parses the path of a file's bytes; undefined for any other path. `query` can have the parameter `ref`. */
export function parseRawPath(path: string, query = ''): RawPath | undefined {
  const [, api = '', owner = '', repo = '', verb = '', rest = ''] = form.exec(path) ?? []
  if (!rest) return undefined
  const ref = new URLSearchParams(query).get('ref') || undefined
  return {
    isApi: api !== '',
    owner: nameOf(owner),
    repo: nameOf(repo),
    target: targetOf(rest, { isApi: api !== '', ref }),
    of: names =>
      `${api}/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}/${verb}/${rest}`,
    onBranch: path => `/${owner}/${repo}/${verb}/branch/${encodePath(path)}`,
  }
}

function targetOf(
  rest: string,
  { isApi, ref }: { isApi: boolean; ref: string | undefined },
): RawTarget | undefined {
  const path = treePath.safeParse(rest).data
  if (path === undefined) return undefined
  if (isApi) return { by: 'path', path, ref }
  const [, kind, inside = ''] = /^(branch|tag|commit|blob)\/(.+)$/s.exec(path) ?? []
  if (kind === 'blob') return { by: 'blob', id: inside }
  if (kind) return { by: 'revision', kind: kind as 'branch' | 'tag' | 'commit', path: inside }
  return { by: 'revision', kind: undefined, path }
}

// An invalid name becomes the empty name, which is never found.
const nameOf = (segment: string): string => pathText.safeParse(segment).data ?? ''
