/**
 * Error for invalid settings that prevent the program from running. The message names the variable and the
 * expected value.
 */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
