import { ConfigError } from '../config-error'
import { GitError, runGit } from './run'

// Exit codes of a shell for a program that does not exist or cannot be run.
const cannotRun = new Set<number | undefined>([126, 127])

// First version that reads settings from environment variables.
const oldest = [2, 31] as const

/**
 * Checks that Git is installed and recent enough.
 * @throws {ConfigError} that says what to install
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
