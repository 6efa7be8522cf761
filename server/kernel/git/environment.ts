/** Settings of git for one call, as `section.name` to value. */
export type GitSettings = Readonly<Record<string, string>>

/**
 * The whole environment git runs in: nothing of ours but the search path, and no settings but those given here,
 * so that neither this machine's configuration nor a variable somebody exported changes what git does.
 */
export function gitEnvironment(
  settings: GitSettings = {},
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  // Repositories may belong to another user of this machine, such as the one who restored them.
  const entries = Object.entries({ 'safe.directory': '*', ...settings })
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
    ...extra,
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(numbered),
  }
}
