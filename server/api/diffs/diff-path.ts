import type { DiffForm, DiffTarget } from '@/server/code'
import { pathText, treePath } from '@/server/kernel/wire'

/** Parsed path of a diff as text, on the site or in the API. */
export interface DiffPath {
  isApi: boolean
  owner: string
  repo: string
  /** Undefined if the path cannot be decoded. */
  target: DiffTarget | undefined
  form: DiffForm
  /** Returns the same path with other names, for redirects. */
  of(names: { owner: string; repo: string }): string
}

const inApi = /^(\/api\/v1\/repos)\/([^/]+)\/([^/]+)\/(git\/commits|compare)\/(.+)\.(diff|patch)$/s
// `/-/` is reserved for our own pages.
const onSite = /^()(?!\/(?:-|api|_next)\/)\/([^/]+)\/([^/]+)\/(commit|compare)\/(.+)\.(diff|patch)$/s

// Without an extension: the query names the form.
const comparedInApi = /^(\/api\/v1\/repos)\/([^/]+)\/([^/]+)\/(compare)\/(.+)$/s

/** Parses the path of a diff as text; undefined for any other path. `query` can have the parameter `output`. */
export function parseDiffPath(path: string, query = ''): DiffPath | undefined {
  const output = query.includes('output=') ? new URLSearchParams(query).get('output') : null
  const isForm = output === 'diff' || output === 'patch'
  const byQuery = isForm ? comparedInApi.exec(path) : null
  const found = byQuery ?? inApi.exec(path) ?? onSite.exec(path)
  if (!found) return undefined
  const [, api = '', owner = '', repo = '', page = '', name = '', extension] = found
  const form = byQuery ? output : extension
  const decoded = treePath.safeParse(name).data
  const isComparison = page === 'compare'
  return {
    isApi: api !== '',
    owner: nameOf(owner),
    repo: nameOf(repo),
    target:
      decoded === undefined
        ? undefined
        : isComparison
          ? { of: 'comparison', basehead: decoded }
          : { of: 'commit', sha: decoded },
    form: form as DiffForm,
    of: names =>
      `${api}/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}/${page}/${name}${byQuery ? '' : `.${form}`}`,
  }
}

// An invalid name becomes the empty name, which is never found.
const nameOf = (segment: string): string => pathText.safeParse(segment).data ?? ''
