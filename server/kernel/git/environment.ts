import { defaultMemory, type GitMemory } from './memory'

/** Settings of git for one call: `section.name` to one value or several. */
export type GitSettings = Readonly<Record<string, string | readonly string[]>>

/** Settings for every git that writes: objects and refs are synced before git reports them. */
export const durableConfig: GitSettings = {
  'core.fsync': 'committed,derived-metadata,reference',
}

const always: GitSettings = {
  // Repositories may belong to another user of this machine, such as the one who restored them.
  'safe.directory': '*',
  'core.bigFileThreshold': `${defaultMemory.objectKib}k`,
  'core.deltaBaseCacheLimit': '16m',
  'pack.deltaCacheSize': '16m',
  'pack.threads': '1',
  'pack.windowMemory': '16m',
  // Git asks these about signatures, also those that a stranger made up.
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
}

/**
 * The whole environment git runs in: nothing of ours but the search path, and no settings but ours and those given
 * here, so that neither this machine's configuration nor a variable somebody exported changes what git does.
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
    // What is shown of a commit must be what a clone gets of it.
    GIT_NO_REPLACE_OBJECTS: '1',
    // Git takes a byte more than an object has, and a little to work with.
    GIT_ALLOC_LIMIT: `${objectKib + 64}k`,
    ...extra,
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(numbered),
  }
}
