import { ConfigError } from './config-error'

/**
 * Runs work on something that a setting names, such as a directory or an address, so that a system error
 * mentions the setting.
 * @throws {ConfigError} instead of a system error; other errors are rethrown unchanged
 */
export async function blaming<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error
    throw isOfSystem ? new ConfigError(`${variable}: ${error.message}`, { cause: error }) : error
  }
}
