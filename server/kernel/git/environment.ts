import { defaultMemory, type GitMemory } from './memory'

/** Git configuration for one command: variables such as `core.fsync`, each with one value or several. */
export type GitSettings = Readonly<Record<string, string | readonly string[]>>

/**
 * Git configuration for every command that writes: objects and refs are flushed with fsync before Git reports
 * success.
 */
export const durableConfig: GitSettings = {
  'core.fsync': 'committed,derived-metadata,reference',
}

const always: GitSettings = {
  // Repositories can belong to another user of this machine, such as the one who restored them.
  'safe.directory': '*',
  'core.bigFileThreshold': `${defaultMemory.objectKib}k`,
  'core.deltaBaseCacheLimit': '16m',
  'pack.deltaCacheSize': '16m',
  'pack.threads': '1',
  'pack.windowMemory': '16m',
  // Git runs these programs to check signatures, which can be crafted by strangers.
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
}

/**
 * Returns the complete environment of a Git command. It inherits only `PATH` and contains only our own Git
 * configuration, so that neither the machine's Git configuration nor other environment variables can affect
 * Git.
 */
export function gitEnvironment(
  settings: GitSettings = {},
  extra: Readonly<Record<string, string>> = {},
  { objectKib }: Pick<GitMemory, 'objectKib'> = defaultMemory,
): Record<string, string> {
  const entries = Object.entries({ ...always, ...settings }).flatMap(([name, values]) =>
    [values].flat().map(value => [name, value] as const),
  )
  const numbered = entries.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    XDG_CONFIG_HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // The commit shown must be the same as in a clone.
    GIT_NO_REPLACE_OBJECTS: '1',
    // Git needs one byte more than the object's size, and a little working memory.
    GIT_ALLOC_LIMIT: `${objectKib + 64}k`,
    ...extra,
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(numbered),
  }
}
