/** Thrown for settings that nothing can run with; the message names the variable and what would be right. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
