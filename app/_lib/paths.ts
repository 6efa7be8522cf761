/** Header in which proxy.ts passes on the path of the page: a layout is not told what it wraps. */
export const pathHeader = 'x-guildhall-path'

/** How calls name a repository. */
export interface RepoPath {
  owner: string
  repo: string
}

/** The slashes of a name are those of a path. */
const encoded = (name: string): string => name.split('/').map(encodeURIComponent).join('/')

/** Path of a page of a repository; without a segment, its home page. */
export function repositoryPath({ full_name }: { full_name: string }, segment = ''): string {
  const path = encoded(full_name)
  return segment ? `/${path}/${segment}` : `/${path}`
}

/** Path of a page of a release, such as the one to `edit` it; the one that shows it is named `tag`, as its tag is in the path. */
export function releasePath(repository: { full_name: string }, tag: string, page = 'tag'): string {
  return repositoryPath(repository, `releases/${page}/${encoded(tag)}`)
}

/** Path of the page of a workflow run. */
export function runPath(repository: { full_name: string }, run: number): string {
  return repositoryPath(repository, `actions/runs/${run}`)
}

/** Path of the page of a job, with its log. */
export function jobPath(repository: { full_name: string }, run: number, job: number): string {
  return `${runPath(repository, run)}/jobs/${job}`
}

/** Path of the log of a job as a text. */
export function jobLogPath(repository: { full_name: string }, job: number): string {
  return repositoryPath(repository, `actions/jobs/${job}/logs`)
}

/** Path of the page of an artifact of a run. */
export function artifactPath(repository: { full_name: string }, run: number, artifact: number): string {
  return `${runPath(repository, run)}/artifacts/${artifact}`
}

/** Path of an artifact's bytes: to save with `download`, to show with `view`. */
export function artifactBytesPath(
  repository: { full_name: string },
  artifact: number,
  use: 'download' | 'view',
): string {
  return repositoryPath(repository, `actions/artifacts/${artifact}/${use}`)
}

/** Path of the bytes of one file inside a zip artifact; shown by browsers where that is safe. */
export function memberBytesPath(
  repository: { full_name: string },
  artifact: number,
  member: string,
  use: 'download' | 'view',
): string {
  const path = repositoryPath(repository, `actions/artifacts/${artifact}/files/${encoded(member)}`)
  return use === 'download' ? `${path}?download` : path
}

/** Path of the source code at a tag, packed. */
export function archivePath(repository: { full_name: string }, tag: string, kind: 'zip' | 'tar.gz'): string {
  return repositoryPath(repository, `archive/${encoded(tag)}.${kind}`)
}

/** Path of a page of an organization; without a segment, its home page. */
export function orgPath(org: string, segment = ''): string {
  const name = encodeURIComponent(org)
  return segment ? `/-/orgs/${name}/${segment}` : `/${name}`
}

/** Path of a page of a team; without a segment, the one with its members. */
export function teamPath(org: string, team: string, segment = ''): string {
  const path = `${orgPath(org, 'teams')}/${encodeURIComponent(team)}`
  return segment ? `${path}/${segment}` : path
}

/** Path of the sign-in page, which leads back to the given location. */
export function signInPath({ pathname, search }: { pathname: string; search: string }): string {
  const path = pathname + search
  return path === '/' ? '/-/sign-in' : `/-/sign-in?next=${encodeURIComponent(path)}`
}

/** A segment of a path as people read it; one that cannot be decoded stays as it is. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const here = 'http://here.invalid'
const oneSlashFirst = /^\/(?![/\\])/

/**
 * Where to go after signing in: a path of this site, or the start. "//host", "/\host" and the like would leave it,
 * so the text is read the way a browser reads it and must stay on the made-up host.
 */
export function safeNext(next: string): string {
  if (!oneSlashFirst.test(next) || !URL.canParse(next, here)) return '/'
  const url = new URL(next, here)
  const path = url.pathname + url.search + url.hash
  // Reading drops dot segments, so "/.//host" is the path "//host" by now.
  return url.origin === here && oneSlashFirst.test(path) ? path : '/'
}

/** The id that a word of an address is; undefined for what is none. */
export const idIn = (word: string | undefined): number | undefined =>
  word !== undefined && /^[1-9]\d{0,14}$/.test(word) ? Number(word) : undefined

export const exploreTabs = ['repositories', 'organizations', 'people'] as const
export type ExploreTab = (typeof exploreTabs)[number]

/** Where repositories, organizations or people with these words are listed. */
export function explorePath(tab: ExploreTab, q = ''): string {
  const params = new URLSearchParams({ ...(tab !== exploreTabs[0] && { tab }), ...(q && { q }) })
  return params.size > 0 ? `/explore?${params}` : '/explore'
}
