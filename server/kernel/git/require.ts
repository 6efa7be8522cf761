import { ConfigError } from '../config-error'
import { GitError, runGit } from './run'

// What a shell ends with when a program is not there, or cannot be run.
const cannotRun = new Set<number | undefined>([126, 127])

// The first that takes settings from its environment.
const oldest = [2, 31] as const

/**
 * Makes sure that git is there and new enough.
 * @throws {ConfigError} that says what to install.
 */
export async function requireGit(): Promise<void> {
  const text = await runGit(['--version'], { timeoutMs: 10_000 }).catch(error => {
    if (!(error instanceof GitError) || !cannotRun.has(error.exitCode)) throw error
    throw new ConfigError(
      `git: not found on the PATH; install the git package, version ${oldest.join('.')} or newer`,
      { cause: error },
    )
  })
  if (!isRecentEnough(text)) {
    throw new ConfigError(`git: ${text.trim()} is too old; install version ${oldest.join('.')} or newer`)
  }
}

export function isRecentEnough(versionText: string): boolean {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(versionText)?.map(Number) ?? []
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}
