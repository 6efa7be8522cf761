import type { ShownRevision } from '@/server/code/pages/schema'

/** Identifies a repository in API calls. */
export interface RepoPath {
  owner: string
  repo: string
}

/** Percent-encodes a path or name, but keeps its slashes. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Returns the path of a repository's page. Without a segment, that of its home page. */
export function repositoryPath({ full_name }: { full_name: string }, segment = ''): string {
  const path = encodedPath(full_name)
  return segment ? `/${path}/${segment}` : `/${path}`
}

/**
 * Returns the path of a release's page, such as `edit`. The page that shows the release is `tag`, because the
 * path contains its tag.
 */
export function releasePath(repository: { full_name: string }, tag: string, page = 'tag'): string {
  return repositoryPath(repository, `releases/${page}/${encodedPath(tag)}`)
}

/** Returns the path of a workflow run's page. */
export function runPath(repository: { full_name: string }, run: number): string {
  return repositoryPath(repository, `actions/runs/${run}`)
}

/** Returns the path of a job's page, with its log. */
export function jobPath(repository: { full_name: string }, run: number, job: number): string {
  return `${runPath(repository, run)}/jobs/${job}`
}

/** Returns the path of a job's log as text. */
export function jobLogPath(repository: { full_name: string }, job: number): string {
  return repositoryPath(repository, `actions/jobs/${job}/logs`)
}

/** Returns the path of an artifact's page. */
export function artifactPath(repository: { full_name: string }, run: number, artifact: number): string {
  return `${runPath(repository, run)}/artifacts/${artifact}`
}

/** Returns the path of an artifact's content, to save (`download`) or to show (`view`). */
export function artifactBytesPath(
  repository: { full_name: string },
  artifact: number,
  use: 'download' | 'view',
): string {
  return repositoryPath(repository, `actions/artifacts/${artifact}/${use}`)
}

/** Returns the path of a file inside a zip artifact. Browsers show the file if that is safe. */
export function memberBytesPath(
  repository: { full_name: string },
  artifact: number,
  member: string,
  use: 'download' | 'view',
): string {
  const path = repositoryPath(repository, `actions/artifacts/${artifact}/files/${encodedPath(member)}`)
  return use === 'download' ? `${path}?download` : path
}

/** Returns the path of the packed source code at a tag. */
export function archivePath(repository: { full_name: string }, tag: string, kind: 'zip' | 'tar.gz'): string {
  return repositoryPath(repository, `archive/${encodedPath(tag)}.${kind}`)
}

/** Pages and files below a revision, by the first part of their paths. */
type CodeSection = 'src' | 'raw' | 'commits'

/** Returns the path of a page or file at a revision, such as `/acme/site/src/branch/main/a.txt`. */
export function codePath(
  repository: { full_name: string },
  section: CodeSection,
  { kind, name }: Pick<ShownRevision, 'kind' | 'name'>,
  path = '',
): string {
  return repositoryPath(
    repository,
    `${section}/${kind}/${encodedPath(name)}${path ? `/${encodedPath(path)}` : ''}`,
  )
}

/** Returns the path of a page that changes files of a branch: the file at `path`, or files of that directory. */
export const editPath = (
  repository: { full_name: string },
  page: 'edit' | 'new' | 'delete' | 'upload',
  branch: string,
  path: string,
): string =>
  repositoryPath(repository, `_${page}/${encodedPath(branch)}${path ? `/${encodedPath(path)}` : ''}`)

/** Returns the path of a commit's page. */
export const commitPath = (repository: { full_name: string }, sha: string): string =>
  repositoryPath(repository, `commit/${sha}`)

/** Returns the path of the page that compares what `head` has in addition with `base`: branches, tags, or commit IDs. */
export const comparePath = (
  repository: { full_name: string },
  base: string,
  head: string,
  dots: '..' | '...' = '...',
): string => repositoryPath(repository, `compare/${encodedPath(base)}${dots}${encodedPath(head)}`)

/** Returns the path of an organization's page. Without a segment, that of its home page. */
export function orgPath(org: string, segment = ''): string {
  const name = encodeURIComponent(org)
  return segment ? `/-/orgs/${name}/${segment}` : `/${name}`
}

/** Returns the path of a team's page. Without a segment, the one with its members. */
export function teamPath(org: string, team: string, segment = ''): string {
  const path = `${orgPath(org, 'teams')}/${encodeURIComponent(team)}`
  return segment ? `${path}/${segment}` : path
}

/** Returns the path of the sign-in page, which redirects back to the given location. */
export function signInPath({ pathname, search }: { pathname: string; search: string }): string {
  const path = pathname + search
  return path === '/' ? '/-/sign-in' : `/-/sign-in?next=${encodeURIComponent(path)}`
}

/** Decodes a path segment for display. Returns it unchanged if it can't be decoded. */
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
 * Returns where to redirect after signing in: a path on this site, or `/`. Forms such as "//host" and
 * "/\host" lead to other sites, so the text is parsed like in a browser and must remain on a placeholder
 * host.
 */
export function safeNext(next: string): string {
  if (!oneSlashFirst.test(next) || !URL.canParse(next, here)) return '/'
  const url = new URL(next, here)
  const path = url.pathname + url.search + url.hash
  // Parsing removes dot segments, so "/.//host" has become the path "//host".
  return url.origin === here && oneSlashFirst.test(path) ? path : '/'
}

/** Parses an ID in a URL. Returns undefined if it is invalid. */
export const idIn = (word: string | undefined): number | undefined =>
  word !== undefined && /^[1-9]\d{0,14}$/.test(word) ? Number(word) : undefined

export const exploreTabs = ['repositories', 'organizations', 'people'] as const
export type ExploreTab = (typeof exploreTabs)[number]

/** Returns the path of the Explore page with the results for these words. */
export function explorePath(tab: ExploreTab, q = '', topic = ''): string {
  const params = new URLSearchParams({
    ...(tab !== exploreTabs[0] && { tab }),
    ...(q && { q }),
    ...(topic && { topic }),
  })
  return params.size > 0 ? `/explore?${params}` : '/explore'
}

/** Returns the path of a page of a list of commits, whose first page is at `base`, by an author if one is passed. */
export function commitsPath(base: string, author: string, page = 1): string {
  const params = new URLSearchParams({ ...(author && { author }), ...(page > 1 && { page: String(page) }) })
  return params.size > 0 ? `${base}?${params}` : base
}
