import type { RepositoryNames } from '@/server/repos'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** What a path asks for; `dumb` is all that only clients without the smart protocol read. */
export interface GitTarget {
  names: RepositoryNames
  /** `/owner/repo.git`, as asked for. */
  base: string
  part: 'info/refs' | 'dumb' | GitService
}

const form =
  /^(\/([^/]+)\/([^/]+?)(\.git)?)\/(info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/(?:info\/[\w-]+|pack\/[\w.-]+|[0-9a-f]{2}\/[0-9a-f]+))$/

/** Reads a path that a git client asks for; undefined for every other. */
export function parseGitPath(path: string): GitTarget | undefined {
  const [, base = '', owner = '', repo = '', , part = ''] = form.exec(path) ?? []
  if (!part) return undefined
  return { names: { owner: nameOf(owner), repo: nameOf(repo) }, base, part: isSmart(part) ? part : 'dumb' }
}

const isSmart = (part: string): part is Exclude<GitTarget['part'], 'dumb'> =>
  part === 'info/refs' || isGitService(part)

export const isGitService = (word: string | null): word is GitService =>
  word === 'git-upload-pack' || word === 'git-receive-pack'

// What cannot be a name finds nothing, like a name that nobody has.
function nameOf(segment: string): string {
  try {
    const name = decodeURIComponent(segment)
    return /^[\w.-]{1,100}$/.test(name) ? name : ''
  } catch {
    return ''
  }
}
