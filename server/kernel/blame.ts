import { ConfigError } from './config-error'

/**
 * Runs work on a resource that a setting specifies, such as a directory or an address, and adds the setting's
 * name to the message of any system error.
 * @throws {ConfigError} for a system error; other errors are rethrown unchanged
 */
export async function blaming<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error
    throw isOfSystem ? new ConfigError(`${variable}: ${error.message}`, { cause: error }) : error
  }
}
