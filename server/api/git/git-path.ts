import type { RepositoryNames } from '@/server/repos'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** Parsed path of a Git request. `dumb` stands for paths that only clients without the smart protocol request. */
export interface GitTarget {
  names: RepositoryNames
  /** `/owner/repo.git`, as requested. */
  base: string
  part: 'info/refs' | 'dumb' | GitService
}

const form =
  /^(\/([^/]+)\/([^/]+?)(\.git)?)\/(info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/(?:info\/[\w-]+|pack\/[\w.-]+|[0-9a-f]{2}\/[0-9a-f]+))$/

/** Parses the path of a Git request; undefined for any other path. */
export function parseGitPath(path: string): GitTarget | undefined {
  const [, base = '', owner = '', repo = '', , part = ''] = form.exec(path) ?? []
  if (!part) return undefined
  return { names: { owner: nameOf(owner), repo: nameOf(repo) }, base, part: isSmart(part) ? part : 'dumb' }
}

const isSmart = (part: string): part is Exclude<GitTarget['part'], 'dumb'> =>
  part === 'info/refs' || isGitService(part)

export const isGitService = (word: string | null): word is GitService =>
  word === 'git-upload-pack' || word === 'git-receive-pack'

// A text that cannot be a name is treated like a name that no repository has.
function nameOf(segment: string): string {
  try {
    const name = decodeURIComponent(segment)
    return /^[\w.-]{1,100}$/.test(name) ? name : ''
  } catch {
    return ''
  }
}
