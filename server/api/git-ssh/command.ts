import type { RepositoryNames } from '@/server/repos'

export type GitCommandService = 'git-upload-pack' | 'git-receive-pack' | 'git-upload-archive'

/** A command that Git asks an SSH server to run. */
export interface GitCommand {
  service: GitCommandService
  /** Undefined if no repository can have the path. */
  names: RepositoryNames | undefined
}

const form = /^git[- ](upload-pack|receive-pack|upload-archive)\s+(\S.*)$/

/** Parses a command as Git sends it, `git-upload-pack` or `git upload-pack`; undefined for any other command. */
export function parseGitCommand(text: string): GitCommand | undefined {
  const [, service, argument = ''] = form.exec(text.trimEnd()) ?? []
  if (service === undefined) return undefined
  return { service: `git-${service}` as GitCommandService, names: parsePath(unquote(argument)) }
}

// Git puts the path into single quotes, and escapes quotes and exclamation marks of the path outside of them.
function unquote(argument: string): string {
  if (!argument.startsWith("'")) return argument
  return /^'([^']*)'$/.exec(argument)?.[1] ?? ''
}

// `/owner/repo.git`, without the slash in the short form of an address, with several where an address was put together
// from parts, and `~/owner/repo` for those who are used to homes.
function parsePath(path: string): RepositoryNames | undefined {
  const [, owner, repo] = /^(?:~?\/+)?([\w.-]{1,100})\/+([\w.-]{1,100}?)(?:\.git)?\/*$/.exec(path) ?? []
  return owner === undefined || repo === undefined ? undefined : { owner, repo }
}
