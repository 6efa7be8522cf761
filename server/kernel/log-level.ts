export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Returns the level of this name; `info` if there is none. */
export const logLevelOf = (name: string | undefined): LogLevel =>
  logLevels.find(level => level === name) ?? 'info'
